// The page's course: something is given, the report is drawn, labels are offered.
(function (page) {
  const { t } = ReduceReport;
  let turn = 0;
  let current = null;
  /** Says again, in the language of now, what was shown last. */
  let repeat = () => {};

  /** Draws the report and the label panel; again after learning or a change of language. */
  function draw(viewed, data, labels, rows = []) {
    const onlanguage = (language) => {
      page.remember("language", language);
      page.speak(language);
      draw(viewed, data, labels);
      repeat();
    };
    const report = ReduceReport.mount(page.find("report"), data, {
      language: ReduceReport.language,
      theme: current || "auto",
      onlanguage,
    });
    followTheme(report.element);
    const kept = labels || page.makeLabels(report.queries, rows);
    const panel = page.openLabelPanel(page.find("labelling"), report, kept, async () => {
      try {
        const learned = await page.learn(viewed, kept, panel.learned);
        const { childNodes } = panel.learned;
        draw(viewed, learned, kept).learned.replaceChildren(...childNodes);
      } catch (error) {
        page.say(error.message, true);
      }
    });
    return { ...panel, labels: kept };
  }

  /** The page takes the theme that is chosen in the report. */
  function followTheme(root) {
    const take = () => (current = document.querySelector(".reduce-page").dataset.theme = root.dataset.theme);
    new MutationObserver(take).observe(root, { attributes: true, attributeFilter: ["data-theme"] });
    take();
  }

  async function show(request, name) {
    const mine = ++turn;
    page.say(t("Reading {name}…", { name }));
    try {
      const profile = page.find("profile").value;
      const viewed = await page.call("view", profile ? { ...request, profile } : request);
      if (mine !== turn) return;
      document.querySelector(".reduce-page").classList.add("loaded");
      page.find("input").open = false;
      const rows = await page.loadLabels(viewed.report.queries);
      const { labels } = draw(viewed, viewed.report, null, rows);
      repeat = () => {
        const { resumed, unknown } = labels;
        const said = [
          `${request.demo ? t("the demo") : name}${t(": ")}${t("profile {name}", { name: viewed.profile })}.`,
          resumed && t("{n} labels of an earlier visit resumed.", { n: resumed }),
          unknown && t("{n} labels name pages that are not here and were skipped.", { n: unknown }),
        ];
        page.say(said.filter(Boolean).join(" "));
      };
      repeat();
      window.scrollTo(0, 0);
    } catch (error) {
      if (mine === turn) page.say(error.message, true);
    }
  }

  page.speak(page.remember("language"));
  page.find("token-field").addEventListener("submit", (event) => event.preventDefault());
  page.openInput(show);
  ReduceReport.openOnPrint(page.find("report"));
})(ReducePage);
