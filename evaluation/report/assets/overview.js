// Several queries: a section per query, drawn when it is opened, then a table that can be sorted.
(function (report) {
  const { make, t, button } = report;
  const COLUMNS = [
    { key: "name", name: "Query", text: true },
    { key: "before", name: "Pages" },
    { key: "after", name: "Kept" },
    { key: "reduction", name: "Reduction", show: report.percent },
    { key: "information", name: "Information kept", show: report.percent },
    { key: "largest", name: "Largest cluster" },
    { key: "chained", name: "Chained" },
    { key: "failures", name: "Failed" },
  ];

  /** Several queries: each in a section, the first one open; then controls, curves and a table for all. */
  report.overview = function (data, queries, settings, place) {
    const sections = queries.map((query, q) => sectionOf(data, query, settings, q, place));
    const controls = report.controlsPanel(data, settings, queries);
    const element = make(
      "div.overview",
      null,
      make(
        "div.sections",
        null,
        sections.map((section) => section.element),
      ),
      make("h2.all-queries", t("All queries")),
      make("div.whole", null, controls, report.curvePanel(queries, settings, t("All queries over all thresholds"))),
      queryTable(queries, settings, sections),
    );
    sections[place.query < sections.length ? place.query : 0].open();
    return element;
  };

  /** A query that is drawn when it is first opened. */
  function sectionOf(data, query, settings, q, place) {
    const numbers = make("span.quiet");
    const details = make(
      "details.query",
      { ontoggle: fill },
      make("summary", null, make("h2", null, make("span.name", { dir: "auto", text: query.name })), numbers),
    );
    settings.listen(
      (now) => (numbers.textContent = t("{n} of {of} kept", { n: query.at(now).clusters.length, of: query.pages.length })),
    );

    function fill() {
      if (!details.open || details.childElementCount > 1) return;
      place.set({ query: q });
      const controls = report.controlsPanel(data, settings, [query], `${t("Settings")}, ${query.name}`);
      details.append(
        report.querySection(query, settings, controls, place.query === q ? place.tab : 0, (tab) => place.set({ query: q, tab })),
      );
    }

    function open() {
      details.open = true;
      fill();
    }
    details.fill = fill;
    return {
      element: details,
      open,
      reveal() {
        open();
        details.scrollIntoView({ block: "start" });
        details.querySelector("summary").focus({ preventScroll: true });
      },
    };
  }

  /** A table of the queries that can be sorted by any column. */
  function queryTable(queries, settings, sections) {
    const columns = COLUMNS.filter((column) => column.key !== "information" || queries.some((query) => query.query.information));
    const rows = queries.map((query, q) => rowOf(query, columns, () => sections[q].reveal()));
    const [body, total, order] = [make("tbody"), make("tfoot"), { key: "", down: false }];
    const heads = columns.map((column) =>
      make(
        column.text ? "th" : "th.number",
        { scope: "col" },
        button("", t(column.name), () => sortBy(column)),
      ),
    );

    function sortBy(column) {
      order.down = order.key === column.key ? !order.down : !column.text;
      order.key = column.key;
      arrange();
    }

    function arrange() {
      const sorted = [...rows];
      if (order.key) sorted.sort((a, b) => (order.down ? -1 : 1) * compare(a.values[order.key], b.values[order.key]));
      body.replaceChildren(...sorted.map((row) => row.element));
      columns.forEach((column, k) =>
        heads[k].setAttribute("aria-sort", column.key !== order.key ? "none" : order.down ? "descending" : "ascending"),
      );
    }

    settings.listen((now) => {
      for (const row of rows) row.update(now);
      total.replaceChildren(totalOf(rows, columns));
      arrange();
    });
    const head = make("thead", null, make("tr", null, heads, make("th", { scope: "col", text: t("Dropped, by threshold") })));
    return make(
      "div.scroll.index-box",
      { tabindex: 0, role: "region", "aria-label": t("Table of queries") },
      make("table.index", null, head, body, total),
    );
  }

  const compare = (a, b) => (typeof a === "string" ? a.localeCompare(b) : a - b);

  function rowOf(query, columns, reveal) {
    const cells = columns.map((column) =>
      column.text ? make("th", { scope: "row" }, button(".plain", query.name, reveal, { dir: "auto" })) : make("td.number"),
    );
    const spark = make("td");
    const row = { values: {}, element: make("tr", null, cells, spark) };
    let [drawn, mark] = [null, null];
    row.update = function (now) {
      row.values = valuesOf(query, now);
      columns.forEach((column, k) => {
        if (!column.text) cells[k].textContent = (column.show || String)(row.values[column.key]);
      });
      const key = JSON.stringify([now.weights, now.keep]);
      if (key !== drawn) mark = sparkIn(spark, query, now);
      drawn = key;
      mark(now.threshold);
    };
    return row;
  }

  function sparkIn(cell, query, now) {
    const curves = query.curvesAt(now);
    const spark = report.sparkline(curves.xs, curves.reduction, t("Share of results dropped, by threshold"));
    cell.replaceChildren(spark.svg);
    return spark.mark;
  }

  function valuesOf(query, now) {
    const state = query.at(now);
    const [before, after] = [query.pages.length, state.clusters.length];
    return {
      name: query.name,
      before,
      after,
      reduction: before ? 1 - after / before : 0,
      information: query.informationAt(state),
      largest: Math.max(0, ...state.clusters.map((cluster) => cluster.members.length)),
      chained: state.clusters.filter((cluster) => cluster.chained).length,
      failures: query.query.failures.length,
    };
  }

  function totalOf(rows, columns) {
    const sum = (key) => report.sum(rows.map((row) => row.values[key]));
    const [before, after] = [sum("before"), sum("after")];
    const known = rows.map((row) => row.values).filter((values) => values.information !== null);
    const pages = report.sum(known.map((values) => values.before));
    const whole = {
      name: t("All queries"),
      before,
      after,
      reduction: before ? 1 - after / before : 0,
      information: pages ? report.sum(known.map((values) => values.before * values.information)) / pages : null,
      largest: Math.max(...rows.map((row) => row.values.largest)),
      chained: sum("chained"),
      failures: sum("failures"),
    };
    return make(
      "tr",
      null,
      columns.map((column) => make(column.text ? "th" : "td.number", { text: (column.show || String)(whole[column.key]) })),
      make("td"),
    );
  }
})(ReduceReport);
