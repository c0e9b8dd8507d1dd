// The sliders: threshold, keeper, weights; and what the reader can take away: command, profile, link, CSV.
(function (report) {
  const { make, draw, t, button } = report;
  const MAX_QUERIES_IN_RUG = 5;

  /** The controls of a mount; `queries` give the marks under the slider and the count. */
  report.controlsPanel = function (data, settings, queries, label = t("Settings")) {
    const isWide = !window.matchMedia("(max-width: 960px)").matches;
    return make(
      "section.controls",
      { "aria-label": label },
      make("div.panel.threshold-panel", null, thresholdLine(settings, queries), sliderBox(settings, queries)),
      make(
        "details.panel.more-panel",
        { open: isWide },
        make("summary", t("More settings")),
        keeperRow(settings),
        weightsRow(data, settings),
        takeAwayBox(data.profile, settings),
        button(".reset", t("Reset all"), () => settings.set(settings.start)),
      ),
    );
  };

  /** The weights, or why there are none to move. */
  function weightsRow(data, settings) {
    const large = "Large set: the report has the strongest pairs, from a score of {floor} on, without other weights and lost sentences.";
    if (data.queries.some((query) => query.links)) return make("p.row.quiet", t(large, { floor: settings.floor }));
    if (!data.profile.learned) return weightsBox(data.profile, settings);
    return make("p.row.quiet", t("The scores come from a learned model, so there are no weights to move."));
  }

  function thresholdLine(settings, queries) {
    const id = report.newId("threshold");
    const number = make("input.threshold-number", {
      type: "number",
      id,
      min: settings.floor,
      max: 1,
      step: "any",
      onchange: () => number.value !== "" && settings.set({ threshold: Math.min(1, Math.max(0, Number(number.value))) }),
    });
    const step = (text, label, direction) =>
      button(".step", text, () => settings.set({ threshold: nextMerge(queries, settings.get(), direction) }), {
        "aria-label": label,
        title: label,
      });
    settings.listen((now) => {
      if (Number(number.value) !== now.threshold || number.value === "") number.value = now.threshold;
    });
    return make(
      "div.label-line",
      null,
      make("label", { for: id, text: t("Threshold") }),
      step("−", t("Fewer results: down to the next merge"), -1),
      step("+", t("More results: up over the next merge"), 1),
      number,
    );
  }

  function sliderBox(settings, queries) {
    const slider = make("input.threshold", {
      type: "range",
      "aria-label": t("Threshold"),
      min: settings.floor,
      max: 1,
      step: 0.01,
      oninput: () => settings.set({ threshold: Number(slider.value) }),
    });
    const rug = draw("svg.rug", { viewBox: "0 0 1000 10", preserveAspectRatio: "none", "aria-hidden": "true" });
    const count = make("output.shown", { dir: "auto" });
    const before = report.sum(queries.map((query) => query.pages.length));
    let drawn = null;
    settings.listen((now) => {
      if (Number(slider.value) !== now.threshold) slider.value = now.threshold;
      count.textContent = t("{n} of {of} kept", {
        n: report.sum(queries.map((query) => query.at(now).clusters.length)),
        of: before,
      });
      slider.setAttribute("aria-valuetext", `${report.written(now.threshold)}, ${count.textContent}`);
      if (now.weights.join() !== drawn) drawRug(rug, queries, now, settings.floor);
      drawn = now.weights.join();
    });
    const help = make("p.quiet.help", t("Two pages are merged when their score is at or above the threshold."));
    return make(
      "div.slider-box",
      null,
      make(
        "div",
        { dir: "ltr" },
        slider,
        rug,
        make("div.ends.quiet", null, make("span", t("← fewer results")), count, make("span", t("more results →"))),
      ),
      help,
    );
  }

  /** Where pages merge: a tick for each score of the tree. */
  function drawRug(rug, queries, now, floor) {
    const x = (score) => (1000 * (score - floor)) / (1 - floor);
    const scores = new Set(queries.slice(0, MAX_QUERIES_IN_RUG).flatMap((query) => query.viewOf(now.weights).tree.scores));
    rug.replaceChildren(...[...scores].map((score) => draw("line", { x1: x(score), x2: x(score), y1: 0, y2: 10 })));
  }

  /** The next threshold at which the number of results changes; the current one at an end. */
  function nextMerge(queries, now, direction) {
    const countAt = (threshold) => report.sum(queries.map((query) => query.at({ ...now, threshold }).clusters.length));
    const scores = [...new Set(queries.flatMap((query) => [...query.turnsOf(now)])), 1];
    const ahead = scores.filter((score) => direction * (score - now.threshold) > 0).sort((a, b) => direction * (a - b));
    const before = countAt(now.threshold);
    return ahead.find((threshold) => countAt(threshold) !== before) ?? now.threshold;
  }

  function keeperRow(settings) {
    const id = report.newId("keep");
    const options = Object.entries(report.KEEPERS).map(([value, { label }]) => make("option", { value, text: t(label) }));
    const select = make("select.keep", { id, onchange: () => settings.set({ keep: select.value }) }, options);
    settings.listen((now) => (select.value = now.keep));
    return make("div.row.keep-row", null, make("label", { for: id, text: t("Of a cluster, keep") }), select);
  }

  function weightsBox(profile, settings) {
    return make(
      "details.row.weights",
      null,
      make("summary", t("Weights")),
      make("p.quiet", t("Share of each content type in the score. Scores and clusters are computed anew in this page.")),
      profile.signals.map((signal, s) => weightRow(signal, s, settings)),
      make(
        "div.buttons",
        null,
        button("", t("The profile’s weights"), () => settings.set({ weights: settings.start.weights })),
      ),
    );
  }

  function weightRow(signal, s, settings) {
    const id = report.newId("weight");
    const slider = make("input.weight", {
      type: "range",
      id,
      "data-signal": signal.name,
      min: 0,
      max: 1,
      step: "any",
      oninput: () =>
        settings.set({ weights: settings.get().weights.map((weight, k) => (k === s ? Number(slider.value) : weight)) }),
      onkeydown: (event) => stepBy(event, slider),
    });
    const share = make("output.number", { for: id });
    settings.listen((now) => {
      const whole = report.sum(now.weights);
      if (Number(slider.value) !== now.weights[s]) slider.value = now.weights[s];
      share.textContent = whole ? `${report.fixed((100 * now.weights[s]) / whole, 1)} %` : "–";
      slider.setAttribute("aria-valuetext", share.textContent);
    });
    return make("div.weight-row", null, make("label", { for: id, text: report.readable(signal.name) }), slider, share);
  }

  /** A slider of any value moves by hundredths under the arrow keys. */
  function stepBy(event, slider) {
    const step = { ArrowRight: 0.01, ArrowUp: 0.01, ArrowLeft: -0.01, ArrowDown: -0.01 }[event.key];
    if (!step) return;
    event.preventDefault();
    slider.value = Math.round(1000 * Math.min(1, Math.max(0, Number(slider.value) + step))) / 1000;
    slider.dispatchEvent(new Event("input"));
  }

  function takeAwayBox(profile, settings) {
    const command = make("pre.command.wraps", { tabindex: 0, dir: "ltr" });
    const text = make("pre.command", { tabindex: 0, dir: "ltr" });
    settings.listen((now) => {
      const found = report.describeSettings(now, profile);
      command.replaceChildren(...found.command.split(/ (?=--)/).flatMap((part) => [make("span", part), " "]));
      text.textContent = found.profile && `# my-profile.toml\n${found.profile}`;
      text.hidden = !found.profile;
    });
    return make("details.row.use", null, make("summary", t("Use these settings")), command, text);
  }

  /** Buttons in the head: language, theme, a link to this state, CSV. */
  report.toolsOf = function (root, settings, queries, options) {
    const csv = button(
      ".csv",
      t("CSV"),
      () => report.download("results.csv", "text/csv", report.csv(report.tableOf(queries, settings.get()))),
      { title: t("What is seen, as a table") },
    );
    return make(
      "div.tools",
      null,
      options.wholePage ? copyButton(options) : null,
      csv,
      languageBox(options),
      themeButton(root, options),
    );
  };

  function copyButton(options) {
    const copy = button(
      ".copy",
      t("Copy link"),
      async () => {
        options.flush();
        try {
          await navigator.clipboard.writeText(location.href);
          copy.textContent = t("Copied");
        } catch {
          copy.replaceWith(make("input.link", { readonly: true, value: location.href, "aria-label": t("Copy link") }));
        }
      },
      { title: t("A link that opens the report with these settings") },
    );
    return copy;
  }

  function languageBox(options) {
    const names = Object.entries(report.languages());
    if (names.length < 2) return null;
    const select = make(
      "select.language",
      { "aria-label": t("Language of the interface"), onchange: () => options.onlanguage(select.value) },
      names.map(([value, text]) => make("option", { value, text, lang: value })),
    );
    select.value = report.language;
    return select;
  }

  const THEMES = { auto: "Theme: auto", light: "Theme: light", dark: "Theme: dark" };

  function themeButton(root, options) {
    const themes = Object.keys(THEMES);
    const theme = button(".theme", t(THEMES[root.dataset.theme]), () => {
      root.dataset.theme = themes[(themes.indexOf(root.dataset.theme) + 1) % themes.length];
      theme.textContent = t(THEMES[root.dataset.theme]);
      if (options.ontheme) options.ontheme();
    });
    return theme;
  }
})(ReduceReport);
