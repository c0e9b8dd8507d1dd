// Words as numbers with their places, and the passages two texts share (phrases/passages.py).
(function (report) {
  const SHORTEST = 6;
  const MOST_PLACES = 8;

  /** A page's packed words: numbers, places in its text, and where each run of six begins. */
  report.wordPlaces = function (packed) {
    const numbers = report.unpackNumbers(packed);
    const words = [];
    const spans = [];
    let start = 0;
    for (let i = 0; i < numbers.length; i += 3) {
      start += numbers[i];
      spans.push([start, start + numbers[i + 1]]);
      words.push(numbers[i + 2]);
    }
    const starts = new Map();
    for (let i = 0; i + SHORTEST <= words.length; i++) {
      const key = keyAt(words, i);
      if (!starts.has(key)) starts.set(key, []);
      starts.get(key).push(i);
    }
    return { words, spans, starts };
  };

  const keyAt = (words, i) => words.slice(i, i + SHORTEST).join(" ");

  /** The longest runs of words that both texts hold, longest first: [{words, dropped, kept}]. */
  report.sharedPassages = function (dropped, kept) {
    const found = [];
    let i = 0;
    while (i + SHORTEST <= dropped.words.length) {
      const [run, place] = longestRun(dropped, kept, i);
      if (run) found.push({ words: run, i, j: place });
      i += run || 1;
    }
    found.sort((a, b) => b.words - a.words || a.i - b.i);
    return found.map(({ words, i: from, j }) => ({
      words,
      dropped: [dropped.spans[from][0], dropped.spans[from + words - 1][1]],
      kept: [kept.spans[j][0], kept.spans[j + words - 1][1]],
    }));
  };

  function longestRun(dropped, kept, i) {
    let [run, place] = [0, 0];
    for (const j of (kept.starts.get(keyAt(dropped.words, i)) || []).slice(0, MOST_PLACES)) {
      const length = commonRun(dropped.words, i, kept.words, j);
      if (length > run) [run, place] = [length, j];
    }
    return [run, place];
  }

  function commonRun(a, i, b, j) {
    const start = i;
    while (i < a.length && j < b.length && a[i] === b[j]) {
      i++;
      j++;
    }
    return i - start;
  }
})(ReduceReport);
