// Many queries: a table that can be sorted, then a section a query, drawn when it is opened.
(function (report) {
  const { make } = report;
  const COLUMNS = [
    { key: "name", name: "Query", text: true },
    { key: "before", name: "Pages" },
    { key: "after", name: "Shown" },
    { key: "reduction", name: "Fewer", show: report.percent },
    { key: "information", name: "Information kept", show: report.percent },
    { key: "largest", name: "Largest group" },
    { key: "chained", name: "Chained" },
    { key: "failures", name: "Failed" },
  ];

  report.overview = function (data, queries, settings, controls) {
    const rows = queries.map((query) => rowOf(data, query, settings));
    const body = make("tbody");
    const order = { key: "", down: false };
    const columns = COLUMNS.filter((column) =>
      column.key !== "information" || queries.some((query) => query.query.information));
    const heads = columns.map((column) => headOf(column, () => sortBy(column)));
    const total = make("tfoot");

    function sortBy(column) {
      order.down = order.key === column.key ? !order.down : !column.text;
      order.key = column.key;
      arrange();
    }

    function arrange() {
      const sorted = [...rows];
      if (order.key) sorted.sort((a, b) => (order.down ? -1 : 1) * compare(
        a.values[order.key],
        b.values[order.key],
      ));
      body.replaceChildren(...sorted.map((row) => row.element));
      columns.forEach((column, k) => {
        const state = column.key !== order.key ? "none" : order.down ? "descending" : "ascending";
        heads[k].setAttribute("aria-sort", state);
      });
    }

    settings.listen((now) => {
      for (const row of rows) row.update(now, columns);
      total.replaceChildren(totalOf(rows, columns));
      arrange();
    });
    const head = make(
      "thead",
      {},
      make("tr", {}, heads, make("th", { scope: "col", text: "Removed, by threshold" })),
    );
    return make(
      "div",
      { class: "overview" },
      make("div", { class: "whole" }, controls, report.wholeCurves(queries, settings)),
      make(
        "div",
        { class: "scroll index-box", tabindex: 0, role: "region", "aria-label": "Table of queries" },
        make("table", { class: "index" }, head, body, total),
      ),
      make("div", { class: "sections" }, rows.map((row) => row.section)),
    );
  };

  const compare = (a, b) => (typeof a === "string" ? a.localeCompare(b) : a - b);

  function headOf(column, onclick) {
    const button = make("button", { type: "button", onclick, text: column.name });
    return make("th", { scope: "col", class: column.text ? null : "number" }, button);
  }

  function rowOf(data, query, settings) {
    const section = sectionOf(data, query, settings);
    const cells = new Map(COLUMNS.map((column) => [
      column.key,
      make(column.text ? "th" : "td", column.text ? { scope: "row" } : { class: "number" }),
    ]));
    const spark = make("td");
    const link = make(
      "button",
      {
        type: "button",
        class: "plain",
        dir: "auto",
        text: query.name,
        onclick: () => section.reveal(),
      },
    );
    cells.get("name").append(link);
    const row = { values: {}, section: section.element, element: null };
    let drawn = null;
    let mark = null;

    row.update = function (now, columns) {
      row.values = valuesOf(query, now);
      for (const column of columns) {
        if (column.text) continue;
        const value = row.values[column.key];
        cells.get(column.key).textContent = column.show ? column.show(value) : value;
      }
      section.tell(row.values);
      const key = JSON.stringify([now.weights, now.keep]);
      if (key !== drawn) mark = sparkIn(spark, query, now);
      drawn = key;
      mark(now.threshold);
      row.element = row.element || make(
        "tr",
        {},
        columns.map((column) => cells.get(column.key)),
        spark,
      );
    };
    return row;
  }

  function sparkIn(cell, query, now) {
    const view = query.viewOf(now.weights);
    const n = query.pages.length || 1;
    const xs = Array.from({ length: 51 }, (_, i) => i / 50);
    const ys = xs.map((t) => 1 - report.cut(view, t, now.keep).clusters.length / n);
    const spark = report.sparkline(xs, ys, "Share of results removed, by threshold");
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
    const sum = (key) => rows.reduce((total, row) => total + row.values[key], 0);
    const [before, after] = [sum("before"), sum("after")];
    const whole = {
      name: "All queries", before, after,
      reduction: before ? 1 - after / before : 0,
      information: meanOf(rows),
      largest: Math.max(...rows.map((row) => row.values.largest)),
      chained: sum("chained"),
      failures: sum("failures"),
    };
    const cells = columns.map((column) => {
      const text = column.show ? column.show(whole[column.key]) : whole[column.key];
      return make(column.text ? "th" : "td", { class: column.text ? null : "number", text });
    });
    return make("tr", {}, cells, make("td"));
  }

  /** Information kept over all queries that have texts, by their pages; as the curve has it. */
  function meanOf(rows) {
    const known = rows.map((row) => row.values).filter((values) => values.information !== null);
    const pages = known.reduce((sum, values) => sum + values.before, 0);
    if (!pages) return null;
    return known.reduce((sum, values) => sum + values.before * values.information, 0) / pages;
  }

  /** A query that is drawn when it is first opened. */
  function sectionOf(data, query, settings) {
    const name = make("span", { class: "name", dir: "auto", text: query.name });
    const numbers = make("span", { class: "quiet" });
    const details = make(
      "details",
      { class: "query", ontoggle: fillIn },
      make("summary", {}, make("h2", {}, name), numbers),
    );

    function fillIn() {
      if (!details.open || details.childElementCount > 1) return;
      const controls = report.controlsPanel(data, settings, [query]);
      details.append(report.querySection(query, settings, controls));
    }

    return {
      element: details,
      tell: ({ before, after }) => (numbers.textContent = `${after} of ${before} shown`),
      reveal() {
        details.open = true;
        fillIn();
        details.scrollIntoView({ block: "start" });
        details.querySelector("summary").focus({ preventScroll: true });
      },
    };
  }
})(ReduceReport);
