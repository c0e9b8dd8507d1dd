// A tree, cut: clusters, their representatives, and how the other members are linked (pipeline.py).
(function (report) {
  /** Share of all pages from which one cluster is reported as suspicious. */
  const GIANT = 0.5;

  /** Cluster number of each page, by first member; an edge exists at score >= threshold. */
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

  const best = (members, value) => members.reduce((found, i) => (value(i) > value(found) ? i : found));

  /** Rules that choose the representative; of equals the better ranked (representatives.py). */
  report.KEEPERS = {
    rank: { label: "best rank", pick: (members, view, central = members) => central[0] },
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

  function medoid(members, view) {
    const sumOf = (i) => members.reduce((sum, j) => sum + report.scoreIn(view, i, j), 0);
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

  /**
   * A cluster, split into parts in which every member reaches the threshold with the representative and does not
   * contradict it. Parts grow along the links, the highest score first (split_group in representatives.py).
   */
  function splitBelow(members, view, threshold, keep) {
    const score = (i, j) => report.scoreIn(view, i, j);
    const isNear = (i, j) => i === j || score(i, j) >= threshold;
    const contradicts = (part, kept) =>
      part.kept !== kept && part.members.some((i) => i !== kept && view.contradict?.(i, kept));

    const join = (parts) => {
      const together = parts.flatMap((part) => part.members).sort((a, b) => a - b);
      const central = together.filter((i) => together.every((j) => isNear(i, j)));
      if (!central.length) return null;
      const kept = report.KEEPERS[keep].pick(together, view, central);
      const fits = central.includes(kept) && !parts.some((part) => contradicts(part, kept));
      return fits ? { kept, members: together } : null;
    };

    const partOf = new Map(members.map((i) => [i, { kept: i, members: [i] }]));
    const adopt = (part) => part.members.forEach((i) => partOf.set(i, part));
    const whole = join([...partOf.values()]);
    if (whole) adopt(whole);
    else {
      const links = members.flatMap((i, x) => members.slice(x + 1).map((j) => ({ i, j, score: score(i, j) })));
      links.sort((a, b) => b.score - a.score || a.i - b.i || a.j - b.j);
      for (const link of links) {
        if (link.score < threshold) break;
        const parts = [partOf.get(link.i), partOf.get(link.j)];
        const joined = parts[0] === parts[1] ? null : join(parts);
        if (joined) adopt(joined);
      }
    }
    return [...new Set(partOf.values())].map((part) => describeStar(part.kept, part.members, view));
  }

  function describeStar(kept, members, view) {
    const links = members.filter((i) => i !== kept).map((i) => report.scoreIn(view, kept, i));
    const weakest = links.length ? Math.min(...links) : undefined;
    return { kept, members, weakest, least: leastSimilar(view, members, 0).least, chained: false };
  }

  /** From the top, each page still there drops every later one with a score at the threshold or above. */
  function walkRanking(view, threshold) {
    const { pages } = view;
    const left = new Set(pages.keys());
    const clusters = [];
    for (const kept of pages.keys()) {
      if (!left.has(kept)) continue;
      const members = [...left].filter((i) => i === kept || report.scoreIn(view, kept, i) >= threshold);
      members.forEach((i) => left.delete(i));
      const links = members.filter((i) => i !== kept).map((i) => report.scoreIn(view, kept, i));
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

  function leastSimilar(view, members, threshold) {
    if (members.length === 1) return { least: null, chained: false };
    let least = null;
    for (let x = 0; x < members.length; x++) {
      for (let y = x + 1; y < members.length; y++) {
        if (view.links && !view.links.isKnown(members[x], members[y])) continue;
        const score = report.scoreIn(view, members[x], members[y]);
        if (!least || score < least.score) least = { a: members[x], b: members[y], score };
      }
    }
    return { least, chained: Boolean(least) && least.score < threshold };
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
    const direct = report.scoreIn(view, kept, i) >= threshold;
    const path = direct ? [kept, i] : treePath(view.tree, threshold, kept, i);
    return path.slice(1).map((to, step) => {
      return { a: path[step], b: to, score: report.scoreIn(view, path[step], to) };
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

  const LEVELS = ["exact", "nearly exact", "strong", "same text, other facts", "weak", "low overlap", "none"];

  const MIN_COPY_SCORE = 0.9;

  /** Level of a dropped page by texts, facts and score (levels.py). */
  report.levelOf = function (byText, facts, score) {
    const level = byText < 2 && score < MIN_COPY_SCORE ? "strong" : LEVELS[byText];
    if (!facts || !["nearly exact", "strong"].includes(level)) return level;
    return facts.same_text ? "same text, other facts" : "weak";
  };

  /** A level as a reader understands it, for one page or for several. */
  report.levelWords = (level, n = 1) => report.t(LEVEL_WORDS[level] || LEVEL_WORDS.none, { n });

  const LEVEL_WORDS = {
    exact: "{n} exact copies",
    "nearly exact": "{n} nearly exact copies",
    strong: "{n} copies with additions or cuts",
    "same text, other facts": "{n} copies with other facts",
    weak: "{n} pages with the same message",
    "low overlap": "{n} pages that share little text",
    none: "{n} different pages",
  };
})(ReduceReport);
