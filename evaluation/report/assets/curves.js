// The curves over all thresholds, with the current one marked.
(function (report) {
  const { make } = report;
  const GRID = Array.from({ length: 101 }, (_, i) => i / 100);
  const INDICES = [
    { key: "silhouette", name: "Silhouette", better: "higher is better" },
    { key: "davies_bouldin", name: "Davies–Bouldin", better: "lower is better" },
    { key: "calinski_harabasz", name: "Calinski–Harabasz", better: "look for the bend" },
  ];

  /** Reduction and information kept on a grid of thresholds, under the settings' weights. */
  report.curvesOf = function (query, settings) {
    const n = query.pages.length;
    const reduction = [];
    const information = [];
    for (const threshold of GRID) {
      const state = report.cut(query.viewOf(settings.weights), threshold, settings.keep);
      reduction.push(n ? 1 - state.clusters.length / n : 0);
      information.push(query.informationAt(state));
    }
    return { xs: GRID, reduction, information };
  };

  const keyOf = (now) => JSON.stringify([now.weights, now.keep]);

  /** The lead plot of some curves; drawn anew only where weights or keeper change. */
  function leadOf(curvesAt, settings, ...size) {
    const element = make("div", { class: "lead-plot" });
    let drawn = null;
    let plot = null;
    const update = (now) => {
      if (keyOf(now) !== drawn) {
        const curves = curvesAt(now);
        const hasInformation = curves.information[0] !== null;
        plot = leadPlot(curves, hasInformation, (threshold) => settings.set({ threshold }), ...size);
        element.replaceChildren(legend(hasInformation), plot.svg);
      }
      drawn = keyOf(now);
      plot.mark(now.threshold);
    };
    return { element, update };
  }

  /** Beside the results: what a threshold removes and what it keeps. */
  report.sideCurve = function (query, settings) {
    const lead = leadOf((now) => query.curvesAt(now), settings);
    settings.listen(lead.update);
    return make(
      "section",
      { class: "panel curves side-curve" },
      make("h2", { text: "Over all thresholds" }),
      lead.element,
    );
  };

  /** The panel of all plots of one query. */
  report.curvesPanel = function (query, settings) {
    const lead = leadOf((now) => query.curvesAt(now), settings, ...wide(260));
    const { sweep } = query.query;
    const plots = indexPlots(sweep, (threshold) => settings.set({ threshold }));
    const note = make("p", { class: "quiet", text: "The indices below are for the profile’s own weights." });

    function update(now) {
      lead.update(now);
      note.hidden = query.isOwn(now.weights) || !plots.length;
      for (const plot of plots) plot.mark(now.threshold);
    }

    const element = make(
      "div",
      { class: "curves-panel" },
      make("p", { class: "quiet", text: "What every threshold would give; point into a plot to take it." }),
      lead.element,
      plots.length ? make("h3", { text: "How well the groups stand apart" }) : null,
      note,
      make("div", { class: "small-plots" }, plots.map((plot) => plot.figure)),
    );
    return { element, update };
  };

  const wide = (height) => (report.isNarrow() ? [] : [720, height]);

  /** Many queries as one curve: results are added up, information is the mean by pages. */
  report.wholeCurves = function (queries, settings) {
    const lead = leadOf((now) => meanCurves(queries, now), settings, ...wide(230));
    settings.listen(lead.update);
    return make(
      "section",
      { class: "panel curves" },
      make("h2", { text: "All queries over all thresholds" }),
      lead.element,
    );
  };

  function meanCurves(queries, now) {
    const found = queries.map((query) => ({
      n: query.pages.length,
      ...query.curvesAt(now),
    }));
    const mean = (key, among) => {
      const pages = among.reduce((sum, one) => sum + one.n, 0);
      return GRID.map((_, i) => (pages ? among.reduce(
        (sum, one) => sum + one.n * one[key][i],
        0,
      ) / pages : null));
    };
    const withText = found.filter((one) => one.information[0] !== null);
    return {
      xs: GRID,
      reduction: mean("reduction", found),
      information: mean("information", withText),
    };
  }

  const legend = (hasInformation) =>
    make(
      "p",
      { class: "legend" },
      make("span", { class: "key reduction", text: "results removed" }),
      hasInformation ? make("span", { class: "key information", text: "information kept" }) : null,
    );

  function leadPlot(curves, hasInformation, onpick, width = 340, height = 180) {
    const series = [{ ys: curves.reduction, class: "reduction" }];
    if (hasInformation) series.push({ ys: curves.information, class: "information" });
    return report.linePlot({
      xs: curves.xs,
      series,
      label: "Share of results removed and share of information kept, by threshold",
      width,
      height,
      range: [0, 1],
      format: (value) => `${Math.round(100 * value)} %`,
      onpick,
    });
  }

  /** From 0 or below up to the highest value; values beyond all others are cut off at the top. */
  function rangeOf(ys) {
    const values = ys.filter((v) => Number.isFinite(v)).sort((a, b) => a - b);
    const far = 50 * Math.abs(values[values.length >> 1]);
    const usual = values.filter((v) => v <= far);
    return [Math.min(0, values[0]), usual.at(-1) || values.at(-1) || 1];
  }

  function indexPlots(sweep, onpick) {
    return INDICES.filter((index) =>
      (sweep[index.key] || []).some((v) => v !== null)).map((index) => {
      const ys = sweep[index.key];
      const plot = report.linePlot({
        xs: sweep.threshold,
        series: [{ ys, class: "index" }],
        label: `${index.name} by threshold, ${index.better}`,
        ...(report.isNarrow() ? {} : { width: 720 }),
        height: 130,
        range: rangeOf(ys),
        onpick,
      });
      const value = make("output", { class: "value" });
      const name = make("span", { class: "name", text: index.name });
      const better = make("span", { class: "quiet", text: index.better });
      const figure = make("figure", {}, make("figcaption", {}, name, better, value), plot.svg);
      const mark = (threshold) => {
        plot.mark(threshold);
        const found = report.valueAt(sweep.threshold, ys, threshold);
        value.textContent = Number.isFinite(found) ? report.fixed(found) : "not defined";
      };
      return { figure, mark };
    });
  }
})(ReduceReport);
