// What went with the pages that are not shown, page by page.
(function (report) {
  const { make } = report;

  report.lostPanel = function (query, settings, show) {
    const element = make("div", { class: "lost-panel" });

    function update(now) {
      const state = query.at(now);
      const dropped = query.pages.map((_, i) => i).filter((i) => state.keptOf[i] !== i);
      if (!query.query.information) return element.replaceChildren(make(
        "p",
        { class: "quiet", text: "This report carries no account of the information." },
      ));
      const found = dropped.map((i) => ({ i, ...query.lostAt(state, i) }));
      const losing = found.filter((one) =>
        one.places.length).sort((a, b) => b.share - a.share || a.i - b.i);
      const kept = query.informationAt(state);
      const nothing = found.length - losing.length;
      return element.replaceChildren(
        make("p", { class: "lead", text: leadOf(dropped.length, kept, nothing) }),
        make("ol", { class: "losses" }, losing.map((one) => lossOf(query, state, one, show))),
      );
    }
    return { element, update };
  };

  function leadOf(dropped, kept, nothing) {
    if (!dropped) return "No page is folded, so nothing is lost.";
    const what = `${report.count(dropped, "page")} folded; the shown ones still hold ${report.percent(kept)} of the information.`;
    return nothing ? `${what} ${report.count(nothing, "folded page")} had nothing of ${nothing === 1 ? "its" : "their"} own.` : what;
  }

  function lossOf(query, state, { i, ...found }, show) {
    const { share, places } = found;
    const page = query.pages[i];
    const instead = query.pages[state.keptOf[i]];
    const list = make("div");
    const details = make(
      "details",
      {
        ontoggle: () =>
          details.open && !list.childElementCount && list.append(report.lostList(page, places, 12)),
      },
      make(
        "summary",
        {},
        make("span", { class: "score", text: report.smallShare(share) }),
        make("span", { class: "name", dir: "auto", text: `${page.rank}. ${report.titleOf(page)}` }),
        make("span", { class: "quiet", text: report.count(places.length, "sentence") }),
      ),
      make(
        "p",
        { class: "quiet" },
        "Shown instead: ",
        make(
          "button",
          {
            type: "button",
            class: "plain",
            dir: "auto",
            text: `${instead.rank}. ${report.titleOf(instead)}`,
            onclick: () => show(i),
          },
        ),
      ),
      make("p", { class: "quiet key-alone", text: report.aloneNote(found) }),
      list,
    );
    return make("li", {}, details);
  }
})(ReduceReport);
