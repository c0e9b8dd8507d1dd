// The three questions of Radlinski et al. (2011) to a judge of two results, and the kind that the answers give.
(function (page) {
  const { make, t, button } = ReduceReport;

  /** Field of a label to its question and its answers, as `reducepp.labelled.reading` reads them. */
  const questions = () => [
    [
      "relevant",
      t("Which page is more relevant to the query?"),
      [
        ["both", t("both equally")],
        ["left", t("the first")],
        ["right", t("the second")],
        ["neither", t("neither")],
        ["different intents", t("different intents")],
      ],
    ],
    [
      "utility",
      t("How similar is their utility for the query?"),
      [
        ["identical", t("identical")],
        ["very similar", t("very similar")],
        ["related", t("related")],
        ["different", t("different")],
      ],
    ],
    [
      "navigation",
      t("Is it easy to navigate from one to the other?"),
      [
        ["within", t("yes, within the site")],
        ["across", t("yes, across sites")],
        ["no", t("no")],
      ],
    ],
  ];

  /** The kind of duplicate; the same table as `kind_of_answers` of the library. */
  page.kindOfAnswers = function ({ relevant, utility, navigation }) {
    if (relevant === "neither" || relevant === "different intents" || navigation === "across") return "none";
    if (relevant === "both" && utility === "identical") return "exact";
    if (navigation === "within") return "navigational";
    return { identical: "content", "very similar": "content", related: "weak" }[utility] || "none";
  };

  page.isDuplicateKind = (kind) => ["exact", "navigational", "content"].includes(kind);

  /** The form; `save(answers)` gets the three answers, the kind and the judge's name. */
  page.makeJudgeForm = function (save) {
    const name = make("input", { id: "judge-name", type: "text", value: page.remember("judge") || "", autocomplete: "off" });
    const done = button(".main-button", t("Save answers"), () => form.requestSubmit(), { id: "judge-save" });
    const fields = questions().map(([field, question, answers]) =>
      make(
        "fieldset",
        null,
        make("legend", question),
        make(
          "div.row",
          null,
          answers.map(([value, text]) =>
            make("label.inline", null, make("input", { type: "radio", name: field, value, required: true }), ` ${text}`),
          ),
        ),
      ),
    );
    const form = make("form", { id: "judge-form" }, fields, make("div.row", null, make("label.inline", null, t("Judge"), " ", name), done));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const answers = Object.fromEntries(questions().map(([field]) => [field, new FormData(form).get(field)]));
      page.remember("judge", name.value.trim());
      save({ ...answers, kind: page.kindOfAnswers(answers), rater: name.value.trim() });
      for (const choice of form.querySelectorAll("input[type=radio]")) choice.checked = false;
    });
    return make("details", { id: "judge" }, make("summary", t("Judge by three questions (kind of duplicate)")), form);
  };
})(ReducePage);
