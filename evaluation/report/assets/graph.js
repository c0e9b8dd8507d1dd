// The similarity graph: a dot a page, a line where two pages count as one, a colour a group.
(function (report) {
  const { make, draw } = report;
  const MOST_LINES = 3000;
  const CROWDED = 150;

  /** The panel; `show(i)` is called when the reader picks a page. */
  report.graphPanel = function (query, settings, show) {
    const n = query.pages.length;
    if (n < 2) return tooFew();
    const size = sizeOf(n);
    const lines = draw("g", { class: "edges", "aria-hidden": "true" });
    const nodes = draw("g", { class: "nodes" });
    const caption = make("p", { class: "graph-caption" });
    const svg = draw(
      "svg",
      {
        class: n > CROWDED ? "graph crowded" : "graph",
        viewBox: `0 0 ${size.join(" ")}`,
        role: "group",
        "aria-label": "Similarity graph of the pages; arrow keys walk through them by rank",
      },
      lines,
      nodes,
    );
    const hint = "Point at a dot, or walk with the arrow keys; Enter shows the result.";
    const dots = query.pages.map((page, i) => dotOf(page, i));
    nodes.append(...dots);
    caption.textContent = hint;
    let view = null;
    let places = [];

    function dotOf(page, i) {
      const tell = () =>
        caption.replaceChildren(
          report.namePage(page),
          make("bdi", { class: "quiet", text: ` ${report.readableUrl(page.url)}` }),
        );
      return draw(
        "g",
        {
          class: "dot",
          tabindex: i ? -1 : 0,
          role: "button",
          onclick: () => show(i),
          onpointerenter: tell,
          onfocus: tell,
          onkeydown: (event) => walk(event, i),
        },
        draw("circle", { r: 6 }),
        draw("text", { "text-anchor": "middle", dy: "0.35em", text: String(page.rank) }),
      );
    }

    function walk(event, i) {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (event.key === "Enter" || event.key === " ") show(i);
      else if (!step) return;
      else {
        const next = (i + step + dots.length) % dots.length;
        dots[i].setAttribute("tabindex", -1);
        dots[next].setAttribute("tabindex", 0);
        dots[next].focus();
      }
      event.preventDefault();
    }

    function place(next) {
      view = next;
      places = report.layoutTree(view.tree, dots.length, ...size);
      dots.forEach((dot, i) => {
        dot.setAttribute("transform", `translate(${places[i].map((v) => v.toFixed(1)).join(" ")})`);
      });
    }

    function update(now) {
      const state = query.at(now);
      if (state.view !== view) place(state.view);
      lines.replaceChildren(...linesOf(state, places));
      for (const { kept, members } of state.clusters) {
        for (const i of members) paint(dots[i], query.pages[i], i === kept, members.length, kept);
      }
    }

    const element = make(
      "div",
      { class: "graph-panel" },
      make(
        "p",
        {
          class: "quiet",
          text: "Each dot is a page, numbered by rank. Pages of one group share a colour; the large dot is the one shown, a hollow dot stands on its own. Full lines join pages at or above the threshold, dotted ones are the strongest links below it.",
        },
      ),
      caption,
      svg,
    );
    return { element, update };
  };

  const tooFew = () => ({
    element: make("p", { class: "note", text: "A graph needs at least two pages." }),
    update: () => {},
  });

  /** Room for the dots: as wide as the column, then as much larger as there are more pages. */
  function sizeOf(n) {
    const [width, height] = report.isNarrow() ? [440, 500] : [760, 540];
    const scale = Math.max(1, Math.sqrt(n / (report.isNarrow() ? 70 : 140)));
    return [Math.round(width * scale), Math.round(height * scale * (n > CROWDED ? 1.25 : 1))];
  }

  function paint(dot, page, isKept, size, kept) {
    dot.setAttribute("class", `dot${isKept ? " kept" : ""}${size > 1 ? " grouped" : ""}`);
    dot.style.setProperty("--hue", report.hueOf(kept));
    dot.firstChild.setAttribute("r", isKept ? 10 : 7.5);
    const role = size === 1 ? "on its own" : isKept ? `shown, with ${size - 1} similar` : "folded";
    dot.setAttribute("aria-label", `${page.rank}. ${report.titleOf(page)}, ${role}`);
  }

  function linesOf(state, places) {
    const { view, threshold, keptOf } = state;
    const n = view.pages.length;
    const found = [];
    const line = (kind, a, b, hue) => {
      const [x1, y1] = places[a];
      const [x2, y2] = places[b];
      const vars = hue === null ? {} : { "--hue": hue };
      found.push(draw("line", { class: kind, x1, y1, x2, y2, vars }));
    };
    view.tree.scores.forEach((score, e) => {
      if (score < threshold) line("below", view.tree.first[e], view.tree.second[e], null);
    });
    for (const { members } of state.clusters) {
      for (const a of members) {
        for (const b of members) {
          if (a < b && found.length < MOST_LINES && view.scores[a * n + b] >= threshold) {
            line("stands", a, b, report.hueOf(keptOf[a]));
          }
        }
      }
    }
    return found;
  }
})(ReduceReport);
