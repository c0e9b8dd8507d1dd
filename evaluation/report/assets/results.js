// The results as a search engine's user sees them, each with its similar pages folded under it.
(function (report) {
  const { make } = report;

  /** The list of results; `show(i)` brings a page into view, unfolding what hides it. */
  report.resultsPanel = function (query, settings) {
    const list = make("ol", { class: "results" });
    const warnings = make("div", { class: "warnings" });
    const cards = query.pages.map((page) => headOf(page, "h3"));
    const openGroups = new Set();
    const openPairs = new Set();

    function update(now) {
      const state = query.at(now);
      warnings.replaceChildren(...state.warnings.map((text) => make(
        "p",
        { class: "warning", text },
      )));
      list.replaceChildren(...state.clusters.map((cluster) => resultOf(cluster, state, now)));
    }

    function resultOf(cluster, state, now) {
      const page = query.pages[cluster.kept];
      const item = make(
        "li",
        {
          class: "result",
          "data-page": cluster.kept,
          "data-members": cluster.members.join(" "),
          value: page.rank,
          dir: report.directionOf(report.titleOf(page)),
        },
      );
      item.append(cards[cluster.kept]);
      if (cluster.members.length > 1) item.append(foldOf(cluster, state, now));
      return item;
    }

    function foldOf(cluster, state, now) {
      const others = cluster.members.filter((i) => i !== cluster.kept);
      const summary = make(
        "summary",
        {},
        make("span", { class: "count", dir: "ltr", text: `${others.length} similar` }),
        badgesOf(cluster, state),
      );
      const body = make("ul", { class: "similar" });
      const fold = make(
        "details",
        { class: "fold", vars: { "--hue": report.hueOf(cluster.kept) } },
        summary,
        body,
      );
      const fillIn = () =>
        body.childElementCount || body.append(...others.map((i) => similarOf(i, state, now)));
      remember(fold, openGroups, cluster.kept, fillIn);
      return fold;
    }

    function similarOf(i, state, now) {
      const page = query.pages[i];
      const score = state.view.scores[state.keptOf[i] * query.pages.length + i];
      const level = query.levelOf(state, i);
      const why = make(
        "details",
        { class: "why" },
        make(
          "summary",
          { dir: "ltr" },
          make("span", { class: "score", text: report.fixed(score, 3) }),
          make("span", { class: "level", text: level }),
          make("span", { class: "ask", text: "why" }),
        ),
      );
      remember(
        why,
        openPairs,
        i,
        () => why.childElementCount > 1 || why.append(report.pairPanel(query, state, now, i)),
      );
      return make(
        "li",
        { "data-page": i, dir: report.directionOf(report.titleOf(page)) },
        headOf(page, "h4"),
        why,
      );
    }

    function show(i) {
      const kept = query.at(settings.get()).keptOf[i];
      const item = list.querySelector(`li.result[data-page="${kept}"]`);
      if (i !== kept) item.querySelector("details.fold").open = true;
      requestAnimationFrame(() => {
        const target = i === kept ? item : item.querySelector(`li[data-page="${i}"]`) || item;
        target.scrollIntoView({ block: "center" });
        const link = target.querySelector("a, summary");
        if (link) link.focus({ preventScroll: true });
      });
    }

    return { element: make("div", { class: "results-panel" }, warnings, list), update, show };
  };

  /** Keep a fold open over redrawings, and fill it only when it is opened. */
  function remember(details, open, key, fillIn) {
    details.addEventListener("toggle", () => {
      if (!details.isConnected) return;
      if (details.open) open.add(key);
      else open.delete(key);
      if (details.open) fillIn();
    });
    if (!open.has(key)) return;
    details.open = true;
    fillIn();
  }

  function badgesOf(cluster, state) {
    const found = [make(
      "span",
      { class: "quiet", dir: "ltr", text: `weakest link ${report.fixed(cluster.weakest, 3)}` },
    )];
    if (cluster.chained) {
      const title = `Two members score only ${report.fixed(cluster.least.score, 3)}, below ${state.threshold}`;
      found.push(make("span", { class: "badge warn", title, text: "chained" }));
    }
    return found;
  }

  /** Address, title and beginning of a page. */
  function headOf(page, heading) {
    const bits = [`rank ${page.rank}`, page.posted.slice(0, 10), page.language].filter(Boolean);
    return make(
      "div",
      { class: "hit" },
      make(
        "p",
        { class: "where" },
        make("bdi", { class: "url", text: report.readableUrl(page.url) || page.id }),
        make("span", { class: "quiet", dir: "ltr", text: bits.join(" · ") }),
      ),
      make(heading, { class: "title" }, report.linkTo(page.url, report.titleOf(page))),
      page.snippet ? make(
        "p",
        { class: "snippet", dir: report.directionOf(page.snippet), text: page.snippet },
      ) : null,
    );
  }
})(ReduceReport);
