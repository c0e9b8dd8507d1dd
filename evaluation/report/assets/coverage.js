// Information kept: the weight of the sentences that the shown pages hold, over all (coverage.py).
(function (report) {
  /** Unpack what evaluation/report/information.py packs. */
  report.openInformation = function (packed, n) {
    const holders = report.unpackBits(packed.holders, n).map(pagesOf);
    const numbers = report.unpackNumbers(packed.sentences);
    const weightOf = new Float64Array(holders.length);
    const pages = [];
    let at = 0;
    for (const count of packed.counts) {
      const sentences = [];
      let start = 0;
      for (let k = 0; k < count; k++, at += 4) {
        start += numbers[at];
        const weight = packed.weights[numbers[at + 2]];
        sentences.push({ span: [start, start + numbers[at + 1]], weight, held: numbers[at + 3] });
        weightOf[numbers[at + 3]] += weight;
      }
      pages.push(sentences);
    }
    return { holders, pages, weightOf, total: weightOf.reduce((sum, weight) => sum + weight, 0) };
  };

  const pagesOf = (flags) => [...flags.keys()].filter((page) => flags[page]);

  const flagsOf = (pages, shown) => {
    const flags = new Uint8Array(pages.length);
    for (const page of shown) flags[page] = 1;
    return flags;
  };

  const isHeld = (holders, flags) => holders.some((page) => flags[page]);

  /** Share of the information that the shown pages hold, in [0, 1]; null where there is none. */
  report.informationKept = function ({ holders, pages, weightOf, total }, shown) {
    if (!total) return null;
    const flags = flagsOf(pages, shown);
    let kept = 0;
    for (let s = 0; s < holders.length; s++) if (isHeld(holders[s], flags)) kept += weightOf[s];
    return Math.min(1, kept / total);
  };

  /** For each page how many of its sentences no shown page holds, and their share of all. */
  report.lossesOf = function ({ holders, pages, total }, shown) {
    const flags = flagsOf(pages, shown);
    const held = holders.map((one) => isHeld(one, flags));
    return pages.map((sentences) => {
      const gone = sentences.filter((sentence) => !held[sentence.held]);
      const weight = gone.reduce((sum, sentence) => sum + sentence.weight, 0);
      return { count: gone.length, share: weight / (total || 1) };
    });
  };

  /** What a page has that no shown page holds: places in its text in order, share of all. */
  report.lostWith = function ({ holders, pages, total }, shown, page) {
    const flags = flagsOf(pages, shown);
    const gone = pages[page].filter(({ held }) => !isHeld(holders[held], flags));
    const share = gone.reduce((sum, { weight }) => sum + weight, 0) / (total || 1);
    const places = gone.map(({ span, held }) => ({ span, alone: holders[held].length === 1 }));
    return { share, places, alone: places.filter((place) => place.alone).length };
  };
})(ReduceReport);
