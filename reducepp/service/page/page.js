// The page around the report: calls to its own service, its language, and what is given to it.
"use strict";
var ReducePage = {};
(function (page) {
  const { t } = ReduceReport;
  const MAX_PACKED_BYTES = 22 * 1024 * 1024;
  const MAX_BYTES = 256 * 1024 * 1024;

  page.find = (id) => document.getElementById(id);

  page.say = function (text, wrong = false) {
    const line = page.find("status");
    line.textContent = text;
    line.classList.toggle("wrong", wrong);
  };

  /** Count the seconds of a long call where they are seen; returns what ends it. */
  function countSeconds() {
    const line = page.find("elapsed");
    const start = Date.now();
    const timer = setInterval(() => (line.textContent = `${Math.round((Date.now() - start) / 1000)} s`), 1000);
    return () => {
      clearInterval(timer);
      line.textContent = "";
    };
  }

  /** What is kept in this browser under a name; nothing where it keeps nothing. */
  page.remember = function (name, value) {
    try {
      if (value === undefined) return JSON.parse(localStorage.getItem(`reducepp ${name}`));
      localStorage.setItem(`reducepp ${name}`, JSON.stringify(value));
      return value;
    } catch {
      return null;
    }
  };

  /** The page's fixed texts in a language; their English is in `data-t`. */
  page.speak = function (language) {
    ReduceReport.language = ReduceReport.knownLanguage([language, ...navigator.languages].filter(Boolean));
    document.documentElement.lang = ReduceReport.language;
    document.documentElement.dir = ReduceReport.isRightToLeft(ReduceReport.language) ? "rtl" : "ltr";
    for (const element of document.querySelectorAll("[data-t]")) {
      element.dataset.t ||= element.textContent.trim();
      element.textContent = t(element.dataset.t);
    }
  };

  /** POST a value, get a value; an Error has the service's own line. Addresses are relative: a prefix may be before them. */
  page.call = async function (route, value) {
    const headers = { "content-type": "application/json" };
    const token = page.find("token").value;
    if (token) headers.authorization = `Bearer ${token}`;
    const stopCounting = countSeconds();
    let answer;
    try {
      answer = await fetch(route, { method: "POST", headers, body: JSON.stringify(value) });
    } catch {
      throw new Error(t("The service does not answer; is it still running?"));
    } finally {
      stopCounting();
    }
    if (answer.status === 401) page.find("token-field").hidden = false;
    const seconds = answer.headers.get("retry-after");
    if (answer.status === 503 && seconds) throw new Error(t("The service is busy; try again in {seconds} s.", { seconds }));
    const found = await answer.json().catch(() => {
      throw new Error(t("A proxy in front of the service answered: {status}", { status: `${answer.status} ${answer.statusText}` }));
    });
    if (!answer.ok) throw new Error(found.error);
    return found;
  };

  /** A file's bytes, compressed, as base64. */
  async function packed(file) {
    const stream = file.stream().pipeThrough(new CompressionStream("gzip"));
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    let text = "";
    for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
    return btoa(text);
  }

  const megabytes = (bytes) => Math.round(bytes / 1e6);

  async function asRequest(files) {
    const size = ReduceReport.sum(files.map((file) => file.size));
    const tooLarge = (found, most) =>
      new Error(t("{size} MB: at most {most} MB are accepted at once", { size: megabytes(found), most: megabytes(most) }));
    if (size > MAX_BYTES) throw tooLarge(size, MAX_BYTES);
    const sorted = [...files].sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
    const given = [];
    for (const file of sorted) given.push({ name: file.name, base64: await packed(file), gzip: true });
    const whole = 0.75 * ReduceReport.sum(given.map((file) => file.base64.length));
    if (whole > MAX_PACKED_BYTES) throw tooLarge(whole, MAX_PACKED_BYTES);
    return { files: given };
  }

  const isOnlyAddresses = (text) => /^\s*(https?:\/\/\S+\s*)+$/i.test(text);

  /** Wires the input area; `show(request, name)` is called with what to view. */
  page.openInput = function (show) {
    const [drop, files, paste, button] = ["drop", "files", "paste", "show"].map(page.find);

    async function take(list, name) {
      if (!list.length) return;
      try {
        show(await asRequest(list), name || (list.length === 1 ? list[0].name : t("{n} files", { n: list.length })));
      } catch (error) {
        page.say(error.message, true);
      }
    }

    function takePasted() {
      if (isOnlyAddresses(paste.value))
        page.say(
          t(
            "These are addresses only, and this page fetches nothing. Collect them with “reducepp collect”, or paste results with titles and snippets.",
          ),
          true,
        );
      else take([new File([paste.value], "pasted")], t("pasted text"));
    }

    drop.addEventListener("click", (event) => event.target !== files && files.click());
    drop.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      files.click();
    });
    files.addEventListener("change", () => {
      take([...files.files]);
      files.value = "";
    });
    for (const kind of ["dragenter", "dragover", "dragleave", "drop"]) {
      document.addEventListener(kind, (event) => {
        event.preventDefault();
        drop.classList.toggle("over", kind === "dragenter" || kind === "dragover");
        if (kind === "drop") take([...event.dataTransfer.files]);
      });
    }
    paste.addEventListener("input", () => (button.disabled = !paste.value.trim()));
    button.addEventListener("click", takePasted);
    page.find("demo").addEventListener("click", () => show({ demo: true }, t("the demo")));
  };
})(ReducePage);
