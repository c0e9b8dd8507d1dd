// The page of one file: read the data in it, mount, and open everything for print.
(function () {
  const source = document.getElementById("report-data");
  const start = (text) => ReduceReport.mount(document.getElementById("report"), JSON.parse(text), { wholePage: true });

  /** Large data are compressed; they are unpacked while the page already says what it does. */
  async function unpack() {
    document.getElementById("report").textContent = "…";
    const bytes = Uint8Array.from(atob(source.textContent), (sign) => sign.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    start(await new Response(stream).text());
  }

  if (source.type === "application/gzip") unpack();
  else start(source.textContent);
  ReduceReport.openOnPrint(document.getElementById("report"));
  // A link to other settings, opened in the same tab, changes nothing but the fragment.
  window.addEventListener("hashchange", () => location.reload());
})();
