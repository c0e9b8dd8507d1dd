// From labels to a profile: ask the service, show what it may be expected to do, hand it out.
(function (page) {
  const { make } = ReduceReport;

  /** Learn from the labels and fill `element`; gives the report's data under the new profile. */
  page.learn = async function (viewed, labels, element) {
    page.say("Learning…");
    const found = await page.call("learn", { queries: viewed.queries, labels: labels.rows(), profile: viewed.profile });
    const figure = (name, text) => make("tr", {}, make("th", { scope: "row", text: name }), make("td", { text }));
    const save = make("button", {
      type: "button",
      id: "save-profile",
      text: "Download profile",
      onclick: () => page.download(`${found.name}.toml`, "application/toml", found.toml),
    });
    element.replaceChildren(
      make("h2", { text: "Learned weights" }),
      make("p", { class: "soft", text: `The results below are shown under them, at threshold ${found.threshold}. ${found.figures ? "To be expected on pages that were not labelled:" : found.why}` }),
      found.figures ? make("table", { class: "figures" }, make("tbody", {}, figure("precision", found.figures.precision), figure("recall", found.figures.recall), figure("F", found.figures.f))) : "",
      save,
    );
    page.say("Learned. Use it with: reducepp reduce INPUT --profile FILE");
    return found.report;
  };
})(ReducePage);
