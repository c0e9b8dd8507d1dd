// Places for the pages of a similarity graph: the tree's edges pull, all pages push.
(function (report) {

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

  /** All pages so that those that merge early stand side by side: a spiral of them is a start. */
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

  /** Wanted lengths: from close for the most alike step of the tree to far for the least. */
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
      const pull = 0.35 * (distance - length) / distance;
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

  /** Push dots that cover each other apart. */
  function spread(points, width, height) {
    const near = Math.min(19, 0.7 * Math.sqrt((width * height) / points.length));
    const rounds = points.length > 200 ? 25 : 60;
    for (let round = 0; round < rounds; round++) {
      for (let i = 0; i < points.length; i++) {
        for (let j = i + 1; j < points.length; j++) part(points[i], points[j], near);
      }
    }
    const inside = (value, end) => Math.min(end - 14, Math.max(14, value));
    return points.map(([x, y]) => [inside(x, width), inside(y, height)]);
  }

  function part(a, b, near) {
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
})(ReduceReport);
