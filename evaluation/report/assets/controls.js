// The sliders: threshold, keeper, weights; and the settings as a command to run.
(function (report) {
  const { make, draw } = report;
  let made = 0;
  const fresh = (name) => `rr-${name}-${++made}`;

  /** The controls of a mount; `queries` give the marks under the slider and the count shown. */
  report.controlsPanel = function (data, settings, queries) {
    return make(
      "section",
      { class: "controls", "aria-label": made ? `Settings, ${queries[0].name}` : "Settings" },
      make(
        "div",
        { class: "panel threshold-panel" },
        thresholdLine(settings, queries),
        sliderBox(settings, queries),
      ),
      make(
        "details",
        { class: "panel more-panel", open: !window.matchMedia("(max-width: 960px)").matches },
        make("summary", { text: "More settings" }),
        keeperRow(settings),
        data.profile.learned ? learnedNote() : weightsFold(data.profile, settings),
        commandFold(data.profile, settings),
        make(
          "button",
          {
            type: "button",
            class: "reset",
            text: "Reset all",
            onclick: () => settings.set(settings.start),
          },
        ),
      ),
    );
  };

  function thresholdLine(settings, queries) {
    const id = fresh("threshold");
    const number = make("input", {
      type: "number", id, class: "threshold-number", min: 0, max: 1, step: "any",
      onchange: () => number.value !== "" && settings.set({ threshold: Math.min(
        1,
        Math.max(0, Number(number.value)),
      ) }),
    });
    const step = (text, label, direction) =>
      make(
        "button",
        {
          type: "button",
          class: "step",
          "aria-label": label,
          title: label,
          text,
          onclick: () => settings.set({ threshold: nextMerge(queries, settings.get(), direction) }),
        },
      );
    settings.listen((now) => {
      if (Number(number.value) !== now.threshold || number.value === "") number.value = now.threshold;
    });
    return make(
      "div",
      { class: "label-line" },
      make("label", { for: id, text: "Threshold" }),
      step("−", "Fewer results: down to the next merge", -1),
      step("+", "More results: up over the next merge", 1),
      number,
    );
  }

  function sliderBox(settings, queries) {
    const slider = make(
      "input",
      {
        type: "range",
        class: "threshold",
        "aria-label": "Threshold",
        min: 0,
        max: 1,
        step: 0.01,
        oninput: () => settings.set({ threshold: Number(slider.value) }),
      },
    );
    const rug = draw(
      "svg",
      { class: "rug", viewBox: "0 0 1000 10", preserveAspectRatio: "none", "aria-hidden": "true" },
    );
    const shown = make("output", { class: "shown" });
    const before = queries.reduce((sum, query) => sum + query.pages.length, 0);
    let drawn = null;
    settings.listen((now) => {
      if (Number(slider.value) !== now.threshold) slider.value = now.threshold;
      const after = queries.reduce((sum, query) => sum + query.at(now).clusters.length, 0);
      shown.textContent = `${after} of ${before} shown`;
      slider.setAttribute("aria-valuetext", `${now.threshold}, ${shown.textContent}`);
      const key = now.weights.join();
      if (key !== drawn) drawRug(rug, queries, now);
      drawn = key;
    });
    const ends = make(
      "div",
      { class: "ends quiet" },
      make("span", { text: "← fewer results" }),
      shown,
      make("span", { text: "more results →" }),
    );
    return make("div", { class: "slider-box" }, slider, rug, ends);
  }

  /** Where pages merge: a tick a step of the tree. */
  function drawRug(rug, queries, now) {
    const scores = new Set(queries.slice(0, 5).flatMap((query) =>
      query.viewOf(now.weights).tree.scores));
    rug.replaceChildren(...[...scores].map((score) => draw(
      "line",
      { x1: 1000 * score, x2: 1000 * score, y1: 0, y2: 10 },
    )));
  }

  /** The next threshold at which the number of results changes; the current one at an end. */
  function nextMerge(queries, now, direction) {
    const countAt = (threshold) =>
      queries.reduce((sum, query) => sum + query.at({ ...now, threshold }).clusters.length, 0);
    const scores = [...new Set(queries.flatMap((query) => [...query.turnsOf(now)])), 1];
    const ahead = scores.filter((score) => direction * (score - now.threshold) > 0);
    ahead.sort((a, b) => direction * (a - b));
    const before = countAt(now.threshold);
    return ahead.find((threshold) => countAt(threshold) !== before) ?? now.threshold;
  }

  function keeperRow(settings) {
    const id = fresh("keep");
    const options = Object.entries(report.KEEPERS).map(([value, keeper]) => make(
      "option",
      { value, text: keeper.label },
    ));
    const select = make(
      "select",
      { id, class: "keep", onchange: () => settings.set({ keep: select.value }) },
      options,
    );
    settings.listen((now) => (select.value = now.keep));
    return make(
      "div",
      { class: "row keep-row" },
      make("label", { for: id, text: "Of a group, show" }),
      select,
    );
  }

  const learnedNote = () => make(
    "p",
    {
      class: "row quiet",
      text: "The scores come from a learned model, so there are no weights to move.",
    },
  );

  function weightsFold(profile, settings) {
    const rows = profile.signals.map((signal, s) => weightRow(signal, s, settings));
    const reset = make(
      "button",
      {
        type: "button",
        text: "The profile’s weights",
        onclick: () => settings.set({ weights: settings.start.weights }),
      },
    );
    return make(
      "details",
      { class: "row weights" },
      make("summary", { text: "Weights" }),
      make(
        "p",
        {
          class: "quiet",
          text: "How much each content type counts. Scores and groups are worked out anew in this page.",
        },
      ),
      rows,
      make("div", { class: "buttons" }, reset),
    );
  }

  function weightRow(signal, s, settings) {
    const id = fresh("weight");
    const slider = make("input", {
      type: "range", id, class: "weight", "data-signal": signal.name, min: 0, max: 1, step: "any",
      oninput: () =>
        settings.set({ weights: settings.get().weights.map((weight, k) =>
          (k === s ? Number(slider.value) : weight)) }),
      onkeydown: (event) => stepBy(event, slider),
    });
    const share = make("output", { for: id, class: "number" });
    settings.listen((now) => {
      const whole = now.weights.reduce((sum, weight) => sum + weight, 0);
      if (Number(slider.value) !== now.weights[s]) slider.value = now.weights[s];
      share.textContent = whole ? `${(100 * now.weights[s] / whole).toFixed(1)} %` : "–";
      slider.setAttribute("aria-valuetext", share.textContent);
    });
    return make(
      "div",
      { class: "weight-row" },
      make("label", { for: id, text: report.readable(signal.name) }),
      slider,
      share,
    );
  }

  /** A slider of any value moves by hundredths under the arrow keys. */
  function stepBy(event, slider) {
    const step = { ArrowRight: 0.01, ArrowUp: 0.01, ArrowLeft: -0.01, ArrowDown: -0.01 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = Math.min(1, Math.max(0, Number(slider.value) + step));
    slider.value = Math.round(1000 * next) / 1000;
    slider.dispatchEvent(new Event("input"));
  }

  function commandFold(profile, settings) {
    const command = make("pre", { class: "command wraps", tabindex: 0 });
    const text = make("pre", { class: "command", tabindex: 0 });
    settings.listen((now) => {
      const found = report.describeSettings(now, profile);
      command.replaceChildren(...found.command.split(/ (?=--)/).flatMap((part) => [
        make("span", { text: part }),
        " ",
      ]));
      text.textContent = found.profile && `# my-profile.toml\n${found.profile}`;
      text.hidden = !found.profile;
    });
    return make(
      "details",
      { class: "row use" },
      make("summary", { text: "Use these settings" }),
      command,
      text,
    );
  }
})(ReduceReport);
