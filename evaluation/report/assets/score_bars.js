// Contributions of the signals to a pair's score, as a table of bars.
(function (report) {
  const { make, draw, t } = report;

  /** Contributions of the signals to a pair's score as a table of bars. */
  report.barsOf = function (query, settings, kept, i) {
    const score = report.scoreIn(query.viewOf(settings.weights), kept, i);
    const shares = query.sharesOf(settings.weights, kept, i);
    if (query.profile.learned) return modelBars(query, shares, kept, i, score);
    const widest = Math.max(...shares.map((share) => share.weight), 1e-9);
    const rows = rowsOf(query, shares, (signal, share) =>
      barRow(signal, share, share.weight / widest, [
        `× ${Math.round(1000 * share.weight) / 10} %`,
        `= ${report.fixed(share.contribution, 3)}`,
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
    const logOdds = query.profile.log_odds;
    const explained = logOdds ? addUp(query.profile, shares) : (query.query.explained || {})[`${kept} ${i}`];
    const { moved = {}, background, tests = [] } = explained || {};
    const rows = rowsOf(query, shares, (signal, share) => barRow(signal, share, 1, ["", signed(moved[signal.name])]));
    if (explained) rows.push(numberRow(t("background"), signed(background)));
    if (logOdds) rows.push(numberRow(t("log-odds of the score"), signed(report.sum([background, ...Object.values(moved)]))));
    const caption = logOdds
      ? t("Similarity by content type, and what each adds to the log-odds of the score")
      : t("Similarity by content type, and how far each moved the learned score");
    const plain = (text, { name }) => text.replaceAll(name, name.replaceAll("_", " "));
    const list = tests.map((text) => make("li", { dir: "ltr", text: query.profile.signals.reduce(plain, text) }));
    return make(
      "div",
      null,
      barTable(caption, ["", t("moved")], rows, score),
      list.length ? make("ul.tests", null, list) : null,
    );
  }

  /** What each signal adds to the log-odds of the score (log_odds.py). */
  function addUp({ log_odds: { background, smoothing, neutral }, signals }, shares) {
    const odds = (share) => Math.log((share + smoothing) / (1 - share + smoothing));
    const evidence = (name, value) => (name in neutral ? odds(value) - odds(neutral[name]) : value);
    const added = ({ name, coefficient }, { similarity }) =>
      Number.isNaN(similarity) ? 0 : coefficient * evidence(name, similarity);
    return { background, moved: Object.fromEntries(signals.map((signal, s) => [signal.name, added(signal, shares[s])])) };
  }

  const signed = (moved) => (moved === undefined ? "" : `${moved < 0 ? "−" : "+"}${report.fixed(Math.abs(moved), 3)}`);

  /** A row for each signal that has something to compare, and one for all others. */
  function rowsOf(query, shares, rowOf) {
    const { signals } = query.profile;
    const isMissing = (_, s) => Number.isNaN(shares[s].similarity);
    const rows = signals.map((signal, s) => (isMissing(signal, s) ? null : rowOf(signal, shares[s])));
    const names = signals.filter(isMissing).map((signal) => report.readable(signal.name));
    if (!names.length) return rows;
    const text = t("Left out, as there is nothing to compare: {names}", { names: names.join(t(", ")) });
    return [...rows, make("tr.missing", null, make("td.quiet", { colspan: 5, text }))];
  }

  const numberRow = (text, number) =>
    make(
      "tr",
      null,
      make("th", { scope: "row", text }),
      make("td", { colspan: 3 }),
      make("td.number", null, make("bdi", { dir: "ltr", text: number })),
    );

  function barTable(caption, columns, rows, score) {
    const heads = [t("content type"), t("bar"), t("similarity"), ...columns].map((text) => make("th", { scope: "col", text }));
    const foot = numberRow(t("score"), report.fixed(score, 3));
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
