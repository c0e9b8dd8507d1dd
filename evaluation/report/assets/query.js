// One query's pages with what is worked out of them on demand, each thing once.
(function (report) {
  const same = (a, b) => a.length === b.length && a.every((value, i) => value === b[i]);

  /** A query of the report: `at(settings)` is what is shown, the rest explains it. */
  report.openQuery = function (query, profile) {
    const n = query.pages.length;
    const own = profile.signals.map((signal) => signal.weight);
    const memory = new Map();
    const once = (key, work) => {
      if (!memory.has(key)) memory.set(key, work());
      return memory.get(key);
    };
    const losses = new WeakMap();
    let changed = null;
    let last = null;
    let curves = { key: null };

    const signals = () =>
      once("signals", () =>
        profile.signals.map((signal) => report.unpackTriangle(query.signals[signal.name], n, 1)),
      );

    const ownView = () =>
      once("own", () => ({
        pages: query.pages,
        scores: report.unpackTriangle(query.scores, n),
        tree: query.tree,
        weights: own,
      }));

    /** Scores and tree under some weights: the engine's own, or worked out here. */
    function viewOf(weights) {
      if (same(weights, own)) return ownView();
      if (!changed || !same(changed.weights, weights)) {
        const scores = report.combine(signals(), weights, n);
        const tree = report.buildTree(scores, n, profile.linkage);
        changed = { pages: query.pages, scores, tree, weights: [...weights] };
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

    const shownIn = (state) => state.clusters.map((cluster) => cluster.kept);

    const information = () => once(
      "information",
      () => report.openInformation(query.information, n),
    );

    const informationAt = (state) =>
      query.information ? report.informationKept(information(), shownIn(state)) : null;

    const lostAt = (state, i) => report.lostWith(information(), shownIn(state), i);

    /** What each page loses in a state; null where the report carries no texts. */
    function lossesAt(state) {
      if (!query.information) return null;
      if (!losses.has(state)) losses.set(state, report.lossesOf(information(), shownIn(state)));
      return losses.get(state);
    }

    const places = (i) => once(`words ${i}`, () => report.wordPlaces(query.pages[i].places));

    /** The curves under some weights and keeper; the last ones are remembered. */
    function curvesAt(settings) {
      const key = JSON.stringify([settings.weights, settings.keep]);
      if (key !== curves.key) curves = { key, ...report.curvesOf(self, settings) };
      return curves;
    }

    const self = {
      name: query.query || "Results",
      pages: query.pages,
      query,
      profile,
      at,
      viewOf,
      informationAt,
      lostAt,
      lossesAt,
      curvesAt,
      languages: new Set(query.pages.map((page) => page.language).filter(Boolean)).size,
      /** Scores at which what is shown can change. */
      turnsOf({ weights, keep }) {
        const view = viewOf(weights);
        return keep === "walk" ? view.scores : view.tree.scores;
      },
      isOwn: (weights) => same(weights, own),
      sharesOf: (weights, a, b) => report.sharesOf(signals(), weights, a * n + b),
      levelOf(state, i) {
        const [a, b] = [i, state.keptOf[i]].sort((x, y) => x - y);
        const levels = once("levels", () => report.unpackNumbers(query.levels));
        const place = a * n - (a * (a + 1)) / 2 + b - a - 1;
        return report.levelOf(levels[place], state.view.scores[a * n + b], state.threshold);
      },
      passages: (dropped, kept) =>
        once(`passages ${dropped} ${kept}`, () =>
          report.sharedPassages(places(dropped), places(kept)),
        ),
    };
    return self;
  };
})(ReduceReport);
