// On a result page: reads titles, addresses and snippets, and collapses near-duplicates under the kept result.
(function () {
  const LAYOUTS = [
    { list: "#search", title: "h3", link: "a[href]:has(h3)", snippet: ".VwiC3b, .IsZvec, [data-sncf]" },
    { list: "#main", title: "h3, span", link: "a[href*='/url?']:has(h3, span):not(details a)", snippet: ".BNeawe.s3v9rd, .fYyStc" },
    { item: "li.b_algo", title: "h2", link: "h2 a[href]", snippet: ".b_caption p, p" },
    { item: "article[data-testid=result]", title: "h2", link: "h2 a[href]", snippet: "[data-result=snippet]" },
    { item: ".result.web-result", title: ".result__title", link: "a.result__a", snippet: ".result__snippet" },
    { item: ".snippet[data-type=web]", title: ".title", link: "a[href]", snippet: ".generic-snippet, .snippet-description" },
    { item: "article.result", title: "h3", link: "h3 a[href]", snippet: ".content" },
  ];

  /** Blocks of advertisements, and marks inside those that look like results. */
  const ADS = "#tads, #tadsb, #bottomads, [data-text-ad], .b_ad, .b_adTop, .b_adBottom, .sb_add, .result--ad, [data-testid=ad]";
  const AD_MARK = ".b_adSlug, .sb_add, .badge--ad";
  const AD_PATH = /^\/(aclk|aclick|y\.js|pagead\/)/;

  const isAd = (element, url) =>
    element.closest(ADS) || element.querySelector(AD_MARK) || (isOfEngine(new URL(url)) && AD_PATH.test(new URL(url).pathname));

  /** Results that the service takes at once. */
  const MOST = 500;

  const clean = (text) => (text || "").replace(/\s+/g, " ").trim();
  const textOf = (item, selector) => clean(item.querySelector(selector)?.textContent);

  /** The largest block around each link in a list that holds no other link: class names there change with every release. */
  function blocksIn(list, selector) {
    const links = [...document.querySelectorAll(`${list} ${selector}`)].slice(0, MOST);
    const isOf = (link, block) => !block.matches(`${list}, #rso`) && links.every((other) => other === link || !block.contains(other));
    return links.map((link) => {
      let block = link;
      while (isOf(link, block.parentElement)) block = block.parentElement;
      return block;
    });
  }

  /** Of results inside each other the innermost: an outer one would be moved into itself, or emptied. */
  const innermost = (item) => [...document.querySelectorAll(item)].filter((element) => !element.querySelector(item)).slice(0, MOST);

  const isOfEngine = (url) => /(^|\.)(google\.[a-z.]+|bing\.com|duckduckgo\.com)$/.test(url.hostname);

  const REDIRECTS = { "/ck/a": "u", "/l/": "uddg", "/url": "q" };

  /** The address behind an engine's redirect. */
  function unwrap(href) {
    if (!URL.canParse(href)) return "";
    const url = new URL(href);
    if (!isOfEngine(url)) return href;
    const target = url.searchParams.get(REDIRECTS[url.pathname]) || "";
    if (!/^a1[\w-]+$/.test(target)) return target || href;
    try {
      return atob(target.slice(2).replaceAll("-", "+").replaceAll("_", "/"));
    } catch {
      return href; // no base64
    }
  }

  /** What is sent of a result; the snippet of an unknown layout is all text but that of the link. */
  function read(element, layout) {
    const link = element.matches(layout.link) ? element : element.querySelector(layout.link);
    const rest = layout.list ? clean(element.textContent.replace(link.textContent, "")) : "";
    return {
      element,
      url: unwrap(link?.href || ""),
      title: textOf(element, layout.title),
      snippet: textOf(element, layout.snippet) || rest,
    };
  }

  /** Results of the first layout that fits: element, and what is sent of it. */
  function readResults() {
    for (const layout of LAYOUTS) {
      const elements = layout.list ? blocksIn(layout.list, layout.link) : innermost(layout.item);
      const found = elements
        .map((element) => read(element, layout))
        .filter(({ element, title, url }) => title && /^https?:/.test(url) && URL.canParse(url) && !isAd(element, url));
      if (found.length > 1) return found;
    }
    return [];
  }

  const queryOf = () => new URLSearchParams(location.search).get("q") || document.querySelector("input[name=q]")?.value || "";

  /** Why a result was dropped, in words. */
  const reasonOf = (why) => `${why.signals.address?.contribution > 0 ? "same page" : why.level}, score ${why.score.toFixed(2)}`;

  /** Puts the reason above a dropped result, to be read once it is opened. */
  function explain(element, why) {
    const line = document.createElement("div");
    line.className = "reducepp-reason";
    line.textContent = reasonOf(why);
    element.prepend(line);
  }

  /** Hides the dropped results behind a button below the kept one; the button's title has the reasons too. */
  function collapse(kept, dropped) {
    const button = document.createElement("button");
    const label = (open) => `${open ? "−" : "+"} ${dropped.length} similar`;
    button.type = "button";
    button.className = "reducepp-similar";
    button.textContent = label(false);
    button.title = dropped.map(({ result, why }) => `${new URL(result.url).host}: ${reasonOf(why)}`).join("\n");
    button.setAttribute("aria-expanded", "false");
    button.addEventListener("click", () => {
      const open = button.getAttribute("aria-expanded") !== "true";
      button.setAttribute("aria-expanded", String(open));
      button.textContent = label(open);
      for (const { result } of dropped) result.element.classList.toggle("reducepp-dropped", !open);
    });
    for (const { result, why } of dropped) {
      explain(result.element, why);
      result.element.classList.add("reducepp-dropped", "reducepp-member");
      kept.element.after(result.element);
    }
    kept.element.after(button);
  }

  function show(results, answer) {
    if (answer.error) return console.info(`reducepp: ${answer.error}`);
    const groups = new Map();
    for (const why of answer.dropped) {
      groups.set(why.kept, [...(groups.get(why.kept) || []), { result: results[Number(why.id)], why }]);
    }
    for (const [kept, dropped] of groups) collapse(results[Number(kept)], dropped.toReversed());
    return undefined;
  }

  const results = readResults();
  if (!results.length || document.querySelector(".reducepp-similar")) return;
  const request = { query: queryOf(), results: results.map(({ url, title, snippet }, i) => ({ id: String(i), url, title, snippet })) };
  chrome.runtime.sendMessage(request).then((answer) => show(results, answer));
})();
