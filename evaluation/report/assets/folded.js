// Every page that is not shown: which is shown instead, why, and what went with it.
(function (report) {
  const { make } = report;
  const ORDERS = {
    lost: {
      label: "most lost first",
      compare: (a, b) => b.loss.share - a.loss.share || a.i - b.i,
    },
    rank: { label: "by rank", compare: (a, b) => a.i - b.i },
    score: { label: "least alike first", compare: (a, b) => a.score - b.score || a.i - b.i },
  };
  const NO_LOSS = { count: 0, share: 0 };
  let made = 0;

  /** The panel; `show(i)` brings a page into view among the results. */
  report.foldedPanel = function (query, settings, show) {
    const lead = make("p", { class: "lead" });
    const list = make("ul", { class: "losses" });
    const none = make("p", { class: "note", hidden: true, "aria-live": "polite" });
    const open = new Set();
    const controls = controlsOf(() => update(settings.get()));

    function update(now) {
      const state = query.at(now);
      const losses = query.lossesAt(state);
      const rows = query.pages.map((page, i) => rowOf(query, state, losses, i));
      const folded = rows.filter((row) => row.i !== row.kept);
      lead.textContent = leadOf(query, state, folded);
      controls.element.hidden = !folded.length;
      const wanted = controls.words() ? rows.filter((row) => matches(query, row, controls.words())) : folded;
      wanted.sort(ORDERS[controls.order()].compare);
      list.replaceChildren(...wanted.map((row) => itemOf(query, state, now, row, { show, open })));
      none.hidden = wanted.length > 0 || !controls.words();
      none.textContent = "No page has these words in its title or address.";
    }

    const element = make("div", { class: "lost-panel" }, lead, controls.element, none, list);
    return { element, update };
  };

  /** A box to find pages by, and the order of the list. */
  function controlsOf(changed) {
    const id = `rr-folded-${++made}`;
    const find = make("input", {
      type: "search", id: `${id}-find`, class: "find", autocomplete: "off", spellcheck: "false",
      placeholder: "words of its title or address", oninput: changed,
    });
    const order = make(
      "select",
      { id: `${id}-order`, class: "order", onchange: changed },
      Object.entries(ORDERS).map(([value, { label }]) => make("option", { value, text: label })),
    );
    const element = make(
      "div",
      { class: "folded-controls", role: "search" },
      make("div", {}, make("label", { for: `${id}-find`, text: "Find a page" }), find),
      make("div", {}, make("label", { for: `${id}-order`, text: "Order" }), order),
    );
    const words = () => find.value.toLowerCase().trim();
    return { element, words, order: () => order.value };
  }

  const matches = (query, { i }, words) => {
    const page = query.pages[i];
    const text = `${page.rank}. ${report.titleOf(page)} ${page.url} ${report.readableUrl(page.url)}`.toLowerCase();
    return words.split(/\s+/).every((word) => text.includes(word));
  };

  function rowOf(query, state, losses, i) {
    const kept = state.keptOf[i];
    const score = state.view.scores[kept * query.pages.length + i];
    return { i, kept, score, loss: i !== kept && losses ? losses[i] : NO_LOSS };
  }

  function leadOf(query, state, folded) {
    if (!folded.length) return "No page is folded, so nothing is lost.";
    const what = `${report.count(folded.length, "page")} of ${query.pages.length} folded.`;
    const kept = query.informationAt(state);
    if (kept === null) return what;
    const nothing = folded.filter((row) => !row.loss.count).length;
    return `${what} The pages shown still hold ${report.percent(kept)} of the information; ${nothing} of the folded ones had nothing that is not shown.`;
  }

  function itemOf(query, state, now, row, { show, open }) {
    const { i, kept } = row;
    if (i === kept) return shownItem(query, state, i, show);
    const details = make(
      "details",
      { class: "loss", "data-page": i },
      make(
        "summary",
        {},
        make("h3", { class: "name" }, report.namePage(query.pages[i])),
        make("span", { class: "score", text: query.query.information ? report.lossWords([row.loss], 0) : "" }),
        make("span", { class: "instead" }, "shown instead: ", report.namePage(query.pages[kept]), factsOf(query, state, row)),
      ),
    );
    const fillIn = () => details.childElementCount > 1 || details.append(
      report.pairPanel(query, state, now, i),
      make("button", { type: "button", class: "to-result", text: "Show it among the results", onclick: () => show(i) }),
    );
    report.remember(details, open, i, fillIn);
    return make("li", {}, details);
  }

  function factsOf(query, state, { i, score, loss }) {
    const share = loss.share ? ` · ${report.smallShare(loss.share)} of the information` : "";
    const text = ` · ${report.fixed(score, 3)}, ${report.levelWords(query.levelOf(state, i))}${share}`;
    return make("span", { class: "told", text });
  }

  function shownItem(query, state, i, show) {
    const others = state.keptOf.filter((kept, k) => kept === i && k !== i).length;
    const text = others ? `shown, with ${others} similar under it` : "shown, nothing like it";
    return make(
      "li",
      { class: "is-shown" },
      make("button", { type: "button", class: "plain", onclick: () => show(i) }, report.namePage(query.pages[i])),
      make("p", { class: "instead quiet", text }),
    );
  }
})(ReduceReport);
