// Why a page was dropped: the reason in words, contributions of the signals, chain, what is lost, both texts.
(function (report) {
  const { make, t, button } = report;
  const MAX_LOST_LISTED = 6;
  /** Share of the words in shared passages from which two texts are shown by their differences. */
  const COPY = 0.6;
  /** Words of equal text that are shortened to their ends where differences are shown. */
  const LONG_STRETCH = 60;
  /** Characters of a fact that stay on one line, which a telephone's has room for. */
  const MAX_UNBROKEN_CHARS = 32;

  const REASONS = {
    exact: "Same text, word for word.",
    "nearly exact": "Same text but for links, tags and punctuation.",
    "same text, other facts": "Nearly all of the shorter text is in the other.",
    strong: "Nearly all of the shorter text is in the other.",
    weak: "Same message, with other details.",
    "low overlap": "The two share little text.",
  };

  /** Why page i was dropped, in a sentence or two. */
  report.reasonOf = function (query, state, i) {
    const score = query.scoreOf(state, i);
    const words = report.factsWords(query, state, i) + t(REASONS[query.levelOf(state, i)] || REASONS["low overlap"]);
    const linked = score >= state.threshold ? "" : ` ${t("It is linked only through other pages.")}`;
    return words + linked;
  };

  /** "Other figures, dropped / kept: 14 / 12 killed. " for a page whose facts differ, else "". */
  report.factsWords = function (query, state, i) {
    const found = Object.entries(query.factsOf(state, i));
    return found.map(([what, items]) => `${t(FACTS[what], { list: items.map(isolated).join(t(", ")) })} `).join("");
  };

  /** A text whose direction does not change the order of those around it (U+2068 and U+2069); a short one does not wrap. */
  const isolated = (text) => `\u2068${text.length <= MAX_UNBROKEN_CHARS ? text.replaceAll(" ", "\u00a0") : text}\u2069`;

  const FACTS = {
    "other names": "Other names, dropped / kept: {list}.",
    "other figures": "Other figures, dropped / kept: {list}.",
  };

  /** How many of a page's sentences are lost; empty where the report has no texts. */
  report.lossWords = function (losses, i) {
    if (!losses) return "";
    return report.countLost(losses[i].count, losses[i].of, losses[i].share);
  };

  /** "9 of 41 sentences lost, 12 % of the information" or "nothing lost". The shares of all dropped pages add up to what is not kept. */
  report.countLost = function (n, of, share) {
    if (!n) return t("nothing lost");
    const lost = of === 1 ? t("its only sentence is lost") : t("{n} of {of} sentences lost", { n, of });
    return `${lost}${t(", ")}${t("{share} of the information", { share: report.percent(share) })}`;
  };

  /** Everything about one dropped page, for the moment its row is opened. */
  report.pairPanel = function (query, state, settings, i) {
    const kept = state.keptOf[i];
    return make(
      "div.pair",
      null,
      verdict(query, state, kept, i),
      lostBox(query, state, i),
      textsBox(query, kept, i),
      report.barsOf(query, settings, kept, i),
    );
  };

  /** The representative, the score, and the chain where the two are linked only through others. */
  function verdict(query, state, kept, i) {
    const score = query.scoreOf(state, i);
    const chain = report.chainOf(state.view, state.threshold, kept, i);
    const where = score >= state.threshold ? t("at or above the threshold") : t("below the threshold");
    const line = make(
      "p.verdict",
      null,
      `${t("Kept instead:")} `,
      report.namePage(query.pages[kept]),
      ". ",
      report.reasonOf(query, state, i),
      ` ${t("Their score is {score}, {where} {threshold}.", { score: report.fixed(score, 3), where, threshold: state.threshold })}`,
    );
    return chain.length < 2 ? line : make("div", null, line, chainList(query, chain, kept));
  }

  function chainList(query, chain, kept) {
    const weakest = chain.reduce((low, step) => (step.score < low.score ? step : low));
    const item = (text, page, isWeakest) =>
      make(
        isWeakest ? "li.weakest" : "li",
        null,
        make("span.score", text),
        report.namePage(query.pages[page]),
        isWeakest ? make("span.badge.warn", t("lowest score of the chain")) : null,
      );
    return make(
      "div.chain",
      null,
      make("p", t("Other pages link it to the kept one, step by step:")),
      make(
        "ol",
        null,
        item(t("kept"), kept, false),
        chain.map((step) => item(`→ ${report.fixed(step.score, 3)}`, step.b, step === weakest)),
      ),
    );
  }

  /** Both texts: copies by their differences, other pairs by the passages they share; a button changes over. */
  function textsBox(query, kept, i) {
    const found = query.passages(i, kept);
    const words = report.sum(found.map((passage) => passage.words));
    const box = make("div.texts");
    let differences = words >= COPY * Math.min(query.wordCount(i), query.wordCount(kept)) && words > 0;

    function fill() {
      const panes = make(
        "div.panes",
        {
          onclick: (event) => jump(panes, event.target),
          onkeydown: (event) => event.key === "Enter" && jump(panes, event.target),
        },
        ["kept", "dropped"].map((side) =>
          textPane(
            query.pages[side === "kept" ? kept : i],
            differences ? query.differences(i, kept).runs : found,
            side,
            differences,
          ),
        ),
      );
      const change = found.length
        ? button(".plain", differences ? t("Mark what they share") : t("Mark the differences"), () => {
            differences = !differences;
            fill();
          })
        : null;
      box.replaceChildren(
        make("div.row-line", null, make("h4", heading(query, found, words, kept, i, differences)), change),
        panes,
      );
    }
    fill();
    return box;
  }

  function heading(query, found, words, kept, i, differences) {
    if (!found.length) return t("No run of six or more words is shared");
    if (!differences) return t("{n} shared passages, {words} words in all", { n: found.length, words });
    const { own, other } = query.differences(i, kept);
    if (!own && !other) return t("Word for word the same");
    return t("Differences: {kept}, {dropped}", {
      kept: t("{n} words only in the kept page", { n: other }),
      dropped: t("{n} only in the dropped one", { n: own }),
    });
  }

  /** A text in stretches that are shared (with the number of the passage) or not. */
  function stretchesOf(body, found, side) {
    const places = found
      .map((passage, k) => ({ span: passage[side], number: k + 1, words: passage.words }))
      .sort((a, b) => a.span[0] - b.span[0]);
    const stretches = [];
    let end = 0;
    for (const { span, number, words } of places) {
      if (span[0] < end) continue;
      stretches.push({ text: body.slice(end, span[0]) }, { text: body.slice(...span), number, words });
      end = span[1];
    }
    return [...stretches, { text: body.slice(end) }].filter((stretch) => stretch.text);
  }

  function textPane(page, found, side, differences) {
    const label = side === "kept" ? t("Kept") : t("Dropped");
    const drawn = differences ? differenceOf : passageOf;
    const text = make(
      "div.text",
      {
        dir: report.directionOf(page.body),
        lang: report.languageOf(page),
        tabindex: 0,
        role: "region",
        "aria-label": `${label}${t(": ")}${report.titleOf(page)}`,
      },
      stretchesOf(page.body, found, side).map((stretch) => drawn(stretch, found.length)),
      page.body ? null : make("span.quiet", t("no text")),
      page.clipped ? make("span.quiet", ` … ${t("the rest of the text is not in this report")}`) : null,
    );
    return make(`div.pane.${side}`, null, make("h5", null, `${label}${t(": ")}`, make("bdi", report.titleOf(page))), text);
  }

  const passageOf = ({ text, number }) =>
    number
      ? make("mark", { "data-passage": number, role: "button", tabindex: 0, title: t("passage {number}", { number }), text })
      : text;

  /** What only this text has is marked; a long equal stretch is shortened to its ends until it is clicked. */
  function differenceOf({ text, number, words }, shared) {
    const start = text.search(/[\p{L}\p{N}]/u);
    if (!number) return shared && start >= 0 ? [text.slice(0, start), make("mark.only", text.slice(start))] : text;
    if (words <= LONG_STRETCH) return text;
    const [head, tail] = [text.match(/^(\S+\s+){12}/), text.match(/(\s+\S+){12}$/)];
    if (!head || !tail) return text;
    const more = button(".plain.same", t("{n} equal words", { n: words - 24 }), () =>
      more.replaceWith(text.slice(head[0].length, -tail[0].length)),
    );
    return [head[0], more, tail[0]];
  }

  /** From a marked passage to the same one in the other text. */
  function jump(panes, target) {
    const number = target.dataset && target.dataset.passage;
    if (!number) return;
    for (const mark of panes.querySelectorAll("mark")) {
      const same = mark.dataset.passage === number;
      mark.classList.toggle("chosen", same);
      const box = mark.closest(".text");
      if (same && mark !== target) box.scrollTop += mark.getBoundingClientRect().top - box.getBoundingClientRect().top - 40;
    }
  }

  /** Sentences of the dropped page that no kept page has. */
  function lostBox(query, state, i) {
    if (!query.query.information) return null;
    const found = query.lostAt(state, i);
    if (!found.places.length) return make("p.lost.none", t("Nothing is lost: the kept pages have all of its sentences, lines of its site’s template aside."));
    return make(
      "div.lost",
      null,
      make("h4", report.countLost(found.places.length, found.of, found.share)),
      make("p.quiet.key-alone", aloneNote(found)),
      report.lostList(query.pages[i], found.places, MAX_LOST_LISTED),
    );
  }

  /** What the marks beside lost sentences mean. */
  function aloneNote({ places, alone }) {
    if (alone === places.length) return t("On no other page at all.");
    return alone
      ? t("On no kept page; {n} of them, marked, on no other page at all.", { n: alone })
      : t("On no kept page; other dropped pages have them too.");
  }

  /** Lost sentences as a list that can be opened to its end. */
  report.lostList = function (page, places, most) {
    const item = ({ span: [start, end], alone }) => {
      if (end <= start || start >= page.body.length)
        return make("li.quiet", t("in a part of the text that this report does not carry"));
      const text = page.body.slice(start, end);
      return make(alone ? "li.alone" : "li", { dir: report.directionOf(text), text });
    };
    const list = make("ul.sentences", null, places.slice(0, most).map(item));
    if (places.length <= most) return list;
    const more = button(".plain", t("{n} more", { n: places.length - most }), () => {
      list.append(...places.slice(most).map(item));
      more.remove();
    });
    return make("div", null, list, more);
  };
})(ReduceReport);
