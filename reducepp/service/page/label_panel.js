// Labelling: a pair at a time by two keys, without its score; then weights learned from the labels.
(function (page) {
  const { make, t, button } = ReduceReport;
  const MAX_TEXT_CHARS = 900;
  const MIN_LABELS_EACH = 5;
  const KEYS = { d: true, n: false };

  /** One page of the pair, with what the other page has too marked. */
  function pageCard(query, i, other) {
    const entry = query.pages[i];
    const text = make("p.text", { dir: ReduceReport.directionOf(entry.body), tabindex: 0 });
    let end = 0;
    for (const [start, stop] of query
      .passages(i, other)
      .map((passage) => passage.dropped)
      .sort((a, b) => a[0] - b[0])) {
      if (start < end || start > MAX_TEXT_CHARS) continue;
      text.append(entry.body.slice(end, start), make("mark", entry.body.slice(start, Math.min(stop, MAX_TEXT_CHARS))));
      end = stop;
    }
    text.append(entry.body.slice(end, MAX_TEXT_CHARS) || (end ? "" : t("no text")));
    return make(
      "div.one",
      null,
      make("p.soft", null, make("bdi", ReduceReport.readableUrl(entry.url) || entry.id)),
      make("h3", { dir: "auto", text: ReduceReport.titleOf(entry) }),
      text,
    );
  }

  /** The pair whose row in the report has the focus, where there is one. */
  function focusedPair(root) {
    const row = document.activeElement && document.activeElement.closest(".similar > li[data-page]");
    if (!row || !root.contains(row)) return null;
    const sections = [...root.querySelectorAll(".sections > *")];
    const q = Math.max(
      0,
      sections.findIndex((section) => section.contains(row)),
    );
    return { q, a: Number(row.closest("li.result").dataset.page), b: Number(row.dataset.page) };
  }

  function filtersOf(report, changed) {
    const option = (value, text) => make("option", { value, text });
    const queries = make(
      "select",
      { "aria-label": t("Query"), onchange: changed },
      option("", t("All queries")),
      report.queries.map((query, q) => option(q, query.name)),
    );
    const found = [
      ...new Set(report.queries.flatMap((query) => query.pages.map((entry) => entry.language)).filter(Boolean)),
    ].sort();
    const languages = make(
      "select",
      { "aria-label": t("Language"), onchange: changed },
      option("", t("All languages")),
      found.map((code) => option(code, code)),
    );
    queries.hidden = report.queries.length < 2;
    languages.hidden = found.length < 2;
    return {
      element: make("span.row", null, queries, languages),
      get: () => ({ query: queries.value, language: languages.value }),
    };
  }

  /** Fills the panel; `learn()` is called when labels should become a profile. */
  page.openLabelPanel = function (element, report, labels, learn) {
    let current = null;
    const [counts, last, place, learned] = [
      make("p.counts.soft"),
      make("p.soft.last"),
      make("div"),
      make("div", { id: "learned" }),
    ];
    const choice = (id, key, text, onclick, name = "") =>
      make(`button${name}`, { type: "button", id, onclick }, make("kbd", key), ` ${text}`);
    const yes = choice("label-yes", "D", t("duplicates"), () => setLabel(true), ".yes");
    const no = choice("label-no", "N", t("different"), () => setLabel(false), ".no");
    const skip = choice("label-skip", "S", t("skip"), () => (labels.skip(current), showNext()));
    const undo = choice("label-undo", "U", t("undo"), takeBack);
    const learnButton = button(".main-button", t("Learn weights"), () => learn(), { id: "learn" });
    const save = button(
      "",
      t("Download labels"),
      () => ReduceReport.download("labels.csv", "text/csv", page.labelsCsv(labels.rows())),
      { id: "save-labels" },
    );
    const clear = button("", t("Delete all labels"), () => confirm(t("Delete all labels")) && (labels.clear(), showNext()), {
      id: "clear-labels",
    });
    const filters = filtersOf(report, showNext);
    const judge = page.makeJudgeForm((answers) => setLabel(page.isDuplicateKind(answers.kind), current, answers));

    function showNext() {
      current = labels.next(report.settings.get(), report.queries, filters.get());
      updateCounts();
      if (!current) return place.replaceChildren(make("p.soft", t("Every pair is labelled or skipped.")));
      const query = report.queries[current.q];
      return place.replaceChildren(
        make("p.soft.query-name", { dir: "auto", text: query.name ? `${t("Query")}${t(": ")}${query.name}` : "" }),
        make(
          "div.pages-two",
          { "data-score": current.score },
          pageCard(query, current.a, current.b),
          pageCard(query, current.b, current.a),
        ),
      );
    }

    function updateCounts() {
      const { duplicates, different } = labels.counts();
      const where = labels.onDisk ? t("kept by the service") : t("kept in this browser");
      const kept = labels.isKept ? where : t("not kept in this browser: download them");
      const given = t("{duplicates} duplicate, {different} different", { duplicates, different });
      counts.textContent = `${given} (${kept}) · ${t("learning needs {n} of each", { n: MIN_LABELS_EACH })}`;
      learnButton.disabled = Math.min(duplicates, different) < MIN_LABELS_EACH;
      save.disabled = undo.disabled = clear.disabled = duplicates + different === 0;
      for (const one of [yes, no, skip]) one.disabled = !current;
    }

    function setLabel(duplicate, pair = current, answers = null) {
      if (!pair) return;
      labels.set(pair, duplicate, answers);
      if (pair !== current)
        page.say(duplicate ? t("Labelled as duplicates: the open pair.") : t("Labelled as different: the open pair."));
      else showScore(pair, duplicate);
      showNext();
    }

    /** The score is shown only after the decision, so that it does not influence it. */
    function showScore({ score }, duplicate) {
      const { threshold } = report.settings.get();
      const agrees = duplicate === score >= threshold;
      const values = { score: ReduceReport.fixed(score, 3), threshold };
      last.textContent = agrees
        ? t("The profile agrees: score {score}, threshold {threshold}.", values)
        : t("The profile disagrees: score {score}, threshold {threshold}.", values);
    }

    function takeBack() {
      labels.undo();
      last.textContent = "";
      showNext();
    }

    function onKey(event) {
      if (!element.open || event.target.closest("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey)
        return;
      const key = event.key.toLowerCase();
      if (key in KEYS) setLabel(KEYS[key], focusedPair(report.element) || current);
      else if (key === "s" && current) skip.click();
      else if (key === "u") takeBack();
      else return;
      event.preventDefault();
    }

    const head = make("div.row.spread", null, counts, make("div.row", null, filters.element, save, clear, learnButton));
    const hint = make(
      "p.soft",
      t("Shared passages are marked. The keys also label the pair whose row has the focus in the results below."),
    );
    element.replaceChildren(
      make("summary", null, make("h2", t("Label pairs and learn weights"))),
      head,
      place,
      make("div.row", null, yes, no, skip, undo),
      judge,
      last,
      hint,
      learned,
    );
    element.hidden = false;
    if (page.onKey) document.removeEventListener("keydown", page.onKey);
    page.onKey = onKey;
    document.addEventListener("keydown", onKey);
    window.onbeforeunload = () => (labels.isKept ? null : true);
    showNext();
    return { learned };
  };

  const table = (heads, rows) =>
    make(
      "table.figures",
      null,
      make(
        "thead",
        null,
        make(
          "tr",
          null,
          heads.map((text) => make("th", { scope: "col", text })),
        ),
      ),
      make(
        "tbody",
        null,
        rows.map(([name, ...cells]) =>
          make(
            "tr",
            null,
            make("th", { scope: "row", text: name }),
            cells.map((text) => make("td", text)),
          ),
        ),
      ),
    );

  const signed = (number) => `${number > 0 ? "+" : ""}${ReduceReport.fixed(number)}`;

  /** Old weights beside learned ones: per cent of their sums, or the coefficients of a model. */
  function weightRows(before, after) {
    const shares = (profile) => {
      const whole = ReduceReport.sum(profile.signals.map((signal) => signal.weight)) || 1;
      const share = ({ weight, coefficient }) =>
        coefficient === undefined ? `${ReduceReport.fixed((100 * weight) / whole, 1)} %` : signed(coefficient);
      return new Map(profile.signals.map((signal) => [signal.name, share(signal)]));
    };
    const [old, learned] = [shares(before), shares(after)];
    const rows = [...new Set([...old.keys(), ...learned.keys()])].map((name) => [
      ReduceReport.readable(name),
      old.get(name) || "–",
      learned.get(name) || "–",
    ]);
    return [...rows, [t("threshold"), String(before.threshold), String(after.threshold)]];
  }

  /** Ids of the dropped pages of a report's data, under its own settings. */
  function droppedIn(data) {
    const settings = ReduceReport.makeSettings(data).get();
    return data.queries.map((query) => {
      const { keptOf } = ReduceReport.openQuery(query, data.profile).at(settings);
      return new Set(keptOf.flatMap((kept, i) => (kept === i ? [] : [query.pages[i].id])));
    });
  }

  function changeWords(before, after) {
    const [old, learned] = [droppedIn(before), droppedIn(after)];
    const count = (a, b) => ReduceReport.sum(a.map((ids, q) => [...ids].filter((id) => !b[q].has(id)).length));
    return t("In this set: {more} more pages dropped, {fewer} pages no longer dropped.", {
      more: count(learned, old),
      fewer: count(old, learned),
    });
  }

  /** Learns from the labels and fills `element`; returns the report's data under the new profile. */
  page.learn = async function (viewed, labels, element) {
    page.say(t("Learning…"));
    const rows = labels.rows().map(({ query, a, b, duplicate }) => ({ query, a, b, duplicate }));
    const found = await page.call("learn", { queries: viewed.queries, labels: rows, profile: viewed.profile });
    const expected = found.figures
      ? table(
          [t("held-out figure"), t("value and 95 % interval")],
          [
            ["precision", found.figures.precision],
            ["recall", found.figures.recall],
            ["F1", found.figures.f],
          ],
        )
      : make("p.soft", found.why);
    const parts = [
      make("h2", t("Learned weights")),
      make("p", changeWords(viewed.report, found.report)),
      table([t("signal"), t("before"), t("learned")], weightRows(viewed.report.profile, found.report.profile)),
      viewed.report.profile.learned
        ? make("p.soft", t("Signed numbers are what the former profile adds per signal (log-odds), per cent are weights."))
        : null,
      make(
        "p.soft",
        t(
          "Measured on pairs that were not used in learning, from {n} labels. Few labels say little: the interval shows how little.",
          { n: rows.length },
        ),
      ),
      expected,
      found.skipped
        ? make("p.soft", t("{n} labels name pages that are not here and were skipped.", { n: found.skipped }))
        : null,
      button("", t("Download profile"), () => ReduceReport.download(`${found.name}.toml`, "application/toml", found.toml), {
        id: "save-profile",
      }),
    ];
    element.replaceChildren(...parts.filter(Boolean));
    page.say(t("Learned. Use it with: {command}", { command: "reducepp reduce INPUT --profile FILE" }));
    return found.report;
  };
})(ReducePage);
