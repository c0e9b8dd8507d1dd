// Labelling: a pair at a time, two keys; or the pair that is open in the report below.
(function (page) {
  const { make } = ReduceReport;
  const TEXT = 700;
  const KEYS = { d: true, n: false };

  const kbd = (text) => make("kbd", { text });

  function pageCard(entry) {
    return make(
      "div",
      { class: "one" },
      make("p", { class: "soft" }, make("bdi", { text: ReduceReport.readableUrl(entry.url) || entry.id })),
      make("h3", { dir: "auto", text: ReduceReport.titleOf(entry) }),
      make("p", { class: "text", dir: ReduceReport.directionOf(entry.body), tabindex: 0, text: entry.body.slice(0, TEXT) || "no text" }),
    );
  }

  /** Why the two score as they do, in the report's own words and bars. */
  function explanation(query, settings, { a, b }) {
    const state = query.at(settings);
    const keptOf = state.keptOf.map((kept, i) => (i === b ? a : kept));
    const clusters = [...state.clusters.filter((cluster) => cluster.kept !== b), { kept: a }];
    const box = make("details", { class: "explained" }, make("summary", { text: "Why this score" }));
    box.addEventListener("toggle", () => {
      if (!box.open || box.childElementCount > 1) return;
      const panel = ReduceReport.pairPanel(query, { ...state, keptOf, clusters }, settings, b);
      box.append(make("div", { class: "reduce-report", "data-theme": "auto" }, panel));
    });
    return box;
  }

  /** The pair whose row in the report has the focus, where there is one. */
  function focusedPair(root) {
    const row = document.activeElement && document.activeElement.closest(".similar > li[data-page]");
    if (!row || !root.contains(row)) return null;
    const sections = [...root.querySelectorAll(".sections > *")];
    const q = Math.max(0, sections.findIndex((section) => section.contains(row)));
    return { q, a: Number(row.closest("li.result").dataset.page), b: Number(row.dataset.page) };
  }

  /** Fill the panel; `learn()` is called when labels should become a profile. */
  page.openLabelPanel = function (element, report, labels, learn) {
    let asked = null;
    const counts = make("p", { class: "counts soft" });
    const [place, why] = [make("div"), make("div")];
    const yes = make("button", { type: "button", class: "yes", id: "label-yes", onclick: () => give(true) }, kbd("D"), " duplicates");
    const no = make("button", { type: "button", class: "no", id: "label-no", onclick: () => give(false) }, kbd("N"), " different");
    const skip = make("button", { type: "button", id: "label-skip", onclick: () => (labels.skip(asked), ask()) }, kbd("S"), " skip");
    const undo = make("button", { type: "button", id: "label-undo", onclick: takeBack }, kbd("U"), " undo");
    const learnButton = make("button", { type: "button", id: "learn", class: "main-button", text: "Learn weights", onclick: () => learn() });
    const save = make("button", { type: "button", id: "save-labels", text: "Download labels", onclick: () => page.download("labels.csv", "text/csv", page.labelsCsv(labels.rows())) });
    const learned = make("div", { id: "learned" });

    function ask() {
      const settings = report.settings.get();
      asked = labels.next(settings, report.queries);
      tell();
      if (!asked) {
        place.replaceChildren(make("p", { class: "soft", text: "Every pair is labelled or skipped." }));
        why.replaceChildren();
        return;
      }
      const query = report.queries[asked.q];
      const score = make("p", { class: "soft", id: "asked-score", text: scoreLine(settings) });
      const cards = make("div", { class: "pages-two" }, pageCard(query.pages[asked.a]), pageCard(query.pages[asked.b]));
      place.replaceChildren(score, cards);
      why.replaceChildren(explanation(query, settings, asked));
    }

    const scoreLine = (settings) => `score ${asked.score.toFixed(3)}, threshold ${settings.threshold}`;

    report.settings.listen((settings) => {
      const line = place.querySelector("#asked-score");
      if (line && asked) line.textContent = scoreLine(settings);
    });

    function tell() {
      const { duplicates, different } = labels.counts();
      counts.textContent = `${duplicates} duplicate, ${different} different; learning needs 5 of each`;
      learnButton.disabled = duplicates < 5 || different < 5;
      save.disabled = undo.disabled = duplicates + different === 0;
      for (const button of [yes, no, skip]) button.disabled = !asked;
    }

    function give(duplicate, pair = asked) {
      if (!pair) return;
      labels.set(pair, duplicate);
      if (pair !== asked) page.say(`Labelled as ${duplicate ? "duplicates" : "different"}: the open pair.`);
      ask();
    }

    function takeBack() {
      labels.undo();
      ask();
    }

    function onKey(event) {
      const busy = !element.open || event.target.closest("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey;
      if (busy) return;
      const key = event.key.toLowerCase();
      if (key in KEYS) give(KEYS[key], focusedPair(report.element) || asked);
      else if (key === "s" && asked) skip.click();
      else if (key === "u") takeBack();
      else return;
      event.preventDefault();
    }

    const head = make("div", { class: "row spread" }, counts, make("div", { class: "row" }, save, learnButton));
    const hint = make("p", { class: "soft", text: "The keys also label the pair whose row is open and has the focus in the results below." });
    const buttons = make("div", { class: "row" }, yes, no, skip, undo);
    element.replaceChildren(make("summary", {}, make("h2", { text: "Label pairs and learn weights" })), head, place, buttons, hint, why, learned);
    element.hidden = false;
    if (page.onKey) document.removeEventListener("keydown", page.onKey);
    page.onKey = onKey;
    document.addEventListener("keydown", onKey);
    ask();
    return { learned, ask };
  };
})(ReducePage);
