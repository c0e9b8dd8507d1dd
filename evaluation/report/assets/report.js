// One query's view with its tabs, the end of the report, and the component's door.
(function (report) {
  const { make, t, button } = report;

  /** The whole view of a query: the answer, then results beside the controls. */
  report.querySection = function (query, settings, controls, start = 0, ontab = () => {}) {
    const results = report.resultsPanel(query, settings);
    const show = (i) => {
      tabs.choose(0);
      results.show(i);
    };
    const tabs = tabsOf(
      [
        { name: t("Results"), panel: results },
        { name: t("Dropped pages"), panel: report.droppedPanel(query, settings, show) },
        { name: t("Graph"), panel: report.graphPanel(query, settings, show) },
        { name: t("Curves"), panel: report.curvesPanel(query, settings) },
      ],
      settings,
      { start, ontab },
    );
    const side = make("div.side", null, controls, report.curvePanel([query], settings, t("Over all thresholds")));
    const main = make("div.main", null, tabs.element, failuresOf(query.query.failures));
    return make("div.query-view", null, report.answerPanel(query, settings, show), make("div.columns", null, side, main));
  };

  /** Tabs that redraw only what is seen; arrow keys move between them. */
  function tabsOf(entries, settings, { start, ontab }) {
    let chosen = 0;
    const stale = entries.map(() => true);
    const id = report.newId("tabs");
    const panels = entries.map(({ name, panel }, k) =>
      make(
        "div.tab-panel",
        { role: "tabpanel", id: `${id}-${k}`, "aria-labelledby": `${id}-tab-${k}` },
        make("h2.unseen", name),
        panel.element,
      ),
    );
    const buttons = entries.map(({ name }, k) =>
      button("", name, () => choose(k), {
        role: "tab",
        id: `${id}-tab-${k}`,
        "aria-controls": `${id}-${k}`,
        onkeydown: (event) => move(event, k),
      }),
    );

    function move(event, k) {
      const last = entries.length - 1;
      const next = { ArrowRight: k < last ? k + 1 : 0, ArrowLeft: k > 0 ? k - 1 : last, Home: 0, End: last }[event.key];
      if (next === undefined) return;
      event.preventDefault();
      choose(next);
      buttons[next].focus();
    }

    function choose(k) {
      chosen = k;
      buttons.forEach((one, b) => {
        one.setAttribute("aria-selected", b === k);
        one.setAttribute("tabindex", b === k ? 0 : -1);
        panels[b].classList.toggle("away", b !== k);
      });
      refresh();
      ontab(k);
    }

    function refresh() {
      if (stale[chosen]) entries[chosen].panel.update(settings.get());
      stale[chosen] = false;
    }

    choose(start < entries.length ? start : 0);
    settings.listen(() => {
      stale.fill(true);
      refresh();
    });
    return {
      element: make("div.tabs", null, make("div.tab-list", { role: "tablist", "aria-label": t("Views") }, buttons), panels),
      choose,
    };
  }

  const headCells = (names) =>
    make(
      "thead",
      null,
      make(
        "tr",
        null,
        names.map((text) => make("th", { scope: "col", text })),
      ),
    );

  function failuresOf(failures) {
    if (!failures.length) return null;
    const rows = failures.map((failure) =>
      make(
        "tr",
        null,
        make("td", { dir: "auto", text: failure.url }),
        make("td", failure.stage),
        make("td", { dir: "auto", text: failure.reason }),
      ),
    );
    return make(
      "details.failures.panel",
      { open: failures.length < 6 },
      make("summary", t("{n} pages could not be used", { n: failures.length })),
      make("div.scroll", null, make("table", null, headCells([t("Page"), t("Stage"), t("Reason")]), make("tbody", null, rows))),
    );
  }

  const facts = (pairs) =>
    make(
      "dl.facts",
      null,
      pairs.map(([name, value]) => make("div", null, make("dt", name), make("dd", String(value)))),
    );

  /** The end of the report: how to read it, the profile, versions. */
  function aboutPanel(data) {
    const { profile } = data;
    const exact = Object.values(data.queries[0].signals || {}).every((packed) => packed.type === "f8");
    const rows = profile.signals.map((signal) => {
      const options = Object.entries(signal.options)
        .map(([key, value]) => `${key} ${value}`)
        .join(", ");
      return make(
        "tr",
        null,
        make("th", { scope: "row", text: report.readable(signal.name) }),
        make("td", report.readable(signal.content)),
        make("td", { text: signal.measure }, options ? make("span.quiet", ` (${options})`) : null),
        make("td.number", profile.learned ? "–" : String(signal.weight)),
      );
    });
    const left = make(
      "div",
      null,
      make("h3", t("Profile {name}", { name: profile.name })),
      make("p", profile.description),
      make(
        "div.scroll",
        null,
        make("table", null, headCells([t("Signal"), t("Content"), t("Measure"), t("Weight")]), make("tbody", null, rows)),
      ),
      facts([
        [t("threshold"), report.written(profile.threshold)],
        [t("text"), profile.prepare],
        [t("content that one page lacks"), profile.missing === "zero" ? t("counts as 0") : t("left out")],
        [t("linkage"), profile.linkage],
      ]),
      profile.provenance ? make("p.quiet.provenance", profile.provenance) : null,
    );
    const right = make(
      "div",
      null,
      make("h3", t("How to read it")),
      make(
        "p",
        t(
          "Two pages are linked where their score is at or above the threshold. Linked pages form a cluster, and one page of each cluster is kept. Every other page is listed below the kept one.",
        ),
      ),
      make(
        "p",
        t(
          "Information is what all pages say: a sentence weighs by its words, and more the fewer pages have it. The kept pages have a share of it; the shares lost with the dropped pages are the rest.",
        ),
      ),
      make(
        "p",
        t("The tree of all merges is in this file, so the slider gives exactly what the program gives at that threshold."),
      ),
      exact
        ? null
        : make(
            "p",
            t(
              "To keep the file small, similarities are carried in steps of 1/65534: under changed weights a pair that close to the threshold may fall on its other side.",
            ),
          ),
      make("h3", t("Made with")),
      facts(Object.entries(data.versions)),
    );
    return make("footer.panel.about", null, make("h2", t("About this report")), make("div.about-columns", null, left, right));
  }

  /**
   * Draw a report into an element; what was in it goes.
   *   data     the result of reducepp.evaluation.report.report_data
   *   options  wholePage: the report is the page itself: its heading is the page's h1, its state is in the address
   *            theme: "auto" (the default), "light" or "dark"; language: "en", "fr", "ar"
   * Returns {settings, queries, element}: `settings.set({threshold})` moves it from outside.
   */
  report.mount = function (element, data, options = {}) {
    if (data.format !== "reducepp-report" || data.version !== 1)
      throw new Error("not the data of a report that this page can draw");
    const given = report.readFragment(options.wholePage ? location.hash : "", data);
    report.language = report.knownLanguage([options.language || given.language, ...navigator.languages].filter(Boolean));
    const settings = report.makeSettings(data, given.settings);
    const queries = data.queries.map((query) => report.openQuery(query, data.profile));
    const root = make("div.reduce-report", {
      "data-theme": options.theme || given.theme || "auto",
      lang: report.language,
      dir: report.isRightToLeft(report.language) ? "rtl" : "ltr",
    });
    const place = placeOf(given, settings, root, options);
    const single = queries.length === 1;
    const mountIn = (language) => {
      place.set({ language });
      report.mount(element, data, { ...options, language, theme: root.dataset.theme });
    };
    const again = { ...options, ontheme: place.write, flush: place.flush, onlanguage: options.onlanguage || mountIn };
    root.append(
      headOf(data, queries, root, settings, again),
      make(
        options.wholePage ? "main" : "div",
        null,
        single
          ? report.querySection(queries[0], settings, report.controlsPanel(data, settings, queries), place.tab, (tab) =>
              place.set({ tab }),
            )
          : report.overview(data, queries, settings, place),
      ),
      aboutPanel(data),
    );
    element.replaceChildren(root);
    settings.listen(place.write);
    return { settings, queries, element: root };
  };

  /** Where the reader is: open query, tab, language; with the settings it is the fragment of the page's address. */
  function placeOf({ query, tab, language }, settings, root, options) {
    const place = { query, tab, language: options.language || language };
    let waiting = 0;
    place.flush = () => {
      clearTimeout(waiting);
      if (!options.wholePage || !root.isConnected) return;
      const theme = root.dataset.theme === "auto" ? "" : root.dataset.theme;
      const more = { query: place.query, tab: place.tab, language: place.language, theme };
      const fragment = report.writeFragment(settings.get(), settings.start, more);
      history.replaceState(null, "", fragment || location.pathname + location.search);
    };
    /** Browsers limit how often an address may change, so a moving slider writes it once it rests. */
    place.write = () => {
      clearTimeout(waiting);
      waiting = setTimeout(place.flush, 150);
    };
    place.set = (change) => {
      Object.assign(place, change);
      place.write();
    };
    return place;
  }

  function headOf(data, queries, root, settings, options) {
    const single = queries.length === 1;
    const name = data.title || (single ? queries[0].name : t("{n} queries", { n: queries.length }));
    const line = make("p.quiet");
    settings.listen((now) => {
      const changed = now.weights.some((weight, s) => weight !== settings.start.weights[s]);
      line.textContent = [
        single ? "" : t("{n} results", { n: report.sum(queries.map((query) => query.pages.length)) }),
        single ? "" : t("{n} worth reading", { n: report.sum(queries.map((query) => query.worthReading(query.at(now)).length)) }),
        changed
          ? t("profile {name} with other weights", { name: data.profile.name })
          : t("profile {name}", { name: data.profile.name }),
        `${t("threshold")}\u00a0${report.written(now.threshold)}`,
      ]
        .filter(Boolean)
        .join(" · ");
    });
    return make(
      "header.head",
      null,
      make(
        "div",
        null,
        make("p.brand", t("REDUCE++ report")),
        make(`${options.wholePage ? "h1" : "h2"}.name`, null, make("bdi", name)),
        line,
      ),
      report.toolsOf(root, settings, queries, options),
    );
  }
})(ReduceReport);
