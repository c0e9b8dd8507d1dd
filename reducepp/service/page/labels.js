// The labels given so far, kept in this browser, and which pair to label next.
(function (page) {
  const keyOf = (q, a, b) => `${q} ${Math.min(a, b)} ${Math.max(a, b)}`;

  /** A short name for a set of pages: labels are kept under it and found again when the set is opened again. */
  function nameOf(queries) {
    let hash = 2166136261;
    for (const query of queries) {
      for (const { id } of query.pages) {
        for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 16777619);
      }
    }
    return `${queries.length}-${(hash >>> 0).toString(16)}`;
  }

  const onDisk = () => document.body.dataset.labels === "service";

  /** Labels of a set that the service keeps; none where it keeps none. */
  page.loadLabels = async (queries) => (onDisk() ? (await page.call("labels", { set: nameOf(queries) })).labels : []);

  /** Places of labelled pages by query and id; null where a page is not in this set. */
  function placesOf(queries, rows) {
    const ids = queries.map((query) => new Map(query.pages.map(({ id }, i) => [id, i])));
    return rows.map((row) => {
      const q = queries.findIndex((query) => query.query.query === row.query);
      const [a, b] = q < 0 ? [] : [ids[q].get(row.a), ids[q].get(row.b)];
      return a === undefined || b === undefined ? null : { q, a, b, duplicate: row.duplicate, answers: row.answers || null };
    });
  }

  /** Labels of one input: `set`, `skip`, `undo`, `next`, `counts`, `rows`; `isKept` where the browser keeps them. */
  page.makeLabels = function (queries, rows = []) {
    const name = nameOf(queries);
    const places = placesOf(queries, rows);
    const known = [...(page.remember(`labels ${name}`) || []), ...places.filter(Boolean)]; // the service may have newer ones
    const given = new Map(known.map((label) => [keyOf(label.q, label.a, label.b), label]));
    const skipped = new Set();
    const labels = { resumed: given.size, unknown: places.filter((place) => !place).length, isKept: true, onDisk: onDisk() };

    function save() {
      labels.isKept = page.remember(`labels ${name}`, [...given.values()]) !== null;
      if (!labels.onDisk) return;
      page.call("labels", { set: name, labels: labels.rows() }).catch((error) => {
        labels.isKept = false;
        page.say(error.message, true);
      });
    }
    const isOpen = ({ q, a, b }) => !given.has(keyOf(q, a, b)) && !skipped.has(keyOf(q, a, b));

    /** Open pairs of the wanted query and language, nearest to the threshold first: those the profile is least sure of. */
    function rank(settings, views, filter) {
      const found = [];
      views.forEach((query, q) => {
        if (filter.query !== "" && Number(filter.query) !== q) return;
        const n = query.pages.length;
        const { view } = query.at(settings);
        const fits = (i) => !filter.language || query.pages[i].language === filter.language;
        for (let a = 0; a < n; a++) {
          for (let b = a + 1; b < n; b++) if (fits(a) && fits(b)) found.push({ q, a, b, score: ReduceReport.scoreIn(view, a, b) });
        }
      });
      const distance = (pair) => Math.abs(pair.score - settings.threshold);
      return found.filter(isOpen).sort((x, y) => distance(x) - distance(y));
    }

    /**
     * The next pair: in turn from above and from below the threshold while there are both, and from the query with
     * fewest labels, so that learning can be checked on queries it has not seen.
     */
    labels.next = function (settings, views, filter = { query: "", language: "" }) {
      const open = rank(settings, views, filter);
      const { duplicates, different } = labels.counts();
      const wanted = open.filter((pair) => pair.score >= settings.threshold === duplicates <= different);
      const labelled = views.map((_, q) => [...given.values()].filter((label) => label.q === q).length);
      const choice = wanted.length ? wanted : open;
      return choice.length ? choice.reduce((best, pair) => (labelled[pair.q] < labelled[best.q] ? pair : best)) : null;
    };

    labels.counts = function () {
      const duplicates = [...given.values()].filter((label) => label.duplicate).length;
      return { duplicates, different: given.size - duplicates };
    };

    labels.rows = () =>
      [...given.values()].map(({ q, a, b, duplicate, answers }) => ({
        query: queries[q].query.query,
        a: queries[q].pages[a].id,
        b: queries[q].pages[b].id,
        duplicate,
        ...(answers ? { answers } : {}),
      }));

    /** `answers` are those of the judge's form, where it was used. */
    labels.set = function ({ q, a, b }, duplicate, answers = null) {
      given.delete(keyOf(q, a, b));
      given.set(keyOf(q, a, b), { q, a, b, duplicate, answers });
      save();
    };

    labels.undo = function () {
      given.delete([...given.keys()].pop());
      save();
    };

    labels.skip = ({ q, a, b }) => skipped.add(keyOf(q, a, b));

    labels.clear = function () {
      given.clear();
      save();
    };
    return labels;
  };

  const ANSWERS = ["relevant", "utility", "navigation", "kind", "rater"];

  /** The labels as the CSV that `--labels` reads; with a judge's answers where there are some. */
  page.labelsCsv = function (rows) {
    const more = rows.some((row) => row.answers) ? ANSWERS : [];
    const cells = (row) => [row.query, row.a, row.b, row.duplicate ? 1 : 0, ...more.map((name) => (row.answers || {})[name] || "")];
    return ReduceReport.csv([["query", "a", "b", "duplicate", ...more], ...rows.map(cells)]);
  };
})(ReducePage);
