// Contributions of the signals to a pair's score, as a table of bars.
(function (report) {
  const { make, draw, t } = report;

  /** Contributions of the signals to a pair's score as a table of bars. */
  report.barsOf = function (query, settings, kept, i) {
    const score = report.scoreIn(query.viewOf(settings.weights), kept, i);
    const shares = query.sharesOf(settings.weights, kept, i);
    if (query.profile.learned) return modelBars(query, shares, kept, i, score);
    const widest = Math.max(...shares.map((share) => share.weight), 1e-9);
    const rows = query.profile.signals.map((signal, s) =>
      barRow(signal, shares[s], shares[s].weight / widest, [
        `× ${Math.round(1000 * shares[s].weight) / 10} %`,
        `= ${report.fixed(shares[s].contribution, 3)}`,
      ]),
    );
    return barTable(
      t("How the score is made: similarity of each content type × its weight"),
      [t("weight"), t("contribution")],
      rows,
      score,
    );
  };

  /** The same for a learned model: similarities, how far each moved the score, which tests were made. */
  function modelBars(query, shares, kept, i, score) {
    const explained = (query.query.explained || {})[`${kept} ${i}`];
    const rows = query.profile.signals.map((signal, s) => barRow(signal, shares[s], 1, ["", movedText(explained, signal.name)]));
    const tests =
      explained && explained.tests.length
        ? make(
            "ul.tests",
            null,
            explained.tests.map((text) => make("li", { dir: "ltr", text })),
          )
        : null;
    return make(
      "div",
      null,
      barTable(t("Similarity by content type, and how far each moved the learned score"), ["", t("moved")], rows, score),
      tests,
    );
  }

  function movedText(explained, name) {
    const moved = explained ? explained.moved[name] : undefined;
    return moved === undefined ? "" : `${moved < 0 ? "−" : "+"}${report.fixed(Math.abs(moved), 3)}`;
  }

  function barTable(caption, columns, rows, score) {
    const heads = [t("content type"), t("bar"), t("similarity"), ...columns].map((text) => make("th", { scope: "col", text }));
    const foot = make(
      "tr",
      null,
      make("th", { scope: "row", text: t("score") }),
      make("td", { colspan: 3 }),
      make("td.number", report.fixed(score, 3)),
    );
    return make(
      "table.bars",
      null,
      make("caption", caption),
      make("thead.unseen", null, make("tr", null, heads)),
      make("tbody", null, rows),
      make("tfoot", null, foot),
    );
  }

  function barRow(signal, share, length, cells) {
    const name = make("th", { scope: "row", text: report.readable(signal.name) });
    if (Number.isNaN(share.similarity)) {
      return make("tr.missing", null, name, make("td.quiet", { colspan: 4, text: t("nothing to compare: left out") }));
    }
    const bar = draw(
      "svg.bar",
      { viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
      draw("rect.whole", { width: 100 * length, height: 8 }),
      draw("rect.given", { width: 100 * length * share.similarity, height: 8 }),
    );
    const numbers = [report.fixed(share.similarity, 3), ...cells].map((text) => make("td.number", null, make("bdi", { dir: "ltr", text })));
    return make("tr", null, name, make("td.bar-cell", null, bar), numbers);
  }
})(ReduceReport);
