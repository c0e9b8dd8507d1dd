// One query's pages with what is computed from them on demand, each thing once; and what the reader has set.
(function (report) {
  const same = (a, b) => a.length === b.length && a.every((value, i) => value === b[i]);
  const keptIn = (state) => state.clusters.map((cluster) => cluster.kept);

  /** A query of the report: `at(settings)` is its clustering, the rest explains it. */
  report.openQuery = function (query, profile) {
    const n = query.pages.length;
    const own = profile.signals.map((signal) => signal.weight);
    const memory = new Map();
    const once = (key, work) => {
      if (!memory.has(key)) memory.set(key, work());
      return memory.get(key);
    };
    const losses = new WeakMap();
    let [changed, last, curves] = [null, null, { key: null }];

    const links = () => once("links", () => report.unpackLinks(query.links, n));
    const signals = () =>
      once("signals", () =>
        query.links
          ? links().signalsOf(profile.signals.map((signal) => signal.name))
          : profile.signals.map((signal) => report.unpackTriangle(query.signals[signal.name], n)),
      );
    const pairOf = (i, j) => Math.min(i, j) * n + Math.max(i, j);
    const facts = new Map((query.facts || []).map((pair) => [pairOf(pair.a, pair.b), pair]));
    const factsOf = (i, j) => facts.get(pairOf(i, j));
    const contradict = (i, j) => Boolean(factsOf(i, j)?.contradict);
    const ownView = () =>
      once("own", () => ({
        pages: query.pages,
        ...(query.links ? { links: links() } : { scores: report.unpackTriangle(query.scores, n) }),
        tree: query.tree,
        weights: own,
        checked: profile.check_representative,
        contradict,
      }));
    const information = () => once("information", () => report.openInformation(query.information, n));
    const places = (i) => once(`words ${i}`, () => report.wordPlaces(query.pages[i]));

    /** Scores and tree under some weights: the engine's own, or computed here. */
    function viewOf(weights) {
      if (query.links || same(weights, own)) return ownView();
      if (!changed || !same(changed.weights, weights)) {
        const scores = report.combine(signals(), weights, n);
        changed = {
          pages: query.pages,
          scores,
          tree: report.buildTree(scores, n, profile.linkage),
          weights: [...weights],
          checked: profile.check_representative,
          contradict,
        };
      }
      return changed;
    }

    function at({ threshold, keep, weights }) {
      const view = viewOf(weights);
      if (!last || last.view !== view || last.threshold !== threshold || last.keep !== keep) {
        last = { view, ...report.cut(view, threshold, keep) };
      }
      return last;
    }

    /** What each page loses in a state; null where the report carries no texts. */
    function lossesAt(state) {
      if (!query.information) return null;
      if (!losses.has(state)) losses.set(state, report.lossesOf(information(), keptIn(state)));
      return losses.get(state);
    }

    /** The curves under some weights and keeper; the last ones are remembered. */
    function curvesAt(settings) {
      const key = JSON.stringify([settings.weights, settings.keep]);
      if (key !== curves.key) curves = { key, ...report.curvesOf(self, settings) };
      return curves;
    }

    const self = {
      name: query.query || report.t("Results"),
      pages: query.pages,
      query,
      profile,
      at,
      viewOf,
      lossesAt,
      curvesAt,
      informationAt: (state) => (query.information ? report.informationKept(information(), keptIn(state)) : null),
      lostAt: (state, i) => report.lostWith(information(), keptIn(state), i),
      languages: new Set(query.pages.map((page) => page.language).filter(Boolean)).size,
      /** Scores at which the clustering can change. */
      turnsOf({ weights, keep }) {
        const view = viewOf(weights);
        return keep === "walk" || view.checked ? (view.links || view).scores : view.tree.scores;
      },
      isOwn: (weights) => same(weights, own),
      scoreOf: (state, i) => report.scoreIn(state.view, state.keptOf[i], i),
      sharesOf: (weights, a, b) => report.sharesOf(signals(), weights, query.links ? links().placeOf(a, b) : a * n + b),
      levelOf(state, i) {
        const [a, b] = [i, state.keptOf[i]].sort((x, y) => x - y);
        const levels = once("levels", () => (query.links ? null : report.unpackNumbers(query.levels)));
        const byText = levels ? levels[a * n - (a * (a + 1)) / 2 + b - a - 1] : links().levelOf(a, b);
        return report.levelOf(byText, factsOf(a, b), report.scoreIn(state.view, a, b));
      },
      /** What differs in the facts of page i and its representative: {"other figures": ["14 / 12 killed"]}. */
      factsOf(state, i) {
        const found = factsOf(i, state.keptOf[i]);
        const wordsOf = ([a, b, label]) => `${found.a === i ? `${a} / ${b}` : `${b} / ${a}`} ${label}`.trim();
        return Object.fromEntries(Object.entries(found ? found.differ : {}).map(([what, items]) => [what, items.map(wordsOf)]));
      },
      passages: (dropped, kept) =>
        once(`passages ${dropped} ${kept}`, () => report.sharedPassages(places(dropped), places(kept))),
      differences: (dropped, kept) =>
        once(`differences ${dropped} ${kept}`, () => report.wordDifferences(places(dropped), places(kept))),
      /** Clusters whose representative has content of its own. */
      worthReading: (state) => state.clusters.filter((cluster) => !query.pages[cluster.kept].without),
      wordCount: (i) => places(i).words.length,
    };
    return self;
  };

  /** Threshold, keeper and weights of a mount; views listen. */
  report.makeSettings = function (data, given = {}) {
    const start = { threshold: data.threshold, keep: data.keep, weights: data.profile.signals.map((signal) => signal.weight) };
    /** Scores below are not carried of a large set. */
    const floor = Math.max(0, ...data.queries.map((query) => (query.links ? Math.ceil(1000 * query.links.floor) / 1000 : 0)));
    let now = { ...start, ...given };
    now.threshold = Math.max(now.threshold, floor);
    const listeners = [];
    return {
      start,
      floor,
      get: () => now,
      /** Change some settings; every listener is called once. */
      set(change) {
        now = { ...now, ...change };
        now.threshold = Math.max(now.threshold, floor);
        for (const listener of listeners) listener(now);
      },
      listen(listener) {
        listeners.push(listener);
        listener(now);
      },
    };
  };

  const clamp = (value) => Math.min(1, Math.max(0, value));

  /** Settings from the fragment of an address, such as "#threshold=0.6&keep=longest"; what is wrong is ignored. */
  report.readFragment = function (fragment, data) {
    const given = new URLSearchParams(fragment.replace(/^#/, ""));
    const found = {};
    const threshold = Number.parseFloat(given.get("threshold"));
    if (Number.isFinite(threshold)) found.threshold = clamp(threshold);
    if (given.get("keep") in report.KEEPERS) found.keep = given.get("keep");
    const weights = (given.get("weights") || "").split(",").map(Number);
    if (weights.length === data.profile.signals.length && weights.every((w) => w >= 0 && w <= 1)) found.weights = weights;
    return {
      settings: found,
      query: Number(given.get("query")) || 0,
      tab: Number(given.get("tab")) || 0,
      language: given.get("language"),
      theme: given.get("theme"),
    };
  };

  /** What differs from the start, as a fragment. */
  report.writeFragment = function (now, start, more) {
    const found = new URLSearchParams();
    if (now.threshold !== start.threshold) found.set("threshold", now.threshold);
    if (now.keep !== start.keep) found.set("keep", now.keep);
    if (!same(now.weights, start.weights)) found.set("weights", now.weights.join(","));
    for (const [key, value] of Object.entries(more)) if (value) found.set(key, value);
    return found.toString() ? `#${found}` : "";
  };

  /** The settings as a command and, where weights were changed, a profile to save. */
  report.describeSettings = function (settings, profile) {
    const changed = settings.weights.some((w, i) => w !== profile.signals[i].weight);
    const words = [
      `reducepp reduce INPUT --profile ${changed ? "my-profile.toml" : profile.name} --threshold ${settings.threshold}`,
    ];
    if (profile.linkage !== "single") words.push(`--linkage ${profile.linkage}`);
    if (settings.keep !== "rank") words.push(`--keep ${settings.keep}`);
    return { command: words.join(" "), profile: changed ? profileText(settings, profile) : "" };
  };

  function profileText(settings, profile) {
    const whole = report.sum(settings.weights) || 1;
    const lines = ["prepare", "missing", "linkage"].map((key) => `${key} = "${profile[key]}"`);
    lines.unshift(`threshold = ${settings.threshold}`);
    lines.push(...["check_representative", "check_facts"].filter((key) => profile[key]).map((key) => `${key} = true`));
    profile.signals.forEach((signal, i) => {
      lines.push("", "[[signals]]", ...["name", "content", "measure"].map((key) => `${key} = "${signal[key]}"`));
      lines.push(`weight = ${Number((settings.weights[i] / whole).toFixed(8))}`);
      const options = Object.entries(signal.options);
      if (options.length) lines.push("[signals.options]");
      for (const [key, value] of options) lines.push(`${key} = ${JSON.stringify(value)}`);
    });
    return lines.join("\n") + "\n";
  }
})(ReduceReport);
