// On paper: every query, cluster and reason is opened, and the results stand beside the chosen view.
(function (report) {
  /** Shows the results beside the chosen view; gives what chooses that view again. */
  function addResults(chosen) {
    const first = chosen.parentElement.firstElementChild;
    if (first === chosen) return () => {};
    first.click();
    document.getElementById(chosen.getAttribute("aria-controls")).classList.remove("away");
    return () => chosen.click();
  }

  /** For paper: every query, cluster and reason is filled and opened; afterwards they are as before. */
  report.openForPrint = function (root) {
    const opened = [];
    const openAll = (selector) => {
      for (const details of root.querySelectorAll(selector)) {
        if (details.open) continue;
        details.open = true;
        if (details.fill) details.fill();
        opened.push(details);
      }
    };
    openAll("details.query");
    const tabs = [...root.querySelectorAll("[role=tab][aria-selected=true]")].map(addResults);
    openAll("details.cluster");
    return () => {
      opened.forEach((details) => (details.open = false));
      tabs.forEach((choose) => choose());
    };
  };

  report.openOnPrint = function (root) {
    let close = () => {};
    window.addEventListener("beforeprint", () => (close = report.openForPrint(root)));
    window.addEventListener("afterprint", () => close());
  };
})(ReduceReport);
