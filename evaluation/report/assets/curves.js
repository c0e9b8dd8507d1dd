// The curves over all thresholds, with the current one marked.
(function (report) {
  const { make } = report;
  const GRID = Array.from({ length: 101 }, (_, i) => i / 100);
  const INDICES = [
    { key: "silhouette", name: "Silhouette", better: "higher is better", range: [-0.2, 1] },
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

  /** The panel of plots of one query. */
  report.curvesPanel = function (query, settings) {
    const lead = make("div", { class: "lead-plot" });
    const indices = make("div", { class: "small-plots" });
    const note = make("p", { class: "quiet", hidden: true });
    const pick = (threshold) => settings.set({ threshold });
    let drawn = null;
    let plots = [];

    function redraw(now) {
      const curves = report.curvesOf(query, now);
      const hasInformation = curves.information[0] !== null;
      plots = [leadPlot(curves, hasInformation, pick)];
      lead.replaceChildren(legend(hasInformation), plots[0].svg);
      const own = query.isOwn(now.weights);
      note.hidden = own || !query.query.sweep;
      note.textContent = "The indices below are for the profile's own weights.";
      const small = query.query.sweep ? indexPlots(query.query.sweep, pick) : [];
      indices.replaceChildren(...small.map((plot) => plot.figure));
      plots.push(...small);
    }

    settings.listen((now) => {
      const key = JSON.stringify([now.weights, now.keep]);
      if (key !== drawn) redraw(now);
      drawn = key;
      for (const plot of plots) plot.mark(now.threshold);
    });
    return make(
      "section",
      { class: "panel curves" },
      make("h2", { text: "Over all thresholds" }),
      lead,
      note,
      indices,
    );
  };

  /** Many queries as one curve: results are added up, information is the mean by pages. */
  report.wholeCurves = function (queries, settings) {
    const lead = make("div", { class: "lead-plot" });
    let drawn = null;
    let plot = null;
    settings.listen((now) => {
      const key = JSON.stringify([now.weights, now.keep]);
      if (key !== drawn) {
        const curves = meanCurves(queries, now);
        const hasInformation = curves.information[0] !== null;
        plot = leadPlot(
          curves,
          hasInformation,
          (threshold) => settings.set({ threshold }),
          ...(report.isNarrow() ? [] : [640, 210]),
        );
        lead.replaceChildren(legend(hasInformation), plot.svg);
      }
      drawn = key;
      plot.mark(now.threshold);
    });
    return make(
      "section",
      { class: "panel curves" },
      make("h2", { text: "All queries over all thresholds" }),
      lead,
    );
  };

  function meanCurves(queries, now) {
    const found = queries.map((query) => ({
      n: query.pages.length,
      ...report.curvesOf(query, now),
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

  function leadPlot(curves, hasInformation, onpick, width = 340, height = 170) {
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

  function indexPlots(sweep, onpick) {
    return INDICES.filter((index) =>
      (sweep[index.key] || []).some((v) => v !== null)).map((index) => {
      const ys = sweep[index.key];
      const plot = report.linePlot({
        xs: sweep.threshold,
        series: [{ ys, class: "index" }],
        label: `${index.name} by threshold, ${index.better}`,
        height: 92,
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
