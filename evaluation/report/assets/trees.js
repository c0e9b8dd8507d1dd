// Scores and trees, number for number as the engine has them (similarity/combine.py, clustering/tree.py).
(function (report) {
  /** To twelve decimals, halves to the even digit, as numpy rounds. */
  function round12(value) {
    const scaled = value * 1e12;
    let whole = Math.round(scaled);
    if (whole - scaled === 0.5 && whole % 2 !== 0) whole -= 1;
    return whole / 1e12;
  }

  /** Weighted mean of the signals that are defined for each pair; others are rescaled. */
  report.combine = function (signals, weights, n) {
    const scores = new Float64Array(n * n);
    for (let i = 0; i < n; i++) {
      scores[i * n + i] = 1;
      for (let j = i + 1; j < n; j++) {
        scores[i * n + j] = scores[j * n + i] = pairScore(signals, weights, i * n + j);
      }
    }
    return scores;
  };

  function pairScore(signals, weights, place) {
    let total = 0;
    let whole = 0;
    for (let s = 0; s < signals.length; s++) {
      const value = signals[s][place];
      if (Number.isNaN(value)) continue;
      total += value * weights[s];
      whole += weights[s];
    }
    return whole > 0 ? round12(Math.min(1, Math.max(0, total / whole))) : 0;
  }

  /** Contribution of each signal to a pair's score: similarity, share of the weights, their product. */
  report.sharesOf = function (signals, weights, place) {
    const counted = signals.map((values, s) => (Number.isNaN(values[place]) ? 0 : weights[s]));
    const whole = report.sum(counted) || 1;
    return signals.map((values, s) => {
      const weight = counted[s] / whole;
      const similarity = values[place];
      return { similarity, weight, contribution: weight ? similarity * weight : 0 };
    });
  };

  /** All merges, highest score first. */
  report.buildTree = (scores, n, linkage) =>
    linkage === "single" || n < 3 ? spanningTree(scores, n) : hierarchy(scores, n, linkage);

  /** Prim's algorithm from page 0; of equal edges the first page found stays. */
  function spanningTree(scores, n) {
    const best = new Float64Array(n).fill(-Infinity);
    const nearest = new Int32Array(n);
    const outside = new Uint8Array(n).fill(1);
    const edges = [];
    let fresh = 0;
    for (let step = 1; step < n; step++) {
      outside[fresh] = 0;
      let next = -1;
      for (let i = 0; i < n; i++) {
        if (!outside[i]) continue;
        if (scores[fresh * n + i] > best[i]) {
          best[i] = scores[fresh * n + i];
          nearest[i] = fresh;
        }
        if (next < 0 || best[i] > best[next]) next = i;
      }
      fresh = next;
      edges.push([Math.min(nearest[fresh], fresh), Math.max(nearest[fresh], fresh), best[fresh]]);
    }
    edges.sort((x, y) => y[2] - x[2] || x[0] - y[0] || x[1] - y[1]);
    return asTree(edges);
  }

  /** Average or complete linkage: merge the two groups with the highest score between them. */
  function hierarchy(scores, n, linkage) {
    const between = Float64Array.from(scores);
    const groups = Array.from({ length: n }, (_, i) => [i]);
    const alive = groups.map((_, i) => i);
    const edges = [];
    let height = Infinity;
    while (alive.length > 1) {
      const [a, b] = closest(between, alive, n);
      height = Math.min(height, between[a * n + b]);
      edges.push([...strongest(scores, groups[a], groups[b], n), round12(height)]);
      for (const c of alive) {
        if (c === a || c === b) continue;
        const merged = linkOf(linkage, between, groups, a, b, c, n);
        between[a * n + c] = between[c * n + a] = merged;
      }
      groups[a] = groups[a].concat(groups[b]).sort((x, y) => x - y);
      alive.splice(alive.indexOf(b), 1);
    }
    return asTree(edges);
  }

  function linkOf(linkage, between, groups, a, b, c, n) {
    const [left, right] = [between[a * n + c], between[b * n + c]];
    if (linkage === "complete") return Math.min(left, right);
    const [one, two] = [groups[a].length, groups[b].length];
    return (one * left + two * right) / (one + two);
  }

  function closest(between, alive, n) {
    let found = [alive[0], alive[1]];
    for (let i = 0; i < alive.length; i++) {
      for (let j = i + 1; j < alive.length; j++) {
        const better = between[alive[i] * n + alive[j]] > between[found[0] * n + found[1]];
        if (better) found = [alive[i], alive[j]];
      }
    }
    return found;
  }

  function strongest(scores, left, right, n) {
    let found = [left[0], right[0]];
    for (const i of left) {
      for (const j of right) {
        if (scores[i * n + j] > scores[found[0] * n + found[1]]) found = [i, j];
      }
    }
    return [Math.min(...found), Math.max(...found)];
  }

  const asTree = (edges) => ({
    first: edges.map((edge) => edge[0]),
    second: edges.map((edge) => edge[1]),
    scores: edges.map((edge) => edge[2]),
  });
})(ReduceReport);
