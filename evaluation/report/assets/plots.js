// Plots as SVG: lines over the threshold, a sparkline, the marker of where we are.
(function (report) {
  const { draw } = report;
  const PAD = { left: 38, right: 12, top: 8, bottom: 34 };

  /** A path with a gap where a value is not defined. */
  function pathOf(xs, ys, x, y) {
    let pen = "M";
    let path = "";
    xs.forEach((value, i) => {
      if (ys[i] === null || ys[i] === undefined || Number.isNaN(ys[i])) {
        pen = "M";
        return;
      }
      path += `${pen}${x(value).toFixed(1)},${y(ys[i]).toFixed(1)}`;
      pen = "L";
    });
    return path;
  }

  function niceTicks(low, high) {
    if (!(high > low)) return [low];
    const raw = (high - low) / 3;
    const power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map((f) => f * power).find((f) => f >= raw);
    const ticks = [];
    for (let t = Math.ceil(low / step) * step; t <= high + step / 1e6; t += step) ticks.push(t);
    return ticks;
  }

  function short(value) {
    const size = Math.abs(value);
    if (size >= 1e6) return value.toExponential(0).replace("e+", "e");
    return size >= 1000 ? `${+(value / 1000).toFixed(1)}k` : String(+value.toFixed(2));
  }

  /**
   * A plot of series over the threshold. `options`: label, width, height, range of y ([low, high]) and
   * `format` for its ticks; `onpick(threshold)` is called when the reader points into it.
   */
  report.linePlot = function ({
    xs,
    series,
    label,
    width = 340,
    height = 120,
    range,
    format = short,
    onpick,
  }) {
    const values = series.flatMap((one) => one.ys).filter((v) => Number.isFinite(v));
    const [low, high] = range || [Math.min(0, ...values), Math.max(...values, 1e-9)];
    const x = (v) =>
      PAD.left + (v - xs[0]) / (xs.at(-1) - xs[0] || 1) * (width - PAD.left - PAD.right);
    const y = (v) =>
      height - PAD.bottom - (Math.min(v, high) - low) / (high - low || 1) * (height - PAD.top - PAD.bottom);
    const marker = draw("line", { class: "marker", y1: PAD.top - 4, y2: height - PAD.bottom });
    const dots = series.map((one) => draw("circle", { class: `dot ${one.class}`, r: 3.5 }));
    const svg = draw(
      "svg",
      { class: "plot", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label },
      niceTicks(low, high).flatMap((t) => [
        draw("line", { class: "grid", x1: PAD.left, x2: width - PAD.right, y1: y(t), y2: y(t) }),
        draw(
          "text",
          { class: "tick", x: PAD.left - 6, y: y(t) + 3.5, "text-anchor": "end", text: format(t) },
        ),
      ]),
      niceTicks(xs[0], xs.at(-1)).map((t) =>
        draw(
          "text",
          { class: "tick", x: x(t), y: height - PAD.bottom + 14, "text-anchor": "middle", text: short(t) },
        ),
      ),
      draw(
        "text",
        { class: "tick axis", x: (PAD.left + width - PAD.right) / 2, y: height - 5, "text-anchor": "middle", text: "threshold" },
      ),
      series.map((one) => draw(
        "path",
        { class: `line ${one.class}`, d: pathOf(xs, one.ys, x, y) },
      )),
      marker,
      dots,
    );
    if (onpick) pickWith(svg, (share) => onpick(xs[0] + share * (xs.at(-1) - xs[0])), width);

    function mark(threshold) {
      const at = x(Math.min(xs.at(-1), Math.max(xs[0], threshold)));
      marker.setAttribute("x1", at);
      marker.setAttribute("x2", at);
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
      const share = ((event.clientX - box.left) / box.width * width - PAD.left) / (width - PAD.left - PAD.right);
      pick(Math.round(100 * Math.min(1, Math.max(0, share))) / 100);
    };
    svg.classList.add("pickable");
    svg.addEventListener("pointerdown", (event) => {
      svg.setPointerCapture(event.pointerId);
      at(event);
    });
    svg.addEventListener("pointermove", (event) => {
      if (event.buttons) at(event);
    });
  }

  /** The value at the nearest carried threshold that is not above the wanted one. */
  report.valueAt = function (xs, ys, threshold) {
    let found = 0;
    while (found + 1 < xs.length && xs[found + 1] <= threshold + 1e-9) found++;
    const value = ys[found];
    return value === null || value === undefined ? NaN : value;
  };

  /** A line without axes, for a table's cell. */
  report.sparkline = function (xs, ys, label) {
    const [width, height] = [96, 24];
    const x = (v) => 2 + (v - xs[0]) / (xs.at(-1) - xs[0] || 1) * (width - 4);
    const y = (v) => height - 3 - v * (height - 6);
    const marker = draw("line", { class: "marker", y1: 1, y2: height - 1 });
    const svg = draw(
      "svg",
      { class: "spark", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label },
      draw("path", { class: "line", d: pathOf(xs, ys, x, y) }),
      marker,
    );
    const mark = (threshold) => {
      marker.setAttribute("x1", x(threshold));
      marker.setAttribute("x2", x(threshold));
    };
    return { svg, mark };
  };
})(ReduceReport);
