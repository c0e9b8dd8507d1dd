// The page of one file: read the data that stands in it, and mount.
ReduceReport.mount(
  document.getElementById("report"),
  JSON.parse(document.getElementById("report-data").textContent),
  { wholePage: true },
);
