// The results as a search engine's user sees them, each with its similar pages folded under it.
(function (report) {
  const { make } = report;

  /** The list of results; `show(i)` brings a page into view, unfolding what hides it. */
  report.resultsPanel = function (query, settings) {
    const list = make("ol", { class: "results" });
    const warnings = make("div", { class: "warnings" });
    const cards = query.pages.map((page) => headOf(page, "h3", query));
    const openGroups = new Set();
    const openPairs = new Set();

    function update(now) {
      const state = query.at(now);
      warnings.replaceChildren(...notesOf(query, state, settings, show));
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
        make("span", { class: "quiet", dir: "ltr", text: lossOf(query.lossesAt(state), others) }),
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
      report.remember(fold, openGroups, cluster.kept, fillIn);
      return fold;
    }

    function similarOf(i, state, now) {
      const page = query.pages[i];
      const score = state.view.scores[state.keptOf[i] * query.pages.length + i];
      const why = make(
        "details",
        { class: "why" },
        make(
          "summary",
          { dir: "ltr" },
          make("span", { class: "score", text: report.fixed(score, 3) }),
          make("span", { class: "level", text: report.levelWords(query.levelOf(state, i)) }),
          make("span", { class: "level", text: report.lossWords(query.lossesAt(state), i) }),
          make("span", { class: "ask", text: "why" }),
        ),
      );
      report.remember(
        why,
        openPairs,
        i,
        () => why.childElementCount > 1 || why.append(report.pairPanel(query, state, now, i)),
      );
      return make(
        "li",
        { "data-page": i, dir: report.directionOf(report.titleOf(page)) },
        headOf(page, "h4", query),
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
  report.remember = function (details, open, key, fillIn) {
    details.addEventListener("toggle", () => {
      if (!details.isConnected) return;
      if (details.open) open.add(key);
      else open.delete(key);
      if (details.open) fillIn();
    });
    if (!open.has(key)) return;
    details.open = true;
    fillIn();
  };

  /** What stands above the list: warnings, or why nothing is folded. */
  function notesOf(query, state, settings, show) {
    const found = state.warnings.map((text) => make("p", { class: "warning", text }));
    const chained = state.clusters.find((cluster) => cluster.chained);
    if (chained) found.at(-1).append(" ", make(
      "button",
      { type: "button", class: "plain", text: "Show one", onclick: () => show(chained.members[1]) },
    ));
    if (state.clusters.length === query.pages.length) found.push(nothingFolded(query, state, settings));
    return found;
  }

  function nothingFolded(query, state, settings) {
    const n = query.pages.length;
    if (n === 0) return make("p", { class: "note", text: "None of this query’s pages could be used; the reasons stand below." });
    if (n === 1) return make("p", { class: "note", text: "One page: there is nothing to compare it with." });
    const most = state.view.tree.scores[0];
    const note = make("p", { class: "note", text: `All ${n} pages are shown: no two of them score ${state.threshold} or more.` });
    if (!(most > 0)) return note;
    note.append(` The two most alike score ${report.fixed(most, 3)}. `, make(
      "button",
      {
        type: "button",
        class: "plain",
        text: "Lower the threshold to fold them",
        onclick: () => settings.set({ threshold: most }),
      },
    ));
    return note;
  }

  /** "3 sentences lost" for a page, "nothing lost"; empty where the report has no texts. */
  report.lossWords = (losses, i) =>
    !losses ? "" : losses[i].count ? `${report.count(losses[i].count, "sentence")} lost` : "nothing lost";

  function lossOf(losses, pages) {
    if (!losses) return "";
    const share = pages.reduce((sum, i) => sum + losses[i].share, 0);
    return share > 0 ? `${report.smallShare(share)} of the information lost` : "nothing lost";
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
  function headOf(page, heading, query) {
    const lang = report.languageOf(page);
    const bits = [page.posted.slice(0, 10), query.languages > 1 ? page.language : ""].filter(Boolean);
    const title = report.titleOf(page);
    return make(
      "div",
      { class: "hit" },
      make(
        "p",
        { class: "where" },
        make("span", { class: "rank", title: "rank among all results", text: page.rank }),
        make("bdi", { class: "url", text: report.readableUrl(page.url) || report.plain(page.id) }),
        bits.length ? make("span", { class: "quiet", dir: "ltr", text: bits.join(" · ") }) : null,
      ),
      make(heading, { class: "title", lang }, report.linkTo(page.url, title)),
      page.snippet && page.snippet !== title ? make(
        "p",
        { class: "snippet", lang, dir: report.directionOf(page.snippet), text: page.snippet },
      ) : null,
    );
  }
})(ReduceReport);
