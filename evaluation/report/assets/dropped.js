// Every dropped page in one list: which page is kept instead, why, and what is lost with it; and the same as CSV.
(function (report) {
  const { make, t, button } = report;
  const ORDERS = {
    lost: { label: "most lost first", compare: (a, b) => b.loss.share - a.loss.share || a.i - b.i },
    rank: { label: "by rank", compare: (a, b) => a.i - b.i },
    score: { label: "least similar first", compare: (a, b) => a.score - b.score || a.i - b.i },
  };

  /** The panel; `show(i)` brings a page into view among the results. */
  report.droppedPanel = function (query, settings, show) {
    const lead = make("p.lead");
    const list = make("ul.dropped-list");
    const none = make("p.note", {
      hidden: true,
      "aria-live": "polite",
      text: t("No page has these words in its title or address."),
    });
    const open = new Set();
    const controls = controlsOf(() => update(settings.get()));

    function update(now) {
      const state = query.at(now);
      const losses = query.lossesAt(state);
      const rows = query.pages.map((page, i) => rowOf(query, state, losses, i));
      const dropped = rows.filter((row) => row.i !== row.kept);
      lead.textContent = leadOf(query, state, dropped);
      controls.element.hidden = !dropped.length;
      const wanted = controls.words() ? rows.filter((row) => matches(query, row, controls.words())) : dropped;
      wanted.sort(ORDERS[controls.order()].compare);
      list.replaceChildren(
        ...wanted.map((row) =>
          row.i === row.kept ? keptItem(query, state, row.i, show) : itemOf(query, state, now, row, { show, open }),
        ),
      );
      none.hidden = wanted.length > 0 || !controls.words();
    }

    return { element: make("div.dropped-panel", null, lead, controls.element, none, list), update };
  };

  /** A box to find pages by, and the order of the list. */
  function controlsOf(changed) {
    const [findId, orderId] = [report.newId("find"), report.newId("order")];
    const find = make("input.find", {
      type: "search",
      id: findId,
      autocomplete: "off",
      spellcheck: "false",
      placeholder: t("words of its title or address"),
      oninput: changed,
    });
    const order = make(
      "select.order",
      { id: orderId, onchange: changed },
      Object.entries(ORDERS).map(([value, { label }]) => make("option", { value, text: t(label) })),
    );
    const element = make(
      "div.list-controls",
      { role: "search" },
      make("div", null, make("label", { for: findId, text: t("Find a page") }), find),
      make("div", null, make("label", { for: orderId, text: t("Order") }), order),
    );
    return { element, words: () => find.value.toLowerCase().trim(), order: () => order.value };
  }

  function matches(query, { i }, words) {
    const page = query.pages[i];
    const text = `${page.rank}. ${report.titleOf(page)} ${page.url} ${report.readableUrl(page.url)}`.toLowerCase();
    return words.split(/\s+/).every((word) => text.includes(word));
  }

  function rowOf(query, state, losses, i) {
    const kept = state.keptOf[i];
    return { i, kept, score: query.scoreOf(state, i), loss: i !== kept && losses ? losses[i] : { count: 0, of: 0, share: 0 } };
  }

  function leadOf(query, state, dropped) {
    if (!dropped.length) return t("No page is dropped, so nothing is lost.");
    const what = t("{n} of {of} pages dropped.", { n: dropped.length, of: query.pages.length });
    const kept = query.informationAt(state);
    if (kept === null) return what;
    const nothing = dropped.filter((row) => !row.loss.count).length;
    const without = nothing ? t("; ") + t("nothing is lost with {n} of the dropped ones", { n: nothing }) : "";
    const share = t("The kept pages still have {share} of the information, by words, those on few pages weighing more", {
      share: report.percent(kept),
    });
    return `${what} ${share}${without}.`;
  }

  function itemOf(query, state, now, { i, kept, score, loss }, { show, open }) {
    const facts = ` · ${report.fixed(score, 3)} · ${report.reasonOf(query, state, i)}`;
    const lossText = query.query.information ? report.lossWords([loss], 0) : "";
    const details = make(
      "details.dropped",
      { "data-page": i },
      make(
        "summary",
        null,
        make("h3.name", null, report.namePage(query.pages[i])),
        make(loss.count ? "span.loss.some" : "span.loss", lossText),
        make(
          "span.instead",
          null,
          make("bdi", report.hostOf(query.pages[i].url)),
          ` · ${t("kept instead:")} `,
          report.namePage(query.pages[kept]),
          make("span.score-facts", facts),
        ),
      ),
    );
    const fill = () =>
      details.childElementCount > 1 ||
      details.append(
        report.pairPanel(query, state, now, i),
        button(".to-result", t("Show it among the results"), () => show(i)),
      );
    report.remember(details, open, i, fill);
    return make("li", null, details);
  }

  function keptItem(query, state, i, show) {
    const n = state.keptOf.filter((kept, k) => kept === i && k !== i).length;
    const text = n ? t("kept, with {n} similar", { n }) : t("kept, no near-duplicates");
    return make(
      "li.is-kept",
      null,
      button(".plain", "", () => show(i), { text: `${query.pages[i].rank}. ${report.titleOf(query.pages[i])}` }),
      make("p.instead.quiet", text),
    );
  }

  const COLUMNS = ["query", "rank", "url", "title", "cluster", "kept", "score", "level", "sentences_lost", "sentences"];

  /** What is seen under the settings, one row per page. */
  report.tableOf = function (queries, now) {
    const rows = queries.flatMap((query) => {
      const state = query.at(now);
      const losses = query.lossesAt(state);
      const numbers = new Map(state.clusters.map((cluster, k) => [cluster.kept, k + 1]));
      return query.pages.map((page, i) => {
        const kept = state.keptOf[i];
        const why =
          kept === i
            ? ["", "", "", ""]
            : [
                query.scoreOf(state, i).toFixed(6),
                query.levelOf(state, i),
                losses ? losses[i].count : "",
                losses ? losses[i].of : "",
              ];
        return [
          query.query.query,
          page.rank,
          page.url || page.id,
          page.title,
          numbers.get(kept),
          query.pages[kept].url || query.pages[kept].id,
          ...why,
        ];
      });
    });
    return [COLUMNS, ...rows];
  };
})(ReduceReport);
