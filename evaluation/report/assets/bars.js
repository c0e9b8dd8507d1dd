// What each content type gave to a pair's score, as bars.
(function (report) {
  const { make, draw } = report;

  /** The table of bars for a kept page and one folded under it. */
  report.barsOf = (query, settings, kept, i) => {
    const score = query.viewOf(settings.weights).scores[kept * query.pages.length + i];
    return (query.profile.learned ? modelBars : bars)(query, settings, kept, i, score);
  };

  /** A bar a content type: its length is the weight, the filled part what it gave to the score. */
  function bars(query, settings, kept, i, score) {
    const shares = query.sharesOf(settings.weights, kept, i);
    const widest = Math.max(...shares.map((share) => share.weight), 1e-9);
    const rows = query.profile.signals.map((signal, s) => barRow(
      signal,
      shares[s],
      shares[s].weight / widest,
      weightedCells(shares[s]),
    ));
    return barTable(
      "What each content type gave to the score",
      ["share of weights", "contribution"],
      rows,
      score,
    );
  }

  const weightedCells = (share) => [
    `× ${Math.round(1000 * share.weight) / 10} %`,
    `= ${report.fixed(share.contribution, 3)}`,
  ];

  /** The same for a learned model: similarities, how far each moved the score, what was asked. */
  function modelBars(query, settings, kept, i, score) {
    const shares = query.sharesOf(settings.weights, kept, i);
    const told = (query.query.explained || {})[`${kept} ${i}`];
    const rows = query.profile.signals.map((signal, s) => barRow(
      signal,
      shares[s],
      1,
      movedCells(told, signal.name),
    ));
    const tests = told && told.tests.length ? make(
      "ul",
      { class: "tests" },
      told.tests.map((text) => make("li", { text })),
    ) : null;
    const table = barTable(
      "Similarity by content type, and how far each moved the learned score",
      ["", "moved"],
      rows,
      score,
    );
    return make("div", {}, table, tests);
  }

  function movedCells(told, name) {
    const moved = told ? told.moved[name] : undefined;
    if (moved === undefined) return ["", ""];
    return ["", `${moved < 0 ? "−" : "+"}${Math.abs(moved).toFixed(3)}`];
  }

  function barTable(caption, columns, rows, score) {
    const names = ["content type", "bar", "similarity", ...columns];
    return make(
      "table",
      { class: "bars" },
      make("caption", { text: caption }),
      make(
        "thead",
        { class: "unseen" },
        make("tr", {}, names.map((text) => make("th", { scope: "col", text }))),
      ),
      make("tbody", {}, rows),
      make(
        "tfoot",
        {},
        make(
          "tr",
          {},
          make("th", { scope: "row", text: "score" }),
          make("td", { colspan: 3 }),
          make("td", { class: "number", text: report.fixed(score, 3) }),
        ),
      ),
    );
  }

  function barRow(signal, share, length, cells) {
    const name = make("th", { scope: "row", text: report.readable(signal.name) });
    if (Number.isNaN(share.similarity)) {
      return make(
        "tr",
        { class: "missing" },
        name,
        make("td", { colspan: 4, class: "quiet", text: "nothing to compare: left out" }),
      );
    }
    const bar = draw(
      "svg",
      { class: "bar", viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
      draw("rect", { class: "whole", width: 100 * length, height: 8 }),
      draw("rect", { class: "given", width: 100 * length * share.similarity, height: 8 }),
    );
    const numbers = [
      report.fixed(share.similarity, 3),
      ...cells,
    ].map((text) => make("td", { class: "number", text }));
    return make("tr", {}, name, make("td", { class: "bar-cell" }, bar), numbers);
  }
})(ReduceReport);
