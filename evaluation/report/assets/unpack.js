// Packed data to arrays (evaluation/report/pack.py): triangles, numbers, words of a text, sentences and their pages.
(function (report) {
  const STEPS = 65534;
  const MIN_PASSAGE_WORDS = 6;
  const MAX_PLACES_OF_A_RUN = 8;
  /** Words of one stretch times words of the other up to which the two are compared word by word. */
  const MAX_COMPARED_WORDS = 1_000_000;
  /** Level of pairs across clusters. */
  const SHARE_LITTLE = 4;

  function bytesOf(text) {
    const raw = atob(text);
    const bytes = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
    return new DataView(bytes.buffer);
  }

  const READERS = {
    f8: (view, place) => view.getFloat64(8 * place, true),
    u2: (view, place) => {
      const step = view.getUint16(2 * place, true);
      return step > STEPS ? NaN : step / STEPS;
    },
  };

  const FLAT = { f8: Float64Array, f4: Float32Array, u1: Uint8Array };

  /** Numbers of one kind, one after the other. */
  const unpackValues = (packed) => new FLAT[packed.type](bytesOf(packed.data).buffer);

  /** The strongest pairs of a large query: score, signals and level by pair (large_sets.py). */
  report.unpackLinks = function (packed, n) {
    const places = new Map();
    let place = 0;
    unpackValues(packed.pairs).forEach((step, k) => places.set((place += step), k));
    const scores = unpackValues(packed.scores);
    const levels = unpackValues(packed.levels);
    const find = (i, j) => places.get(Math.min(i, j) * n + Math.max(i, j));
    return {
      scores,
      /** 0 for a pair that is not carried: it scores below the floor. */
      scoreOf: (i, j) => (i === j ? 1 : (scores[find(i, j)] ?? 0)),
      isKnown: (i, j) => find(i, j) !== undefined,
      levelOf: (i, j) => levels[find(i, j)] ?? SHARE_LITTLE,
      placeOf: (i, j) => find(i, j) ?? scores.length,
      signalsOf: (names) => names.map((name) => [...unpackValues(packed.signals[name]), NaN]),
    };
  };

  /** Score of two pages of a view: all pairs of a small query, the strongest of a large one. */
  report.scoreIn = (view, i, j) => (view.links ? view.links.scoreOf(i, j) : view.scores[i * view.pages.length + j]);

  /** Whole numbers, seven bits per byte. */
  report.unpackNumbers = function (text) {
    const view = bytesOf(text);
    const numbers = [];
    let [number, shift] = [0, 0];
    for (let i = 0; i < view.byteLength; i++) {
      const byte = view.getUint8(i);
      number += (byte & 127) * 2 ** shift;
      shift += 7;
      if (byte > 127) continue;
      numbers.push(number);
      [number, shift] = [0, 0];
    }
    return numbers;
  };

  /** Rows of n flags, each from a new byte on. */
  report.unpackBits = function (text, n) {
    const view = bytesOf(text);
    const width = Math.ceil(n / 8);
    const rows = [];
    for (let start = 0; start < view.byteLength; start += width) {
      const row = new Uint8Array(n);
      for (let i = 0; i < n; i++) row[i] = (view.getUint8(start + (i >> 3)) >> (i & 7)) & 1;
      rows.push(row);
    }
    return rows;
  };

  /** The n×n array, row by row, symmetric, with 1 where a page meets itself. */
  report.unpackTriangle = function (packed, n) {
    const square = new Float64Array(n * n);
    const view = bytesOf(packed.data);
    const read = READERS[packed.type];
    let place = 0;
    for (let i = 0; i < n; i++) {
      square[i * n + i] = 1;
      for (let j = i + 1; j < n; j++) square[i * n + j] = square[j * n + i] = read(view, place++);
    }
    return square;
  };

  /** A page's words: numbers, those of the signs before them, places in its text, and where each run of six begins. */
  report.wordPlaces = function (page) {
    const { words, signs, spans } = page.places ? unpackWords(page.places) : readWords(page.body);
    const starts = new Map();
    for (let i = 0; i + MIN_PASSAGE_WORDS <= words.length; i++) {
      const key = keyAt(words, i);
      if (!starts.has(key)) starts.set(key, []);
      starts.get(key).push(i);
    }
    return { words, signs, spans, starts, body: page.body };
  };

  /** 4.2, 12:30, 27 000 (passages.py). */
  const NUMBER_OF_TWO_WORDS = /^(?:[\p{L}\p{N}_]*\p{Nd}[.,:/'’-]\p{Nd}[\p{L}\p{N}_]*|\p{Nd}{1,3}[ \u00a0\u2009\u202f]\p{Nd}{3})$/u;

  const cutsNumber = ({ words, spans, body }, word) =>
    word > 0 && word < words.length && NUMBER_OF_TWO_WORDS.test(body.slice(spans[word - 1][0], spans[word][1]));

  /** A run without the parts of numbers at its ends: "4" of 4.2 and 4.9 is nothing they share. */
  function wholeNumbers(dropped, kept, { words, i, j }) {
    for (; words && (cutsNumber(dropped, i) || cutsNumber(kept, j)); words--) [i, j] = [i + 1, j + 1];
    while (words && (cutsNumber(dropped, i + words) || cutsNumber(kept, j + words))) words--;
    return { words, i, j };
  }

  function unpackWords(packed) {
    const numbers = report.unpackNumbers(packed);
    const [words, signs, spans] = [[], [], []];
    let start = 0;
    for (let i = 0; i < numbers.length; i += 4) {
      start += numbers[i];
      spans.push([start, start + numbers[i + 1]]);
      words.push(numbers[i + 2]);
      signs.push(numbers[i + 3]);
    }
    return { words, signs, spans };
  }

  /** Words of a text that carries no places, as in a large set. */
  function readWords(text) {
    const [words, signs, spans] = [[], [], []];
    let end = 0;
    for (const found of text.matchAll(/[\p{L}\p{M}]+|\p{N}+/gu)) {
      words.push(found[0].toLowerCase());
      signs.push(text.slice(end, found.index).trim());
      end = found.index + found[0].length;
      spans.push([found.index, end]);
    }
    return { words, signs, spans };
  }

  const keyAt = (words, i) => words.slice(i, i + MIN_PASSAGE_WORDS).join(" ");

  /** The runs of words that both texts have, longest first: [{words, dropped, kept}] (evidence/passages.py). */
  report.sharedPassages = (dropped, kept) =>
    passageRuns(dropped, kept)
      .sort((a, b) => b.words - a.words || a.i - b.i)
      .map((run) => placedRun(dropped, kept, run));

  const placedRun = (dropped, kept, { words, i, j }) => ({
    words,
    dropped: [dropped.spans[i][0], dropped.spans[i + words - 1][1]],
    kept: [kept.spans[j][0], kept.spans[j + words - 1][1]],
  });

  /** The same by words, in the order of the dropped text. */
  function passageRuns(dropped, kept) {
    const found = [];
    let i = 0;
    while (i + MIN_PASSAGE_WORDS <= dropped.words.length) {
      const [run, place] = longestRun(dropped, kept, i);
      const whole = wholeNumbers(dropped, kept, { words: run, i, j: place });
      if (whole.words >= MIN_PASSAGE_WORDS) found.push(whole);
      i += run || 1;
    }
    return found;
  }

  /**
   * What two texts share word by word: their passages and, between these, the longest common subsequence.
   * `runs` are as in `sharedPassages`; `own` and `other` count the words that only the dropped, only the kept text has.
   */
  report.wordDifferences = function (dropped, kept) {
    const passages = passageRuns(dropped, kept);
    const taken = new Uint8Array(kept.words.length);
    const take = ({ j, words }) => taken.fill(1, j, j + words);
    passages.forEach(take);
    const found = [...passages];
    let [i, j] = [0, 0];
    for (const next of [...passages, { i: dropped.words.length, j: kept.words.length, words: 0 }]) {
      const runs = commonRuns(dropped.words, [i, next.i], kept.words, [j, next.j], taken);
      runs.forEach(take);
      found.push(...runs);
      [i, j] = [next.i + next.words, next.j + next.words];
    }
    return {
      runs: found.map((run) => placedRun(dropped, kept, run)),
      own: dropped.words.length - report.sum(found.map((run) => run.words)),
      other: taken.filter((flag) => !flag).length,
    };
  };

  /** Runs of a longest common subsequence of two stretches of words, without those that are taken. */
  function commonRuns(a, [start, end], b, [from, to], taken) {
    const free = [];
    for (let j = from; j < to; j++) if (!taken[j]) free.push(j);
    const [rows, width] = [end - start, free.length + 1];
    if (rows <= 0 || width === 1 || rows * width > MAX_COMPARED_WORDS) return [];
    const same = (x, y) => a[start + x] === b[free[y]];
    const lengths = commonLengths(rows, width, same);
    const runs = [];
    let [x, y] = [0, 0];
    while (x < rows && y < free.length) {
      if (same(x, y)) addWord(runs, start + x++, free[y++]);
      else if (lengths[(x + 1) * width + y] >= lengths[x * width + y + 1]) x++;
      else y++;
    }
    return runs;
  }

  /** Length of the longest common subsequence from each pair of places on. */
  function commonLengths(rows, width, same) {
    const lengths = new Uint16Array((rows + 1) * width);
    for (let x = rows - 1; x >= 0; x--)
      for (let y = width - 2; y >= 0; y--) {
        const [below, beside] = [(x + 1) * width + y, x * width + y + 1];
        lengths[x * width + y] = same(x, y) ? lengths[below + 1] + 1 : Math.max(lengths[below], lengths[beside]);
      }
    return lengths;
  }

  function addWord(runs, i, j) {
    const last = runs.at(-1);
    if (last && last.i + last.words === i && last.j + last.words === j) last.words++;
    else runs.push({ words: 1, i, j });
  }

  /** Whether two words are equal and, in a run, what is before them. */
  function isSame(a, i, b, j, length) {
    return i < a.words.length && a.words[i] === b.words[j] && (!length || a.signs[i] === b.signs[j]);
  }

  function longestRun(dropped, kept, i) {
    let [run, place] = [0, 0];
    for (const j of (kept.starts.get(keyAt(dropped.words, i)) || []).slice(0, MAX_PLACES_OF_A_RUN)) {
      let length = 0;
      while (isSame(dropped, i + length, kept, j + length, length)) length++;
      if (length > run) [run, place] = [length, j];
    }
    return [run, place];
  }

  /** Sentences of every page with their weights, and the pages that have each (page_texts.py). */
  report.openInformation = function (packed, n) {
    const holders = report.unpackBits(packed.holders, n).map((flags) => [...flags.keys()].filter((page) => flags[page]));
    const numbers = report.unpackNumbers(packed.sentences);
    const weightOf = new Float64Array(holders.length);
    let at = 0;
    const pages = packed.counts.map((count) => {
      let start = 0;
      return Array.from({ length: count }, () => {
        const [step, length, weightNumber, held] = numbers.slice(at, at + 4);
        const weight = packed.weights[weightNumber];
        [start, at] = [start + step, at + 4];
        weightOf[held] += weight;
        return { span: [start, start + length], weight, held };
      });
    });
    return { holders, pages, weightOf, total: report.sum(weightOf) };
  };

  const flagsOf = (pages, kept) => {
    const chosen = new Set(kept);
    return Uint8Array.from(pages, (_, page) => Number(chosen.has(page)));
  };

  const isHeld = (holders, flags) => holders.some((page) => flags[page]);

  /** Share of the information that the kept pages have, in [0, 1]; null where there is none. */
  report.informationKept = function ({ holders, pages, weightOf, total }, kept) {
    if (!total) return null;
    const flags = flagsOf(pages, kept);
    let held = 0;
    for (let s = 0; s < holders.length; s++) if (isHeld(holders[s], flags)) held += weightOf[s];
    return Math.min(1, held / total);
  };

  /** For each page how many of its sentences no kept page has, of how many, and their share of all. */
  report.lossesOf = function ({ holders, pages, total }, kept) {
    const flags = flagsOf(pages, kept);
    const held = holders.map((one) => isHeld(one, flags));
    return pages.map((sentences) => {
      const lost = sentences.filter((sentence) => !held[sentence.held]);
      const weight = report.sum(lost.map((sentence) => sentence.weight));
      return { count: lost.length, of: sentences.length, share: weight / (total || 1) };
    });
  };

  /** What a page has that no kept page has: places in its text in order, share of all. */
  report.lostWith = function ({ holders, pages, total }, kept, page) {
    const flags = flagsOf(pages, kept);
    const lost = pages[page].filter(({ held }) => !isHeld(holders[held], flags));
    const places = lost.map(({ span, held }) => ({ span, alone: holders[held].length === 1 }));
    return { share: report.sum(lost.map(({ weight }) => weight)) / (total || 1), places, of: pages[page].length, alone: places.filter((place) => place.alone).length };
  };
})(ReduceReport);
