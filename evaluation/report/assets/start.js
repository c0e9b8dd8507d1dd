// The page of one file: read the data in it, mount, and open everything for print.
(function () {
  const data = JSON.parse(document.getElementById("report-data").textContent);
  ReduceReport.mount(document.getElementById("report"), data, { wholePage: true });
  let close = () => {};
  window.addEventListener("beforeprint", () => (close = ReduceReport.openForPrint(document.getElementById("report"))));
  window.addEventListener("afterprint", () => close());
})();
