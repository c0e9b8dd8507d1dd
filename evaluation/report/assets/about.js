// The end of the report: the profile, what was used to make it, how to read it.
(function (report) {
  const { make } = report;

  report.aboutPanel = function (data) {
    const { profile } = data;
    const exact = Object.values(data.queries[0].signals).every((packed) => packed.type === "f8");
    return make(
      "footer",
      { class: "panel about" },
      make("h2", { text: "About this report" }),
      make("div", { class: "about-columns" }, profileOf(profile), notesOf(data, exact)),
    );
  };

  function profileOf(profile) {
    const rows = profile.signals.map((signal) => {
      const options = Object.entries(signal.options).map(([key, value]) =>
        `${key} ${value}`).join(", ");
      return make(
        "tr",
        {},
        make("th", { scope: "row", text: report.readable(signal.name) }),
        make("td", { text: report.readable(signal.content) }),
        make(
          "td",
          { text: signal.measure },
          options ? make("span", { class: "quiet", text: ` (${options})` }) : null,
        ),
        make("td", { class: "number", text: profile.learned ? "–" : String(signal.weight) }),
      );
    });
    const head = [
      "Signal",
      "Content",
      "Measure",
      "Weight",
    ].map((text) => make("th", { scope: "col", class: text === "Weight" ? "number" : null, text }));
    return make(
      "div",
      {},
      make("h3", { text: `Profile ${profile.name}` }),
      make("p", { text: profile.description }),
      make(
        "div",
        { class: "scroll" },
        make("table", {}, make("thead", {}, make("tr", {}, head)), make("tbody", {}, rows)),
      ),
      facts([
        ["threshold", profile.threshold],
        ["text", profile.prepare],
        ["content one page lacks", profile.missing === "zero" ? "counts 0" : "left out"],
        ["linkage", profile.linkage],
      ]),
      profile.provenance ? make(
        "p",
        { class: "quiet provenance", text: profile.provenance },
      ) : null,
    );
  }

  function notesOf(data, exact) {
    const versions = Object.entries(data.versions);
    return make(
      "div",
      {},
      make("h3", { text: "How to read it" }),
      make(
        "p",
        { text: "Two pages are linked where their score is at or above the threshold; linked pages form a group, and one page of each group is shown. Every other page is folded under it, never thrown away." },
      ),
      make(
        "p",
        { text: "The tree of all merges is in this file, so the slider gives exactly what the program gives at that threshold." },
      ),
      exact ? null : make(
        "p",
        { text: "To keep the file small, similarities are carried in steps of 1/65534: under changed weights a pair that lies that near the threshold may fall on its other side." },
      ),
      make("h3", { text: "Made with" }),
      facts(versions),
    );
  }

  const facts = (pairs) => make(
    "dl",
    { class: "facts" },
    pairs.map(([name, value]) => make(
      "div",
      {},
      make("dt", { text: name }),
      make("dd", { text: String(value) }),
    )),
  );
})(ReduceReport);
