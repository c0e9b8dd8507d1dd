// Scores, trees and their cuts, number for number as the engine has them (similarity/combine.py, clustering/).
(function (report) {
  const GIANT = 0.5;

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
  /** Cluster number of each page, by first member; an edge stands at score >= threshold. */
  report.labelsAt = function (tree, n, threshold) {
    const parent = Array.from({ length: n }, (_, i) => i);
    const root = (i) => {
      while (parent[i] !== i) i = parent[i] = parent[parent[i]];
      return i;
    };
    for (let e = 0; e < tree.scores.length && tree.scores[e] >= threshold; e++) {
      const [a, b] = [root(tree.first[e]), root(tree.second[e])];
      parent[Math.max(a, b)] = Math.min(a, b);
    }
    const numbers = new Map();
    return parent.map((_, i) => {
      const top = root(i);
      if (!numbers.has(top)) numbers.set(top, numbers.size);
      return numbers.get(top);
    });
  };

  const best = (members, value) =>
    members.reduce((found, i) => (value(i) > value(found) ? i : found));

  /** Rules that choose the representative; of equals the better ranked (representatives.py). */
  report.KEEPERS = {
    rank: { label: "best rank", pick: (members) => members[0] },
    longest: {
      label: "longest text",
      pick: (members, view) => best(members, (i) => view.pages[i].length),
    },
    medoid: { label: "most similar to the others", pick: medoid },
    newest: {
      label: "newest date",
      pick: (members, view) => best(members, (i) => view.pages[i].posted),
    },
    walk: { label: "best rank, no chains" },
  };

  function medoid(members, { scores, pages }) {
    const n = pages.length;
    const sumOf = (i) => members.reduce((sum, j) => sum + scores[i * n + j], 0);
    return best(members, (i) => Math.round(sumOf(i) * 1e9));
  }

  /**
   * The clusters of a view ({pages, scores, tree}) in the order of their representatives.
   * `keptOf[i]` is the representative of page i.
   */
  report.cut = function (view, threshold, keep) {
    const n = view.pages.length;
    const clusters = (keep === "walk" ? walkRanking : cutTree)(view, threshold, keep);
    clusters.sort((a, b) => a.kept - b.kept);
    const keptOf = [];
    for (const cluster of clusters) for (const i of cluster.members) keptOf[i] = cluster.kept;
    return { threshold, keep, clusters, keptOf, warnings: warningsOf(clusters, n) };
  };

  function cutTree(view, threshold, keep) {
    const labels = report.labelsAt(view.tree, view.pages.length, threshold);
    const groups = [];
    labels.forEach((label, i) => (groups[label] = groups[label] || []).push(i));
    if (view.checked) return groups.flatMap((members) => splitBelow(members, view, threshold, keep));
    const weakest = weakestLinks(view.tree, labels, threshold);
    return groups.map((members, label) => {
      const kept = report.KEEPERS[keep].pick(members, view);
      return { kept, members, weakest: weakest.get(label), ...leastSimilar(view, members, threshold) };
    });
  }

  /** A cluster, split until every member reaches the threshold with its representative. */
  function splitBelow(members, view, threshold, keep) {
    const clusters = [];
    for (let left = members; left.length;) {
      const kept = report.KEEPERS[keep].pick(left, view);
      const scoreOf = (i) => view.scores[kept * view.pages.length + i];
      const near = left.filter((i) => i === kept || scoreOf(i) >= threshold);
      const weakest = near.length > 1 ? Math.min(...near.filter((i) => i !== kept).map(scoreOf)) : undefined;
      clusters.push({ kept, members: near, weakest, least: leastSimilar(view, near, 0).least, chained: false });
      left = left.filter((i) => !near.includes(i));
    }
    return clusters;
  }

  /** From the top, each page still there drops every later one with a score at the threshold or above. */
  function walkRanking({ scores, pages }, threshold) {
    const left = new Set(pages.keys());
    const clusters = [];
    for (const kept of pages.keys()) {
      if (!left.has(kept)) continue;
      const members = [...left].filter((i) => i === kept || scores[kept * pages.length + i] >= threshold);
      members.forEach((i) => left.delete(i));
      const links = members.filter((i) => i !== kept).map((i) => scores[kept * pages.length + i]);
      clusters.push({ kept, members, weakest: Math.min(...links), least: null, chained: false });
    }
    return clusters;
  }

  function weakestLinks(tree, labels, threshold) {
    const found = new Map();
    for (let e = 0; e < tree.scores.length && tree.scores[e] >= threshold; e++) {
      found.set(labels[tree.first[e]], tree.scores[e]);
    }
    return found;
  }

  function leastSimilar({ scores, pages }, members, threshold) {
    if (members.length === 1) return { least: null, chained: false };
    let least = null;
    for (let x = 0; x < members.length; x++) {
      for (let y = x + 1; y < members.length; y++) {
        const score = scores[members[x] * pages.length + members[y]];
        if (!least || score < least.score) least = { a: members[x], b: members[y], score };
      }
    }
    return { least, chained: least.score < threshold };
  }

  function warningsOf(clusters, pages) {
    const largest = Math.max(0, ...clusters.map((cluster) => cluster.members.length));
    const isGiant = pages >= 10 && largest > GIANT * pages;
    const chained = clusters.filter((cluster) => cluster.chained).length;
    return [
      isGiant ? report.t("One cluster has {size} of {pages} pages: is the threshold too low?", { size: largest, pages }) : "",
      chained ? report.t("{n} chained clusters: some members are linked only through others.", { n: chained }) : "",
    ].filter(Boolean);
  }

  /** The steps from the representative to page i: one where the two are linked, else along the tree. */
  report.chainOf = function (view, threshold, kept, i) {
    const n = view.pages.length;
    const direct = view.scores[kept * n + i] >= threshold;
    const path = direct ? [kept, i] : treePath(view.tree, threshold, kept, i);
    return path.slice(1).map((to, step) => {
      return { a: path[step], b: to, score: view.scores[path[step] * n + to] };
    });
  };

  function treePath(tree, threshold, start, end) {
    const neighbours = new Map();
    const join = (a, b) => neighbours.set(a, [...(neighbours.get(a) || []), b]);
    for (let e = 0; e < tree.scores.length && tree.scores[e] >= threshold; e++) {
      join(tree.first[e], tree.second[e]);
      join(tree.second[e], tree.first[e]);
    }
    const cameFrom = new Map([[start, start]]);
    const queue = [start];
    for (const page of queue) {
      for (const next of neighbours.get(page) || []) {
        if (cameFrom.has(next)) continue;
        cameFrom.set(next, page);
        queue.push(next);
      }
    }
    if (!cameFrom.has(end)) return [];
    const path = [end];
    while (path[0] !== start) path.unshift(cameFrom.get(path[0]));
    return path;
  }

  const LEVELS = ["exact", "nearly exact", "strong", "weak", "low overlap", "none"];

  /** Level of a dropped page: by the texts where it is linked itself (levels.py). */
  report.levelOf = (byText, score, threshold) => (byText > 1 && score < threshold ? "low overlap" : LEVELS[byText]);

  /** A level as a reader understands it, for one page or for several. */
  report.levelWords = (level, n = 1) => report.t(LEVEL_WORDS[level] || LEVEL_WORDS.none, { n });

  const LEVEL_WORDS = {
    exact: "{n} exact copies",
    "nearly exact": "{n} nearly exact copies",
    strong: "{n} copies with additions or cuts",
    weak: "{n} pages with the same message",
    "low overlap": "{n} pages that share little text",
    none: "{n} different pages",
  };
})(ReduceReport);
