// The report as one component: ReduceReport.mount(element, data, options).
// Every file adds its functions to this one name. This one: elements, texts in the reader's language, numbers.
"use strict";
var ReduceReport = { catalogues: {}, language: "en" };
(function (report) {
  const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
  const SVG = "http://www.w3.org/2000/svg";

  /** Sets one attribute; `text`, `onclick`-like listeners and `vars` (style properties) are special. */
  function set(element, name, value) {
    if (name === "text") element.textContent = value;
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "vars") for (const key in value) element.style.setProperty(key, value[key]);
    else element.setAttribute(name, value === true ? "" : value);
  }

  const isGiven = (value) => value !== null && value !== undefined && value !== false;

  function fill(element, classes, attributes, children) {
    const { class: more, ...given } = typeof attributes === "string" ? { text: attributes } : attributes || {};
    const names = more ? [...classes, more] : classes;
    if (names.length) element.setAttribute("class", names.join(" "));
    for (const [name, value] of Object.entries(given)) if (isGiven(value)) set(element, name, value);
    element.append(...children.flat(2).filter(isGiven));
    return element;
  }

  /** An HTML element: make("p.quiet", "text") or make("p", {id, text}, ...children). No markup is ever parsed. */
  report.make = function (name, attributes, ...children) {
    const [tag, ...classes] = name.split(".");
    return fill(document.createElement(tag), classes, attributes, children);
  };

  /** The same for SVG. */
  report.draw = function (name, attributes, ...children) {
    const [tag, ...classes] = name.split(".");
    return fill(document.createElementNS(SVG, tag), classes, attributes, children);
  };

  report.button = (name, text, onclick, attributes) =>
    report.make(`button${name}`, { type: "button", text, onclick, ...attributes });

  let made = 0;
  /** An id that no other element of the document has. */
  report.newId = (name) => `rr-${name}-${++made}`;

  /**
   * A text in the reader's language; `{name}` is replaced by a value. Keys are the English texts; those that
   * hold `{n}` have plural forms in the catalogues (reducepp/translations).
   */
  report.t = function (key, values = {}) {
    const entry = lookUp(report.language, key) ?? lookUp("en", key) ?? key;
    const text = typeof entry === "string" ? entry : (entry[rulesOf(report.language).select(values.n)] ?? entry.other);
    return text.replace(/\{(\w+)\}/g, (whole, name) => shown(values[name]) ?? whole);
  };

  const shown = (value) => (typeof value === "number" ? report.written(value) : value);

  const marks = {};
  /** A number, or its text, with the decimal mark of the reader's language. */
  report.written = function (number) {
    const mark = (marks[report.language] ??= new Intl.NumberFormat(`${report.language}-u-nu-latn`).format(0.5).charAt(1));
    return String(number).replace(".", mark);
  };

  const lookUp = (language, key) => (report.catalogues[language] || {})[key];
  const rules = {};
  const rulesOf = (language) => (rules[language] ??= new Intl.PluralRules(language));

  /** Languages the interface can be in, their own names for themselves. */
  report.languages = () => ({
    en: "English",
    ...Object.fromEntries(
      Object.entries(report.catalogues)
        .filter(([code]) => code !== "en")
        .map(([code, texts]) => [code, texts["language name"] || code]),
    ),
  });

  /** The wanted language where there is a catalogue for it, else English. */
  report.knownLanguage = (wanted) =>
    wanted.map((tag) => tag.toLowerCase().split("-")[0]).find((code) => code in report.languages()) || "en";

  report.isRightToLeft = (language) => ["ar", "fa", "he", "ur"].includes(language);

  /** A link for http and https addresses; the bare text for every other one. */
  report.linkTo = function (url, text) {
    const dir = report.directionOf(text);
    if (!/^https?:\/\/[^\s]+$/i.test(url)) return report.make("span", { text, dir });
    return report.make("a", { href: url, rel: "noopener noreferrer nofollow", target: "_blank", dir, text });
  };

  /** Without control characters and those that change the writing direction. */
  report.plain = (text) => text.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "");

  const WEB = /^https?:\/\/([^/?#]*)([^?#]*)/i;

  /** Host of an address without "www."; empty where it has none. */
  report.hostOf = (url) => (WEB.exec(url) || ["", ""])[1].replace(/^www\./i, "");

  /** Host and path as a reader sees them: "site.example › path › page". */
  report.readableUrl = function (url) {
    const match = WEB.exec(url);
    if (!match) return report.plain(url);
    return [report.hostOf(url), ...match[2].split("/").filter(Boolean).map(decoded)].join(" › ");
  };

  function decoded(part) {
    try {
      return report.plain(decodeURIComponent(part));
    } catch {
      return part;
    }
  }

  /** "rtl" where most words are written from right to left, or as many and the first one. */
  report.directionOf = function (text) {
    const words = text.slice(0, 400).match(/\p{L}+/gu) || [];
    const toLeft = words.filter((word) => RIGHT_TO_LEFT.test(word)).length;
    const even = 2 * toLeft === words.length && toLeft > 0;
    return 2 * toLeft > words.length || (even && RIGHT_TO_LEFT.test(words[0])) ? "rtl" : "ltr";
  };

  /** A language tag as an attribute may hold it; null for anything else. */
  report.languageOf = (page) => (/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(page.language) ? page.language : null);

  report.isNarrow = () => window.matchMedia("(max-width: 560px)").matches;

  /** What a page is called: its title, else the beginning of its text, else its address. */
  report.titleOf = (page) => page.title || beginning(page.body) || report.readableUrl(page.url) || report.plain(page.id);

  function beginning(text) {
    const line = report.plain(text.slice(0, 400).trim().split("\n")[0]).trim();
    return line.length > 90 ? `${line.slice(0, 90).replace(/\s+\S*$/, "")} …` : line;
  }

  /** "7. The title": the number stays in front, whichever way the title is written. */
  report.namePage = (page) =>
    report.make(
      "span.name",
      null,
      `${page.rank}. `,
      report.make("bdi", { lang: report.languageOf(page), text: report.titleOf(page) }),
    );

  /** "37 %", "99.3 %" and "0.7 %": whole from 1 to 99, one decimal beyond so that neither all nor nothing is said. */
  report.percent = function (share) {
    if (share === null || Number.isNaN(share)) return "–";
    const value = 100 * share;
    const tenths = value > 99 ? Math.floor(value * 10) : Math.ceil(value * 10);
    if ((value > 99 && value < 100) || (value > 0 && value < 1)) return `${report.written((tenths / 10).toFixed(1))}\u00a0%`;
    return `${Math.round(value)}\u00a0%`;
  };

  /** A score or index with a fixed number of decimals; a dash where it is not defined. */
  report.fixed = (value, decimals = 2) =>
    value === null || value === undefined || Number.isNaN(value) ? "–" : report.written(value.toFixed(decimals));

  /** Name of a signal or content type in the reader's language: "body_cosine" is "body cosine". */
  report.readable = (name) => report.t(name.replaceAll("_", " "));

  /** A colour for each page number; neighbours get far apart hues of one lightness. */
  report.hueOf = (index) => Math.round((index * 137.508 + 25) % 360);

  report.sum = (values) => values.reduce((total, value) => total + value, 0);

  const cell = (value) => (/[",\r\n]/.test(value) ? `"${String(value).replaceAll('"', '""')}"` : String(value));

  const guarded = (value) => (typeof value === "string" && /^'*[=+\-@\t\r]/.test(value) ? `'${value}` : value);

  /** Rows of values as CSV text; an apostrophe keeps spreadsheets from running formulas (io/escaping.py). */
  report.csv = (rows) => rows.map((row) => row.map((value) => cell(guarded(value))).join(",")).join("\r\n") + "\r\n";

  /** Hands a text out as a file. */
  report.download = function (name, type, text) {
    const url = URL.createObjectURL(new Blob([text], { type }));
    report.make("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  };
})(ReduceReport);
