// The labels given so far, and which pair is worth asking about next.
(function (page) {
  /** Labels of one input: `set`, `undo`, `next`, `counts`, `rows`. */
  page.makeLabels = function (queries) {
    const given = new Map();
    const skipped = new Set();
    const keyOf = (q, a, b) => `${q} ${Math.min(a, b)} ${Math.max(a, b)}`;

    /** Pairs of all queries, nearest to the threshold first: those the profile is least sure of. */
    function rank(settings, views) {
      const found = [];
      views.forEach((query, q) => {
        const { scores } = query.at(settings).view;
        const n = query.pages.length;
        for (let a = 0; a < n; a++) {
          for (let b = a + 1; b < n; b++) found.push({ q, a, b, score: scores[a * n + b] });
        }
      });
      return found.sort((x, y) => Math.abs(x.score - settings.threshold) - Math.abs(y.score - settings.threshold));
    }

    /**
     * The next pair under the scores of `views`: in turn from above and from below the threshold,
     * while there are both, and from the query with fewest labels, so that learning can be
     * checked on queries it has not seen.
     */
    function next(settings, views) {
      const open = rank(settings, views).filter(({ q, a, b }) => !given.has(keyOf(q, a, b)) && !skipped.has(keyOf(q, a, b)));
      const { duplicates, different } = counts();
      const wanted = open.filter((pair) => pair.score >= settings.threshold === (duplicates <= different));
      const labelled = views.map((_, q) => [...given.values()].filter((label) => label.q === q).length);
      const fewest = (best, pair) => (labelled[pair.q] < labelled[best.q] ? pair : best);
      const choice = wanted.length ? wanted : open;
      return choice.length ? choice.reduce(fewest) : null;
    }

    function rows() {
      return [...given.values()].map(({ q, a, b, duplicate }) => ({
        query: queries[q].query.query,
        a: queries[q].pages[a].id,
        b: queries[q].pages[b].id,
        duplicate,
      }));
    }

    function counts() {
      const duplicates = [...given.values()].filter((label) => label.duplicate).length;
      return { duplicates, different: given.size - duplicates };
    }

    return {
      set({ q, a, b }, duplicate) {
        given.delete(keyOf(q, a, b));
        given.set(keyOf(q, a, b), { q, a, b, duplicate });
      },
      skip: ({ q, a, b }) => skipped.add(keyOf(q, a, b)),
      undo() {
        const last = [...given.keys()].pop();
        const label = given.get(last);
        given.delete(last);
        return label || null;
      },
      labelOf: ({ q, a, b }) => given.get(keyOf(q, a, b)),
      next,
      rows,
      counts,
    };
  };

  const cell = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

  /** The labels as the CSV that `reducepp weights learn --labels` reads. */
  page.labelsCsv = (rows) =>
    ["query,a,b,duplicate", ...rows.map((row) => [cell(row.query), cell(row.a), cell(row.b), row.duplicate ? 1 : 0].join(","))].join("\n") + "\n";
})(ReducePage);
