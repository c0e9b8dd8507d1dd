// The component's door.
(function (report) {
  const { make } = report;
  const THEMES = ["auto", "light", "dark"];

  /**
   * Draw a report into an element; what was in it goes.
   *   data     what evaluation.report.report_data gives
   *   options  wholePage: the report is the page itself, so its heading is the page's h1
   *            theme: "auto" (the default), "light" or "dark"
   * Gives {settings, queries, element}: `settings.set({threshold})` moves it from outside.
   */
  report.mount = function (element, data, options = {}) {
    if (data.format !== "reducepp-report" || data.version !== 1) {
      throw new Error("not the data of a report that this page can draw");
    }
    const settings = report.makeSettings(data);
    const queries = data.queries.map((query) => report.openQuery(query, data.profile));
    const root = make("div", { class: "reduce-report", "data-theme": options.theme || "auto" });
    const controls = report.controlsPanel(data, settings, queries);
    const single = queries.length === 1;
    root.append(
      headOf(data, queries, root, settings, options),
      make(
        options.wholePage ? "main" : "div",
        {},
        single
          ? report.querySection(queries[0], settings, controls)
          : report.overview(data, queries, settings, controls),
      ),
      report.aboutPanel(data),
    );
    element.replaceChildren(root);
    return { settings, queries, element: root };
  };

  function headOf(data, queries, root, settings, options) {
    const single = queries.length === 1;
    const name = data.title || (single ? queries[0].name : report.count(
      queries.length,
      "query",
      "queries",
    ));
    const pages = queries.reduce((sum, query) => sum + query.pages.length, 0);
    const facts = make("p", { class: "quiet" });
    settings.listen((now) => {
      const changed = now.weights.some((weight, s) => weight !== settings.start.weights[s]);
      facts.textContent = [
        report.count(pages, "page"),
        `profile ${data.profile.name}${changed ? " with other weights" : ""}`,
        `threshold\u00a0${now.threshold}`,
      ].join(" · ");
    });
    return make(
      "header",
      { class: "head" },
      make(
        "div",
        {},
        make("p", { class: "brand", text: "REDUCE++ report" }),
        make(options.wholePage ? "h1" : "h2", { class: "name", dir: "auto", text: name }),
        facts,
      ),
      themeButton(root),
    );
  }

  function themeButton(root) {
    const button = make("button", { type: "button", class: "theme" });
    const tell = () => (button.textContent = `Theme: ${root.dataset.theme}`);
    button.addEventListener("click", () => {
      root.dataset.theme = THEMES[(THEMES.indexOf(root.dataset.theme) + 1) % THEMES.length];
      tell();
    });
    tell();
    return button;
  }
})(ReduceReport);
