// The similarity graph: a dot per page, a line where two pages are linked, a colour per cluster.
(function (report) {
  const { make, draw, t } = report;
  const MAX_LINES = 3000;
  const CROWDED = 150;

  /** Points [x, y] inside width×height; the same tree always gives the same places. */
  report.layoutTree = function (tree, n, width, height) {
    const xs = new Float64Array(n);
    const ys = new Float64Array(n);
    leavesOf(tree, n).forEach((page, place) => {
      const turn = 2 * Math.sqrt(Math.PI * (place + 1));
      xs[page] = 5.5 * turn * Math.cos(turn);
      ys[page] = 5.5 * turn * Math.sin(turn);
    });
    const springs = springsOf(tree);
    const steps = Math.min(320, Math.round(120000 / n));
    for (let step = 0; step < steps; step++) move(xs, ys, springs, n, 1 - step / steps);
    return spread(fit(xs, ys, n, width, height), width, height);
  };

  /** All pages so that those that merge early are neighbours: a spiral of them is the start. */
  function leavesOf(tree, n) {
    const lists = Array.from({ length: n }, (_, i) => [i]);
    tree.scores.forEach((_, e) => {
      const [a, b] = [lists[tree.first[e]], lists[tree.second[e]]];
      const [long, short] = a.length < b.length ? [b, a] : [a, b];
      for (const i of short) lists[i] = long;
      long.push(...short);
    });
    return n ? lists[0] : [];
  }

  /** Wanted lengths of the tree's edges: short for the highest score, long for the lowest. */
  function springsOf(tree) {
    const low = Math.min(...tree.scores, 1);
    return tree.scores.map((score, e) => {
      const far = low < 1 ? (1 - score) / (1 - low) : 0;
      return { a: tree.first[e], b: tree.second[e], length: 10 + 75 * far };
    });
  }

  function move(xs, ys, springs, n, heat) {
    const dx = new Float64Array(n);
    const dy = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      for (let j = i + 1; j < n; j++) {
        const [x, y] = [xs[i] - xs[j], ys[i] - ys[j]];
        const push = 420 / (x * x + y * y + 4);
        dx[i] += x * push * 0.1;
        dy[i] += y * push * 0.1;
        dx[j] -= x * push * 0.1;
        dy[j] -= y * push * 0.1;
      }
      dx[i] -= xs[i] * 0.012;
      dy[i] -= ys[i] * 0.02;
    }
    for (const { a, b, length } of springs) {
      const [x, y] = [xs[b] - xs[a], ys[b] - ys[a]];
      const distance = Math.hypot(x, y) || 1;
      const pull = (0.35 * (distance - length)) / distance;
      dx[a] += x * pull;
      dy[a] += y * pull;
      dx[b] -= x * pull;
      dy[b] -= y * pull;
    }
    for (let i = 0; i < n; i++) {
      const far = Math.hypot(dx[i], dy[i]);
      const scale = far > 0 ? Math.min(far, 14 * heat + 0.3) / far : 0;
      xs[i] += dx[i] * scale;
      ys[i] += dy[i] * scale;
    }
  }

  /** Moves dots apart that cover each other. */
  function spread(points, width, height) {
    const near = Math.min(19, 0.7 * Math.sqrt((width * height) / points.length));
    const rounds = points.length > 200 ? 25 : 60;
    for (let round = 0; round < rounds; round++) {
      for (let i = 0; i < points.length; i++) {
        for (let j = i + 1; j < points.length; j++) separate(points[i], points[j], near);
      }
    }
    const inside = (value, end) => Math.min(end - 14, Math.max(14, value));
    return points.map(([x, y]) => [inside(x, width), inside(y, height)]);
  }

  function separate(a, b, near) {
    const [x, y] = [b[0] - a[0], b[1] - a[1]];
    const distance = Math.hypot(x, y) || 0.01;
    if (distance >= near) return;
    const push = (near - distance) / distance / 4;
    a[0] -= x * push;
    a[1] -= y * push;
    b[0] += x * push;
    b[1] += y * push;
  }

  function fit(xs, ys, n, width, height) {
    const margin = 22;
    const span = (values) => [Math.min(...values), Math.max(...values)];
    const [left, right] = span(xs);
    const [top, bottom] = span(ys);
    const wide = (width - 2 * margin) / Math.max(right - left, 60);
    const high = (height - 2 * margin) / Math.max(bottom - top, 60);
    const [across, down] = [Math.min(wide, 1.7 * high), Math.min(high, 1.7 * wide)];
    return Array.from({ length: n }, (_, i) => [
      width / 2 + (xs[i] - (left + right) / 2) * across,
      height / 2 + (ys[i] - (top + bottom) / 2) * down,
    ]);
  }

  /** The panel; `show(i)` is called when the reader picks a page. */
  report.graphPanel = function (query, settings, show) {
    const n = query.pages.length;
    if (n < 2) return { element: make("p.note", t("A graph needs at least two pages.")), update() {} };
    const size = sizeOf(n);
    const lines = draw("g.edges", { "aria-hidden": "true" });
    const label = draw("text.hover-label", { "aria-hidden": "true" });
    const caption = make("p.graph-caption", t("Point at a dot, or move with the arrow keys; Enter shows the result."));
    const dots = query.pages.map((page, i) => dotOf(page, i));
    const svg = draw(
      `svg.graph${n > CROWDED ? ".crowded" : ""}`,
      {
        viewBox: `0 0 ${size.join(" ")}`,
        role: "group",
        "aria-label": t("Similarity graph of the pages; arrow keys move through them by rank"),
      },
      lines,
      draw("g.nodes", null, dots),
      label,
    );
    let [view, places] = [null, []];

    function dotOf(page, i) {
      const describe = () => {
        caption.replaceChildren(report.namePage(page), make("bdi.quiet", ` ${report.readableUrl(page.url)}`));
        nameAt(label, places[i], report.titleOf(page), size);
      };
      return draw(
        "g.dot",
        {
          tabindex: i ? -1 : 0,
          role: "button",
          onclick: () => show(i),
          onpointerenter: describe,
          onfocus: describe,
          onpointerleave: () => (label.textContent = ""),
          onkeydown: (event) => move(event, i),
        },
        draw("circle", { r: 6 }),
        draw("text", {
          "text-anchor": "middle",
          dy: "0.35em",
          text: String(page.rank),
          class: `digits-${String(page.rank).length}`,
        }),
      );
    }

    function move(event, i) {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (event.key === "Enter" || event.key === " ") show(i);
      else if (!step) return;
      else {
        const next = (i + step + n) % n;
        dots[i].setAttribute("tabindex", -1);
        dots[next].setAttribute("tabindex", 0);
        dots[next].focus();
      }
      event.preventDefault();
    }

    function update(now) {
      const state = query.at(now);
      if (state.view !== view) {
        view = state.view;
        places = report.layoutTree(view.tree, n, ...size);
        dots.forEach((dot, i) => dot.setAttribute("transform", `translate(${places[i].map((v) => v.toFixed(1)).join(" ")})`));
      }
      lines.replaceChildren(...linesOf(state, places));
      for (const { kept, members } of state.clusters) {
        for (const i of members) paint(dots[i], query.pages[i], i === kept, members.length, kept);
      }
    }

    const help = t(
      "Each dot is a page, numbered by rank. Pages of one cluster share a colour; the large dot is the one kept, a hollow dot is a page without near-duplicates. Full lines join pages at or above the threshold, dotted ones are the strongest links below it.",
    );
    return { element: make("div.graph-panel", null, make("p.quiet", help), caption, svg), update };
  };

  /** A page's name beside its dot, on the side with more room and no longer than that. */
  function nameAt(label, [x, y], title, [width]) {
    const toRight = x < width / 2;
    const most = Math.max(8, Math.floor((toRight ? width - x - 24 : x - 24) / 6.6));
    label.textContent = title.length > most ? `${title.slice(0, most - 1).trimEnd()}…` : title;
    label.setAttribute("x", toRight ? x + 14 : x - 14);
    label.setAttribute("y", y + 4);
    label.setAttribute("text-anchor", toRight === (report.directionOf(title) === "ltr") ? "start" : "end");
    label.setAttribute("direction", report.directionOf(title));
  }

  /** Room for the dots: as wide as the column, then as much larger as there are more pages. */
  function sizeOf(n) {
    const [width, height] = report.isNarrow() ? [440, 500] : [760, 540];
    const scale = Math.max(1, Math.sqrt(n / (report.isNarrow() ? 70 : 140)));
    return [Math.round(width * scale), Math.round(height * scale * (n > CROWDED ? 1.25 : 1))];
  }

  function paint(dot, page, isKept, size, kept) {
    dot.setAttribute("class", `dot${isKept ? " kept" : ""}${size > 1 ? " grouped" : ""}`);
    dot.style.setProperty("--hue", report.hueOf(kept));
    dot.firstChild.setAttribute("r", isKept ? 10 : 7.5);
    const role = size === 1 ? t("no near-duplicates") : isKept ? t("kept, with {n} similar", { n: size - 1 }) : t("dropped");
    dot.setAttribute("aria-label", `${page.rank}. ${report.titleOf(page)}, ${role}`);
  }

  function linesOf(state, places) {
    const { view, threshold, keptOf } = state;
    const lineOf = (kind, a, b, vars) => {
      const [[x1, y1], [x2, y2]] = [places[a], places[b]];
      return draw(`line.${kind}`, { x1, y1, x2, y2, vars });
    };
    const found = [...view.tree.scores.keys()]
      .filter((e) => view.tree.scores[e] < threshold)
      .map((e) => lineOf("below", view.tree.first[e], view.tree.second[e]));
    for (const { members } of state.clusters) {
      const pairs = members.flatMap((a, k) => members.slice(k + 1).map((b) => [a, b]));
      for (const [a, b] of pairs) {
        if (found.length >= MAX_LINES) return found;
        if (report.scoreIn(view, a, b) >= threshold) found.push(lineOf("link", a, b, { "--hue": report.hueOf(keptOf[a]) }));
      }
    }
    return found;
  }
})(ReduceReport);
