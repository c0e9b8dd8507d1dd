// Elements from plain values. Texts become text nodes and nothing else: no markup is ever parsed.
(function (report) {
  const TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
  const SVG = "http://www.w3.org/2000/svg";

  function fill(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value === null || value === undefined || value === false) continue;
      if (name === "text") element.textContent = value;
      else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else if (name === "vars") for (const key in value) element.style.setProperty(key, value[key]);
      else element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return element;
  }

  /** An HTML element; `text`, `onclick`-like listeners and `vars` (style properties) are special. */
  report.make = (tag, attributes, ...children) =>
    fill(document.createElement(tag), attributes, children);

  /** The same for SVG. */
  report.draw = (tag, attributes, ...children) =>
    fill(document.createElementNS(SVG, tag), attributes, children);

  /** A link for http and https addresses; the bare text for every other one. */
  report.linkTo = function (url, text, attributes) {
    const dir = report.directionOf(text);
    const isWeb = /^https?:\/\/[^\s]+$/i.test(url);
    if (!isWeb) return report.make("span", { ...attributes, text, dir });
    const safe = { href: url, rel: "noopener noreferrer nofollow", target: "_blank", dir };
    return report.make("a", { ...attributes, ...safe, text });
  };

  /** Without the signs that turn the writing direction of what follows, or that cannot be seen. */
  report.plain = (text) => text.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "");

  /** Host and path as a reader sees them: "site.example › path › page". */
  report.readableUrl = function (url) {
    const match = /^https?:\/\/([^/?#]*)([^?#]*)/i.exec(url);
    if (!match) return report.plain(url);
    const parts = match[2].split("/").filter(Boolean).map(decoded);
    return [match[1].replace(/^www\./i, ""), ...parts].join(" › ");
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
    const toLeft = words.filter((word) => TO_LEFT.test(word)).length;
    const even = 2 * toLeft === words.length && toLeft > 0;
    return 2 * toLeft > words.length || (even && TO_LEFT.test(words[0])) ? "rtl" : "ltr";
  };

  /** A language tag as an attribute may hold it; null for anything else. */
  report.languageOf = (page) => (/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(page.language) ? page.language : null);

  /** Whether the window is as narrow as a phone; drawings are made to fit. */
  report.isNarrow = () => window.matchMedia("(max-width: 560px)").matches;

  /** What a page is called: its title, else the beginning of its text, else its address. */
  report.titleOf = (page) =>
    page.title || beginning(page.body) || report.readableUrl(page.url) || report.plain(page.id);

  function beginning(text) {
    const line = report.plain(text.slice(0, 400).trim().split("\n")[0]).trim();
    return line.length > 90 ? `${line.slice(0, 90).replace(/\s+\S*$/, "")} …` : line;
  }

  /** "7. The title": the number stays in front, whichever way the title is written. */
  report.namePage = (page, attributes) => report.make(
    "span",
    { class: "name", ...attributes },
    `${page.rank}. `,
    report.make("bdi", { lang: report.languageOf(page), text: report.titleOf(page) }),
  );

  /** "37 %" and "97.3 %": whole from 0 to 99, one decimal near 100 so that it is not rounded up. */
  report.percent = function (share) {
    if (share === null || Number.isNaN(share)) return "–";
    const value = 100 * share;
    if (value > 99 && value < 100) return `${(Math.floor(value * 10) / 10).toFixed(1)}\u00a0%`;
    return `${Math.round(value)}\u00a0%`;
  };

  /** A small share: "0.42 %", "12 %"; what is there is never "0.00 %". */
  report.smallShare = function (share) {
    if (share > 0 && share < 0.00005) return "<\u00a00.01\u00a0%";
    return `${(100 * share).toFixed(share < 0.0995 ? 2 : 0)}\u00a0%`;
  };

  /** A score or index with a fixed number of decimals; a dash where it is not defined. */
  report.fixed = (value, decimals = 2) =>
    value === null || value === undefined || Number.isNaN(value) ? "–" : value.toFixed(decimals);

  report.count = (n, one, many) => `${n} ${n === 1 ? one : many || one + "s"}`;

  /** A signal's name for reading: "body_cosine" is "body cosine". */
  report.readable = (name) => name.replaceAll("_", " ");

  /** A colour for each page number; neighbours get far apart hues of one lightness. */
  report.hueOf = (index) => Math.round((index * 137.508 + 25) % 360);
})(ReduceReport);
