// One query: what is left of it in numbers, the tabs of the list, the graph and the losses, curves.
(function (report) {
  const { make } = report;

  /** The whole view of a query; `controls` stand beside it. */
  report.querySection = function (query, settings, controls) {
    const results = report.resultsPanel(query, settings);
    const show = (i) => {
      tabs.choose(0);
      results.show(i);
    };
    const tabs = tabsOf(
      [
        { name: "Results", panel: results },
        { name: "Folded pages", panel: report.foldedPanel(query, settings, show) },
        { name: "Graph", panel: report.graphPanel(query, settings, show) },
        { name: "Curves", panel: report.curvesPanel(query, settings) },
      ],
      settings,
    );
    return make(
      "div",
      { class: "query-view" },
      statsOf(query, settings),
      make(
        "div",
        { class: "columns" },
        make("div", { class: "side" }, controls, report.sideCurve(query, settings)),
        make("div", { class: "main" }, tabs.element),
      ),
      failuresOf(query.query.failures),
    );
  };

  function statsOf(query, settings) {
    const cells = [
      "results shown",
      "fewer results",
      "information kept",
      "largest group",
    ].map((name) => {
      const value = make("dd");
      return { value, element: make("div", { class: "stat" }, make("dt", { text: name }), value) };
    });
    settings.listen((now) => {
      const state = query.at(now);
      const [before, after] = [query.pages.length, state.clusters.length];
      const largest = Math.max(0, ...state.clusters.map((cluster) => cluster.members.length));
      cells[0].value.replaceChildren(String(after), make("small", { text: ` of ${before}` }));
      cells[1].value.textContent = report.percent(before ? 1 - after / before : 0);
      cells[2].value.textContent = report.percent(query.informationAt(state));
      cells[2].element.hidden = !query.query.information;
      cells[3].value.replaceChildren(
        String(largest),
        make("small", { text: largest === 1 ? " page" : " pages" }),
      );
    });
    return make("dl", { class: "stats" }, cells.map((cell) => cell.element));
  }

  let made = 0;

  /** Tabs that redraw only what is seen; arrow keys move between them. */
  function tabsOf(entries, settings) {
    let chosen = 0;
    const stale = entries.map(() => true);
    const name = `rr-tabs-${++made}`;
    const panels = entries.map(({ panel }, k) => make(
      "div",
      {
        class: "tab-panel",
        role: "tabpanel",
        id: `${name}-${k}`,
        "aria-labelledby": `${name}-tab-${k}`,
      },
      make("h2", { class: "unseen", text: entries[k].name }),
      panel.element,
    ));
    const buttons = entries.map((entry, k) =>
      make(
        "button",
        {
          type: "button",
          role: "tab",
          id: `${name}-tab-${k}`,
          "aria-controls": `${name}-${k}`,
          text: entry.name,
          onclick: () => choose(k),
          onkeydown: (event) => walk(event, k),
        },
      ),
    );

    function walk(event, k) {
      const last = entries.length - 1;
      const next = { ArrowRight: k < last ? k + 1 : 0, ArrowLeft: k > 0 ? k - 1 : last, Home: 0, End: last }[event.key];
      if (next === undefined) return;
      event.preventDefault();
      choose(next);
      buttons[next].focus();
    }

    function choose(k) {
      chosen = k;
      buttons.forEach((button, b) => {
        button.setAttribute("aria-selected", b === k);
        button.setAttribute("tabindex", b === k ? 0 : -1);
        panels[b].classList.toggle("away", b !== k);
      });
      refresh();
    }

    function refresh() {
      if (stale[chosen]) entries[chosen].panel.update(settings.get());
      stale[chosen] = false;
    }

    choose(0);
    settings.listen(() => {
      stale.fill(true);
      refresh();
    });
    const element = make(
      "div",
      { class: "tabs" },
      make("div", { class: "tab-list", role: "tablist", "aria-label": "Views" }, buttons),
      panels,
    );
    return { element, choose };
  }

  function failuresOf(failures) {
    if (!failures.length) return null;
    const rows = failures.map((failure) => make(
      "tr",
      {},
      make("td", { dir: "auto", text: failure.url }),
      make("td", { text: failure.stage }),
      make("td", { dir: "auto", text: failure.reason }),
    ));
    const head = ["Page", "Stage", "Reason"].map((text) => make("th", { scope: "col", text }));
    return make(
      "details",
      { class: "failures panel", open: failures.length < 6 },
      make("summary", { text: `${report.count(failures.length, "page")} could not be used` }),
      make(
        "div",
        { class: "scroll" },
        make("table", {}, make("thead", {}, make("tr", {}, head)), make("tbody", {}, rows)),
      ),
    );
  }
})(ReduceReport);
