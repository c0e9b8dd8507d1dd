// Charts over the threshold as SVG: steps, because a clustering changes only where pages merge.
(function (report) {
  const { make, draw, t } = report;
  const PAD = { left: 38, right: 12, top: 8, bottom: 34 };
  const GRID = Array.from({ length: 101 }, (_, i) => i / 100);
  const INDICES = [
    { key: "silhouette", name: "Silhouette", better: "higher is better" },
    { key: "davies_bouldin", name: "Davies–Bouldin", better: "lower is better" },
    { key: "calinski_harabasz", name: "Calinski–Harabasz", better: "look for the bend" },
  ];

  /** A path of steps, each value up to the next threshold, with a gap where a value is not defined. */
  function stepsOf(xs, ys, x, y) {
    let path = "";
    xs.forEach((value, i) => {
      if (!Number.isFinite(ys[i])) return;
      const [left, right] = [x(value).toFixed(1), x(xs[i + 1] ?? value).toFixed(1)];
      const isStart = !i || !Number.isFinite(ys[i - 1]);
      path += `${isStart ? `M${left},${y(ys[i]).toFixed(1)}` : `V${y(ys[i]).toFixed(1)}`}H${right}`;
    });
    return path;
  }

  function niceTicks(low, high) {
    if (!(high > low)) return [low];
    const raw = (high - low) / 3;
    const power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map((f) => f * power).find((f) => f >= raw);
    const ticks = [];
    for (let tick = Math.ceil(low / step) * step; tick <= high + step / 1e6; tick += step) ticks.push(tick);
    return ticks;
  }

  function short(value) {
    const size = Math.abs(value);
    if (size >= 1e6) return value.toExponential(0).replace("e+", "e");
    return size >= 1000 ? `${report.written(+(value / 1000).toFixed(1))}k` : report.written(+value.toFixed(2));
  }

  const tick = (x, y, anchor, text) => draw("text.tick", { x, y, "text-anchor": anchor, text });

  /**
   * A plot of series over the threshold. Options: label, width, height, range of y ([low, high]), `format` for its
   * ticks; `onpick(threshold)` is called when the reader points into it.
   */
  report.linePlot = function ({ xs, series, label, width = 340, height = 120, range, format = short, onpick }) {
    const values = series.flatMap((one) => one.ys).filter((v) => Number.isFinite(v));
    const [low, high] = range || [Math.min(0, ...values), Math.max(...values, 1e-9)];
    const [right, bottom] = [width - PAD.right, height - PAD.bottom];
    const x = (v) => PAD.left + ((v - xs[0]) / (xs.at(-1) - xs[0] || 1)) * (right - PAD.left);
    const y = (v) => bottom - ((Math.min(v, high) - low) / (high - low || 1)) * (bottom - PAD.top);
    const marker = draw("line.marker", { y1: PAD.top - 4, y2: bottom });
    const dots = series.map((one) => draw(`circle.dot.${one.class}`, { r: 3.5 }));
    const svg = draw(
      "svg.plot",
      { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label },
      niceTicks(low, high).flatMap((v) => [
        draw("line.grid", { x1: PAD.left, x2: right, y1: y(v), y2: y(v) }),
        tick(PAD.left - 6, y(v) + 3.5, "end", format(v)),
      ]),
      niceTicks(xs[0], xs.at(-1)).map((v) => tick(x(v), bottom + 14, "middle", short(v))),
      tick((PAD.left + right) / 2, height - 5, "middle", t("threshold")),
      series.map((one) => draw(`path.line.${one.class}`, { d: stepsOf(xs, one.ys, x, y) })),
      marker,
      dots,
    );
    if (onpick) pickWith(svg, (share) => onpick(xs[0] + share * (xs.at(-1) - xs[0])), width);

    function mark(threshold) {
      const at = x(Math.min(xs.at(-1), Math.max(xs[0], threshold)));
      for (const end of ["x1", "x2"]) marker.setAttribute(end, at);
      series.forEach((one, s) => {
        const value = report.valueAt(xs, one.ys, threshold);
        dots[s].setAttribute("visibility", Number.isFinite(value) ? "visible" : "hidden");
        dots[s].setAttribute("cx", at);
        if (Number.isFinite(value)) dots[s].setAttribute("cy", y(value));
      });
    }
    return { svg, mark };
  };

  function pickWith(svg, pick, width) {
    const at = (event) => {
      const box = svg.getBoundingClientRect();
      const share = (((event.clientX - box.left) / box.width) * width - PAD.left) / (width - PAD.left - PAD.right);
      pick(Math.round(100 * Math.min(1, Math.max(0, share))) / 100);
    };
    svg.classList.add("pickable");
    svg.addEventListener("pointerdown", (event) => {
      svg.setPointerCapture(event.pointerId);
      at(event);
    });
    svg.addEventListener("pointermove", (event) => event.buttons && at(event));
  }

  /** The value at the nearest carried threshold that is not above the wanted one. */
  report.valueAt = function (xs, ys, threshold) {
    let found = 0;
    while (found + 1 < xs.length && xs[found + 1] <= threshold + 1e-9) found++;
    return ys[found] ?? NaN;
  };

  /** Steps without axes, for a table's cell. */
  report.sparkline = function (xs, ys, label) {
    const [width, height] = [96, 24];
    const x = (v) => 2 + ((v - xs[0]) / (xs.at(-1) - xs[0] || 1)) * (width - 4);
    const y = (v) => height - 3 - v * (height - 6);
    const marker = draw("line.marker", { y1: 1, y2: height - 1 });
    const line = draw("path.line", { d: stepsOf(xs, ys, x, y) });
    const svg = draw("svg.spark", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label }, line, marker);
    const mark = (threshold) => ["x1", "x2"].forEach((end) => marker.setAttribute(end, x(threshold)));
    return { svg, mark };
  };

  /** Reduction and information kept on a grid of thresholds, under the settings' weights. */
  report.curvesOf = function (query, settings) {
    const n = query.pages.length;
    const states = GRID.map((threshold) => report.cut(query.viewOf(settings.weights), threshold, settings.keep));
    return {
      xs: GRID,
      reduction: states.map((state) => (n ? 1 - state.clusters.length / n : 0)),
      information: states.map((state) => query.informationAt(state)),
    };
  };

  /** The plot of two curves; drawn again only where weights or keeper change. */
  function leadOf(curvesAt, settings, size) {
    const element = make("div.lead-plot");
    let [drawn, plot] = [null, null];
    const update = (now) => {
      const key = JSON.stringify([now.weights, now.keep]);
      if (key !== drawn) {
        plot = leadPlot(curvesAt(now), (threshold) => settings.set({ threshold }), size);
        element.replaceChildren(...plot.parts);
      }
      drawn = key;
      plot.mark(now.threshold);
    };
    return { element, update };
  }

  function leadPlot(curves, onpick, size) {
    const hasInformation = curves.information[0] !== null;
    const series = [{ ys: curves.reduction, class: "reduction" }];
    if (hasInformation) series.push({ ys: curves.information, class: "information" });
    const label = t("Share of results dropped and of information kept, by threshold");
    const format = (value) => `${Math.round(100 * value)} %`;
    const plot = report.linePlot({ xs: curves.xs, series, label, height: 180, ...size, range: [0, 1], format, onpick });
    const legend = make(
      "p.legend",
      null,
      make("span.key.reduction", t("results dropped")),
      hasInformation ? make("span.key.information", t("information kept")) : null,
    );
    return { parts: [legend, plot.svg], mark: plot.mark };
  }

  const wide = (height) => (report.isNarrow() ? {} : { width: 720, height });

  /** A panel with the two curves of one query, or of several: results added up, information the mean by pages. */
  report.curvePanel = function (queries, settings, title) {
    const several = queries.length > 1;
    const lead = leadOf(
      (now) => (several ? meanCurves(queries, now) : queries[0].curvesAt(now)),
      settings,
      several ? wide(230) : {},
    );
    settings.listen(lead.update);
    return make(`section.panel.curves${several ? "" : ".side-curve"}`, null, make("h2", title), lead.element);
  };

  function meanCurves(queries, now) {
    const found = queries.map((query) => ({ n: query.pages.length, ...query.curvesAt(now) }));
    const mean = (key, among) => {
      const pages = report.sum(among.map((one) => one.n));
      return GRID.map((_, i) => (pages ? report.sum(among.map((one) => one.n * one[key][i])) / pages : null));
    };
    const withText = found.filter((one) => one.information[0] !== null);
    return { xs: GRID, reduction: mean("reduction", found), information: mean("information", withText) };
  }

  /** All plots of one query: the two curves and the validity indices. */
  report.curvesPanel = function (query, settings) {
    const lead = leadOf((now) => query.curvesAt(now), settings, wide(260));
    const plots = indexPlots(query.query.sweep, (threshold) => settings.set({ threshold }));
    const note = make("p.quiet", t("The indices below are for the profile’s own weights."));

    function update(now) {
      lead.update(now);
      note.hidden = query.isOwn(now.weights) || !plots.length;
      for (const plot of plots) plot.mark(now.threshold);
    }

    const element = make(
      "div.curves-panel",
      null,
      make("p.quiet", t("What every threshold would give; click into a plot to set it.")),
      lead.element,
      plots.length ? make("h3", t("How well the clusters are separated")) : null,
      note,
      make(
        "div.small-plots",
        null,
        plots.map((plot) => plot.figure),
      ),
    );
    return { element, update };
  };

  /** From 0 or below up to the highest value; values beyond all others are cut off at the top. */
  function rangeOf(ys) {
    const values = ys.filter((v) => Number.isFinite(v)).sort((a, b) => a - b);
    const usual = values.filter((v) => v <= 50 * Math.abs(values[values.length >> 1]));
    return [Math.min(0, values[0]), usual.at(-1) || values.at(-1) || 1];
  }

  const indexPlots = (sweep, onpick) =>
    INDICES.filter((index) => (sweep[index.key] || []).some((v) => v !== null)).map((index) => indexPlot(index, sweep, onpick));

  function indexPlot({ key, name, better }, sweep, onpick) {
    const [xs, ys] = [sweep.threshold, sweep[key]];
    const plot = report.linePlot({
      xs,
      series: [{ ys, class: "index" }],
      label: `${name}, ${t(better)}`,
      ...wide(130),
      range: rangeOf(ys),
      onpick,
    });
    const value = make("output.value");
    const figure = make(
      "figure",
      null,
      make("figcaption", null, make("span.name", name), make("span.quiet", t(better)), value),
      plot.svg,
    );
    const mark = (threshold) => {
      plot.mark(threshold);
      const found = report.valueAt(xs, ys, threshold);
      value.textContent = Number.isFinite(found) ? report.fixed(found) : t("not defined");
    };
    return { figure, mark };
  }
})(ReduceReport);
