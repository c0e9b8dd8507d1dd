// The answer in one screen, the results with their near-duplicates collapsed, and the list of dropped pages.
(function (report) {
  const { make, t, button } = report;
  const MAX_CLUSTERS_ON_TOP = 3;
  const MAX_HOSTS_NAMED = 4;

  const others = (cluster) => cluster.members.filter((i) => i !== cluster.kept);

  /** "25 results, 17 worth reading", and the largest clusters with hosts, reason and loss. */
  report.answerPanel = function (query, settings, show) {
    const line = make("p.answer");
    const list = make("ul.top-clusters");
    settings.listen((now) => {
      const state = query.at(now);
      const [before, after] = [query.pages.length, state.clusters.length];
      const kept = query.informationAt(state);
      line.replaceChildren(
        make("strong", t("{n} results", { n: before })),
        t(", "),
        make("strong.after", t("{n} worth reading", { n: query.worthReading(state).length })),
        before > after ? `. ${t("{n} near-duplicates dropped", { n: before - after })}` : "",
        before > after && kept !== null
          ? `${t("; ")}${t("{share} of the information kept", { share: report.percent(kept) })}`
          : "",
        ".",
      );
      const largest = state.clusters
        .filter((cluster) => cluster.members.length > 1)
        .sort((a, b) => b.members.length - a.members.length || a.kept - b.kept);
      list.replaceChildren(...largest.slice(0, MAX_CLUSTERS_ON_TOP).map((cluster) => topCluster(query, state, cluster, show)));
      list.hidden = !largest.length;
    });
    return make("section.answer-panel", { "aria-label": t("Summary") }, withoutContent(query), line, list);
  };

  /** "2 of 9 pages have no content of their own: 2 consent"; null where all have. */
  function withoutContent(query) {
    const counts = new Map();
    for (const { without } of query.pages) if (without) counts.set(without, (counts.get(without) || 0) + 1);
    if (!counts.size) return null;
    const named = [...counts].sort(([, a], [, b]) => b - a).map(([name, n]) => `${n} ${t(name)}`);
    const [n, of] = [report.sum([...counts.values()]), query.pages.length];
    return make("p.warning", t("{n} of {of} pages have no content of their own: {classes}", { n, of, classes: named.join(t(", ")) }));
  }

  function topCluster(query, state, cluster, show) {
    const page = query.pages[cluster.kept];
    const dropped = others(cluster);
    return make(
      "li.top-cluster",
      { vars: { "--hue": report.hueOf(cluster.kept) } },
      make(
        "p.where",
        null,
        make("span.count", t("{n} pages", { n: cluster.members.length })),
        make("bdi", report.hostOf(page.url)),
        make("bdi.quiet", hostsOf(query, cluster)),
      ),
      make("button.plain.title", { type: "button", onclick: () => show(dropped[0]) }, make("bdi", report.titleOf(page))),
      make("p.reason", null, `${levelsOf(query, state, dropped)}. `, differencesOf(query, state, dropped), make("span.loss", lossOf(query.lossesAt(state), dropped))),
    );
  }

  /** "also on a.example, b.example and 3 more"; "same site" where no other is among them. */
  function hostsOf(query, cluster) {
    const own = report.hostOf(query.pages[cluster.kept].url);
    const hosts = [...new Set(others(cluster).map((i) => report.hostOf(query.pages[i].url)))].filter(
      (host) => host && host !== own,
    );
    const named = hosts.slice(0, MAX_HOSTS_NAMED).join(t(", "));
    const more = hosts.length > MAX_HOSTS_NAMED ? ` ${t("and {n} more", { n: hosts.length - MAX_HOSTS_NAMED })}` : "";
    return named ? t("also on {hosts}", { hosts: named + more }) : own && t("same site");
  }

  /** "2 exact copies, 1 copy with additions or cuts" */
  function levelsOf(query, state, pages) {
    const counts = new Map();
    for (const i of pages) counts.set(query.levelOf(state, i), (counts.get(query.levelOf(state, i)) || 0) + 1);
    return [...counts].map(([level, n]) => report.levelWords(level, n)).join(t(", "));
  }

  /** "Other figures, dropped / kept: 14 / 12 killed. " of the first dropped page whose facts differ. */
  const differencesOf = (query, state, pages) => pages.map((i) => report.factsWords(query, state, i)).find(Boolean) || "";

  function lossOf(losses, pages) {
    if (!losses) return "";
    return report.countLost(...["count", "of", "share"].map((key) => report.sum(pages.map((i) => losses[i][key]))));
  }

  /** The list of results; `show(i)` brings a page into view, opening what collapses it. */
  report.resultsPanel = function (query, settings) {
    const list = make("ol.results");
    const notes = make("div.warnings");
    const heads = query.pages.map((page) => headOf(page, "h3", query));
    const [openClusters, openReasons] = [new Set(), new Set()];

    function update(now) {
      const state = query.at(now);
      notes.replaceChildren(...notesOf(query, state, settings, show));
      list.replaceChildren(...state.clusters.map((cluster) => resultOf(cluster, state, now)));
    }

    function resultOf(cluster, state, now) {
      const page = query.pages[cluster.kept];
      const data = {
        "data-page": cluster.kept,
        "data-members": cluster.members.join(" "),
        value: page.rank,
        dir: report.directionOf(report.titleOf(page)),
      };
      return make("li.result", data, heads[cluster.kept], cluster.members.length > 1 ? clusterOf(cluster, state, now) : null);
    }

    function clusterOf(cluster, state, now) {
      const dropped = others(cluster);
      const facts = [levelsOf(query, state, dropped), lossOf(query.lossesAt(state), dropped)].filter(Boolean).join(" · ");
      const dir = report.isRightToLeft(report.language) ? "rtl" : "ltr";
      const summary = make(
        "summary",
        { dir },
        make("span.count", t("{n} similar", { n: dropped.length })),
        make("bdi.hosts", hostsOf(query, cluster)),
        make("span.quiet", facts),
        chainBadge(cluster, state),
      );
      const body = make("ul.similar");
      const details = make("details.cluster", { vars: { "--hue": report.hueOf(cluster.kept) } }, summary, body);
      const linked = t("Every page of this cluster scores {score} or more with another page of it.", {
        score: report.fixed(cluster.weakest, 3),
      });
      const fill = () =>
        body.childElementCount ||
        body.append(...dropped.map((i) => similarOf(i, state, now)), make("li.quiet.weakest-link", { dir, text: linked }));
      report.remember(details, openClusters, cluster.kept, fill);
      return details;
    }

    function similarOf(i, state, now) {
      const page = query.pages[i];
      const summary = make(
        "summary",
        null,
        make("span.score", report.fixed(query.scoreOf(state, i), 3)),
        make("span.level", report.reasonOf(query, state, i)),
        make("span.loss", report.lossWords(query.lossesAt(state), i)),
        make("span.ask", t("why")),
      );
      const why = make("details.why", { dir: report.isRightToLeft(report.language) ? "rtl" : "ltr" }, summary);
      report.remember(why, openReasons, i, () => why.childElementCount > 1 || why.append(report.pairPanel(query, state, now, i)));
      return make("li", { "data-page": i, dir: report.directionOf(report.titleOf(page)) }, headOf(page, "h4", query), why);
    }

    function show(i) {
      const { kept, item } = itemOf(i);
      if (i !== kept) item.querySelector("details.cluster").open = true;
      requestAnimationFrame(() => {
        const target = i === kept ? item : item.querySelector(`li[data-page="${i}"]`) || item;
        target.scrollIntoView({ block: "center" });
        const link = target.querySelector("a, summary");
        if (link) link.focus({ preventScroll: true });
      });
    }

    function itemOf(i) {
      const kept = query.at(settings.get()).keptOf[i];
      return { kept, item: list.querySelector(`li.result[data-page="${kept}"]`) };
    }

    return { element: make("div.results-panel", null, notes, list), update, show };
  };

  /** Keeps a details element open over redrawings, and fills it only when it is opened. */
  report.remember = function (details, open, key, fill) {
    details.addEventListener("toggle", () => {
      if (!details.isConnected) return;
      if (details.open) open.add(key);
      else open.delete(key);
      if (details.open) fill();
    });
    details.fill = fill;
    if (!open.has(key)) return;
    details.open = true;
    fill();
  };

  /** What is above the list: warnings, or why nothing is dropped. */
  function notesOf(query, state, settings, show) {
    const found = state.warnings.map((text) => make("p.warning", text));
    const chained = state.clusters.find((cluster) => cluster.chained);
    if (chained)
      found.at(-1).append(
        " ",
        button(".plain", t("Show one"), () => show(chained.members[1])),
      );
    if (state.clusters.length === query.pages.length) found.push(nothingDropped(query, state, settings));
    return found;
  }

  function nothingDropped(query, state, settings) {
    const n = query.pages.length;
    if (n === 0) return make("p.note", t("None of this query’s pages could be used; the reasons are below."));
    if (n === 1) return make("p.note", t("One page: there is nothing to compare it with."));
    const most = state.view.tree.scores[0];
    const note = make(
      "p.note",
      t("All {n} pages are kept: no two of them score {threshold} or more.", { n, threshold: state.threshold }),
    );
    if (!(most > 0)) return note;
    note.append(
      ` ${t("The two most similar score {score}.", { score: report.fixed(most, 3) })} `,
      button(".plain", t("Lower the threshold to merge them"), () => settings.set({ threshold: most })),
    );
    return note;
  }

  function chainBadge(cluster, state) {
    if (!cluster.chained) return null;
    const title = t("Two members score only {score}, below {threshold}", {
      score: report.fixed(cluster.least.score, 3),
      threshold: state.threshold,
    });
    return make("span.badge.warn", { title, text: t("chained") });
  }

  /** Address, title and beginning of a page. */
  function headOf(page, heading, query) {
    const lang = report.languageOf(page);
    const bits = [page.posted.slice(0, 10), query.languages > 1 ? page.language : ""].filter(Boolean).join(" · ");
    const title = report.titleOf(page);
    return make(
      "div.hit",
      null,
      make(
        "p.where",
        null,
        make("span.rank", { title: t("rank among all results"), text: page.rank }),
        make("bdi.url", report.readableUrl(page.url) || report.plain(page.id)),
        bits ? make("span.quiet", { dir: "ltr", text: bits }) : null,
      ),
      make(`${heading}.title`, { lang }, report.linkTo(page.url, title)),
      page.snippet && page.snippet !== title
        ? make("p.snippet", { lang, dir: report.directionOf(page.snippet), text: page.snippet })
        : null,
    );
  }
})(ReduceReport);
