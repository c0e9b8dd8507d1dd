// The page's course: something is given, the report is drawn, labels are offered.
(function (page) {
  let turn = 0;

  function draw(data) {
    const report = ReduceReport.mount(page.find("report"), data);
    followTheme(report.element);
    return report;
  }

  /** The page takes the theme that is chosen in the report. */
  function followTheme(root) {
    const take = () => (document.querySelector(".reduce-page").dataset.theme = root.dataset.theme);
    new MutationObserver(take).observe(root, { attributes: true, attributeFilter: ["data-theme"] });
    take();
  }

  function offerLabels(viewed, report, kept) {
    const labels = kept || page.makeLabels(report.queries);
    const panel = page.openLabelPanel(page.find("labelling"), report, labels, async () => {
      try {
        const data = await page.learn(viewed, labels, panel.learned);
        const learned = panel.learned;
        const again = offerLabels(viewed, draw(data), labels);
        again.learned.replaceChildren(...learned.childNodes);
      } catch (error) {
        page.say(error.message, true);
      }
    });
    return panel;
  }

  async function show(request, name) {
    const mine = ++turn;
    page.say(`Reading ${name}…`);
    try {
      const profile = page.find("profile").value;
      const viewed = await page.call("view", profile ? { ...request, profile } : request);
      if (mine !== turn) return;
      document.querySelector(".reduce-page").classList.add("loaded");
      page.find("input").open = false;
      const report = draw(viewed.report);
      offerLabels(viewed, report);
      page.say(`${name}: profile ${viewed.profile}`);
    } catch (error) {
      if (mine === turn) page.say(error.message, true);
    }
  }

  page.find("token-field").addEventListener("submit", (event) => event.preventDefault());
  page.openInput(show);
})(ReducePage);
