// Why a page is folded under another: score, bars, chain, shared passages, what was lost.
(function (report) {
  const { make } = report;
  const LONGEST_LIST = 6;

  /** Everything about one folded page, for the moment its row is opened. */
  report.pairPanel = function (query, state, settings, i) {
    const kept = state.keptOf[i];
    return make(
      "div",
      { class: "pair", dir: "ltr" },
      verdict(query, state, kept, i),
      report.barsOf(query, settings, kept, i),
      lost(query, state, i),
      passages(query, kept, i),
    );
  };

  /** Which page is shown instead, and by which score; the chain where only others link them. */
  function verdict(query, state, kept, i) {
    const score = state.view.scores[kept * query.pages.length + i];
    const chain = report.chainOf(state.view, state.threshold, kept, i);
    const direct = score >= state.threshold;
    const line = make(
      "p",
      { class: "verdict" },
      "Shown instead: ",
      report.namePage(query.pages[kept]),
      `. The two score ${report.fixed(score, 3)}, ${direct ? "at or above" : "below"} the threshold ${state.threshold}.`,
    );
    return chain.length < 2 ? line : make("div", {}, line, chainList(query, chain, kept));
  }

  function chainList(query, chain, kept) {
    const weakest = chain.reduce((low, step) => (step.score < low.score ? step : low));
    const steps = chain.map((step) =>
      make(
        "li",
        { class: step === weakest ? "weakest" : null },
        make("span", { class: "score", text: `→ ${report.fixed(step.score, 3)}` }),
        report.namePage(query.pages[step.b]),
        step === weakest ? make("span", { class: "badge warn", text: "weakest step" }) : null,
      ),
    );
    return make(
      "div",
      { class: "chain" },
      make("p", { text: "It is here because other pages link it to the shown one, step by step:" }),
      make(
        "ol",
        {},
        make(
          "li",
          {},
          make("span", { class: "score", text: "shown" }),
          report.namePage(query.pages[kept]),
        ),
        steps,
      ),
    );
  }

  function passages(query, kept, i) {
    const found = query.passages(i, kept);
    const words = found.reduce((sum, passage) => sum + passage.words, 0);
    const summary = found.length
      ? `${report.count(found.length, "shared passage")}, ${report.count(words, "word")} in all; the longest has ${found[0].words}`
      : "No run of six or more words is shared";
    const pane = (page, side, label) => textPane(query.pages[page], found, side, label);
    const panes = make(
      "div",
      { class: "panes" },
      pane(kept, "kept", "Shown"),
      pane(i, "dropped", "Folded"),
    );
    panes.addEventListener("click", (event) => jump(panes, event.target));
    panes.addEventListener("keydown", (event) => {
      if (event.key === "Enter") jump(panes, event.target);
    });
    return make("div", { class: "passages" }, make("h4", { text: summary }), panes);
  }

  /** A body with its shared passages marked; equal numbers are the same passage. */
  function textPane(page, found, side, label) {
    const places = found.map((passage, number) => ({ span: passage[side], number: number + 1 }));
    places.sort((a, b) => a.span[0] - b.span[0]);
    const text = make(
      "div",
      {
        class: "text",
        dir: report.directionOf(page.body),
        lang: report.languageOf(page),
        tabindex: 0,
        role: "region",
        "aria-label": `${label}: text of ${report.titleOf(page)}`,
      },
    );
    let end = 0;
    for (const { span, number } of places) {
      if (span[0] < end) continue;
      const mark = make(
        "mark",
        {
          "data-passage": number,
          role: "button",
          tabindex: 0,
          title: `passage ${number}`,
          text: page.body.slice(...span),
        },
      );
      text.append(page.body.slice(end, span[0]), mark);
      end = span[1];
    }
    text.append(page.body.slice(end));
    if (!page.body) text.append(make("span", { class: "quiet", text: "no text" }));
    if (page.clipped) text.append(make(
      "span",
      { class: "quiet", text: " … the rest of the text is not in this report" },
    ));
    const head = make(
      "h5",
      {},
      `${label}: `,
      make("bdi", { text: report.titleOf(page) }),
    );
    return make("div", { class: `pane ${side}` }, head, text);
  }

  /** From a marked passage to the same one in the other text. */
  function jump(panes, target) {
    const number = target.dataset && target.dataset.passage;
    if (!number) return;
    for (const mark of panes.querySelectorAll("mark")) {
      const same = mark.dataset.passage === number;
      mark.classList.toggle("chosen", same);
      const box = mark.closest(".text");
      if (same && mark !== target) {
        box.scrollTop += mark.getBoundingClientRect().top - box.getBoundingClientRect().top - 40;
      }
    }
  }

  /** What the folded page has that no shown page holds. */
  function lost(query, state, i) {
    if (!query.query.information) return null;
    const found = query.lostAt(state, i);
    if (!found.places.length) return make(
      "p",
      { class: "lost none", text: "Nothing is lost: the shown pages hold all of its content." },
    );
    return make(
      "div",
      { class: "lost" },
      make(
        "h4",
        { text: `Lost with it: ${report.count(found.places.length, "sentence")}, ${report.smallShare(found.share)} of the information` },
      ),
      make("p", { class: "quiet key-alone", text: report.aloneNote(found) }),
      report.lostList(query.pages[i], found.places, LONGEST_LIST),
    );
  }

  const lostItem = (text, alone) =>
    make("li", { dir: report.directionOf(text), class: alone ? "alone" : null, text });

  /** What the marks beside lost sentences mean. */
  report.aloneNote = ({ places, alone }) =>
    alone === places.length
      ? "On no other page at all."
      : alone
        ? `On no shown page; ${alone} of them, marked, on no other page at all.`
        : `On no shown page; other folded pages have ${places.length === 1 ? "it" : "them"} too.`;

  /** Sentences that went with a page, as a list that can be opened to its end. */
  report.lostList = function (page, places, most) {
    const item = ({ span: [start, end], alone }) =>
      end > start && start < page.body.length
        ? lostItem(page.body.slice(start, end), alone)
        : make(
          "li",
          { class: "quiet", text: "in a part of the text that this report does not carry" },
        );
    const list = make("ul", { class: "sentences" }, places.slice(0, most).map(item));
    if (places.length <= most) return list;
    const more = make("button", {
      type: "button",
      class: "plain",
      text: `${places.length - most} more`,
      onclick: () => {
        list.append(...places.slice(most).map(item));
        more.remove();
      },
    });
    return make("div", {}, list, more);
  };
})(ReduceReport);
