"""Exact candidates: the pairs of a large page set that can reach a score, without all pairs.

Each kind of score gives a bound on its main signal, below which no pair reaches the floor,
whatever its other signals are; an inverted index finds the pairs above the bound. Signals that are
defined for equal keys only (addresses, equal texts) are listed by their keys.

Weighted mean. With weight w of signal s and the sum v of all other weights,

    (w s + v) / (w + v) >= floor   ⇔   s >= floor - (1 - floor) v / w

and a signal that is left out only raises the bound. Pairs that lack the content of s are found by
the next signal in the same way.

Log-odds. The main signal is the share of common text on one site and across sites; all other
positive signals are at most 1. So its log-odds must make up for what the others leave.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from reducepp.similarity.contents import Contents, PageSet
from reducepp.similarity.documents import (
    FULL_TEXT,
    addresses_of,
    file_names_of,
    number_keys,
    same_key,
    sites_of,
    texts_of,
    titles_of,
)
from reducepp.similarity.inverted_index import (
    TOLERANCE,
    WHOLE,
    Block,
    PairArrays,
    concatenate,
    cosine_pairs,
    equal_pairs,
    share_pairs,
    star_pairs,
)
from reducepp.similarity.measures.rare_runs import SCALES, runs_of
from reducepp.similarity.measures.same_page import MAX_RESULT_WORDS, MIN_COPY_WORDS
from reducepp.similarity.models.log_odds import evidence, share_of
from reducepp.similarity.pairs import Bools, Integers, PairList
from reducepp.similarity.run_weights import Runs, least_of_both
from reducepp.similarity.shingles import distinct, word_run_codes
from reducepp.similarity.sparse import row_sums
from reducepp.text.urls import address_key
from reducepp.types import Array, Profile, Signal

EXACT, LSH = "exact", "lsh"
CANDIDATES = (EXACT, LSH)
"""All pairs that can reach the floor; or those that MinHash finds alike, which may miss some."""

LOWEST_BOUND = 0.2
"""Below this bound nearly all pairs of real pages are candidates, and dense arrays are faster."""

CERTAIN = 30.0
"""Log-odds from which on a score is 1 to its last digit (`combine.DECIMALS`)."""

LOWEST_SHARE = 0.05
"""The same for shares of common runs, of which unrelated pages have next to none."""

MAX_NAMED = 20
"""Pages of one title or file name whose pairs are all listed, which is cheaper than to look them
up: at most ten pairs per page."""


def candidate_pairs(
    page_set: PageSet,
    profile: Profile,
    floor: float,
    method: str = EXACT,
    *,
    block: Block = WHOLE,
) -> PairArrays | None:
    """Pairs among which all with a score of `floor` or more are; None where bounds do not help.

    By the method `lsh` pairs that are likely to share much text, whatever the profile. A `block`
    finds its share of the pairs; all blocks together find them all.
    """
    if method == LSH:
        certain = certain_groups(page_set, profile)
        found: list[PairArrays] | None = _by_hashes(page_set, certain, block)
    else:
        kind = str(profile.model.get("kind", ""))
        found = BOUNDS[kind](page_set, profile, floor, block) if kind in BOUNDS else None
    if found is None:
        return None
    first, second = concatenate(found)
    keys = distinct(np.minimum(first, second) * len(page_set.pages) + np.maximum(first, second))
    return keys // len(page_set.pages), keys % len(page_set.pages)


def certain_groups(page_set: PageSet, profile: Profile) -> Integers:
    """A number per page; any two pages with the same one score 1, -1 for pages with none.

    By calibrated evidence these are pages of one content class with the same words, too many for a
    notice or a search result, where no other signal can outweigh that.
    """
    none = np.full(len(page_set.pages), -1, dtype=np.int64)
    same = next((s for s in profile.signals if s.measure == "same_text"), None)
    if profile.model.get("kind") != "log_odds" or same is None or _least_odds(profile) < CERTAIN:
        return none
    least = max(same.options.get("least", MIN_COPY_WORDS), MAX_RESULT_WORDS + 1)
    long = page_set.texts(FULL_TEXT, "plain").lengths >= least
    keys = zip(texts_of(page_set).tolist(), page_set.values("content_class"), strict=True)
    return np.where(long, number_keys(list(keys)), none)


def _least_odds(profile: Profile) -> float:
    """The lowest log-odds of two pages with the same words, of one class and no search results."""
    model, most = profile.model, np.array(1.0)
    odds = float(model["background"])
    for signal in profile.signals:
        coefficient = model["coefficients"][signal.name]
        if signal.measure == "same_text":
            odds += coefficient
        elif signal.measure == "rare_runs":
            odds += min(0.0, coefficient * float(evidence(model, signal.name, most)))
        elif signal.name in model["shares"]:
            ends = np.array([0.0, 1.0])
            odds -= abs(coefficient) * float(np.abs(evidence(model, signal.name, ends)).max())
        elif signal.measure not in ("other_result", "other_class"):
            odds += min(0.0, coefficient)
    return odds


def _listed(found: Iterable[PairArrays], block: Block) -> list[PairArrays]:
    """A block's share of pairs that are listed by their keys."""
    return [tuple(side[(a + b) % block[1] == block[0]] for side in (a, b)) for a, b in found]


def _by_mean(
    page_set: PageSet, profile: Profile, floor: float, block: Block
) -> list[PairArrays] | None:
    """Candidates of a weighted mean."""
    listed = [s for s in profile.signals if s.measure == "same_address"]
    graded = [s for s in profile.signals if s.weight and s.measure != "same_address"]
    made = _by_signals(page_set, graded, floor, np.ones(len(page_set.pages), dtype=bool), block)
    if made is None:
        return None
    addresses = ([address_key(str(v)) for v in page_set.values(s.content)] for s in listed)
    return [*_listed(map(equal_pairs, addresses), block), *made]


def _by_signals(
    page_set: PageSet, signals: Sequence[Signal], floor: float, among: Bools, block: Block
) -> list[PairArrays] | None:
    """Candidates by the heaviest signal with an index; by the next where its content is absent."""
    if not signals:
        return []
    ordered = sorted(signals, key=lambda signal: -signal.weight)
    first = next((s for s in ordered if s.measure in INDEXED), None)
    if first is None:
        return None
    others = [s for s in ordered if s is not first]
    bound = floor - (1 - floor) * sum(s.weight for s in others) / first.weight
    if bound < LOWEST_BOUND:
        return None
    contents = page_set.contents(first.content)
    absent = (contents.texts().lengths == 0) & among
    found = list(INDEXED[first.measure](contents, bound, block, **first.options))
    if absent.any():
        rest = _by_signals(page_set, others, floor, absent, block)
        if rest is None:
            return None
        found += [*rest, *_listed([_wordless(contents, absent)], block)]
    return found


def _wordless(contents: Contents, absent: Bools) -> PairArrays:
    """Pairs of equal texts without words, whose similarity is 1."""
    keys = ["".join(text.split()) for text in contents.joined()]
    return equal_pairs([key if gone else "" for key, gone in zip(keys, absent, strict=True)])


def _cosine(contents: Contents, minimum: float, block: Block) -> Iterator[PairArrays]:
    yield cosine_pairs(contents.texts().counts, minimum, block=block)


def _overlap(
    contents: Contents,
    minimum: float,
    block: Block,
    *,
    window: int = 3,
    short: int = 10,
    long: int = 25,
) -> Iterator[PairArrays]:
    """A mixture reaches the minimum only if edges or letters do; letters only for short texts."""
    from reducepp.similarity.measures.edges import edge_features
    from reducepp.similarity.measures.overlap import trigram_features

    lengths = contents.texts().lengths
    yield cosine_pairs(edge_features(contents, window), minimum, block=block)
    brief = np.flatnonzero((lengths < long) & (lengths > 0))[block[0] :: block[1]]
    if len(brief):
        yield cosine_pairs(trigram_features(contents), minimum, rows=brief)


INDEXED: dict[str, Callable[..., Iterator[PairArrays]]] = {"cosine": _cosine, "overlap": _overlap}
"""Measures whose pairs above a minimum an inverted index finds."""


def _by_evidence(
    page_set: PageSet, profile: Profile, floor: float, block: Block
) -> list[PairArrays] | None:
    """Candidates of calibrated evidence."""
    texts = {s.options["scope"]: s for s in profile.signals if s.measure == "rare_runs"}
    names = {signal.name for signal in texts.values()}
    if set(profile.model["shares"]) != names or set(texts) != set(SCALES):
        return None
    certain = certain_groups(page_set, profile)
    listed = [equal_pairs(of(page_set), certain) for of in (texts_of, addresses_of)]
    named_alike = [of(page_set) for of in (titles_of, file_names_of)]
    listed += [equal_pairs(np.where(_is_many(n), -1, n), certain) for n in named_alike]
    found: list[PairArrays] = []
    for scope, signal in texts.items():
        bound = share_bound(profile, scope, signal, floor)
        if bound < LOWEST_SHARE:
            return None
        contents = page_set.contents(signal.content)
        unnamed = share_bound(profile, scope, signal, floor, named=False)
        found += _by_runs(contents, scope, unnamed, certain, block)
        named = _by_runs(contents, scope, bound, certain, block, named=True)
        found += _same_name(page_set, named)
    contents = page_set.contents(next(iter(texts.values())).content)
    absent = contents.texts("plain").lengths == 0
    if absent.any():
        same = concatenate([equal_pairs(of(page_set)) for of in (titles_of, file_names_of)])
        lacking = absent[same[0]] | absent[same[1]]
        listed += [(same[0][lacking], same[1][lacking]), _wordless(contents, absent)]
    return [*_listed(listed, block), *found]


def _same_name(page_set: PageSet, found: Iterable[PairArrays]) -> Iterator[PairArrays]:
    """The pairs of pages with the same title or file name."""
    titles, names = titles_of(page_set), file_names_of(page_set)
    for first, second in found:
        pairs = PairList(0, first, second)
        same = same_key(pairs, titles) | same_key(pairs, names)
        yield first[same], second[same]


def share_bound(
    profile: Profile, scope: str, text: Signal, floor: float, *, named: bool = True
) -> float:
    """The least share of common text with which a pair of this scope reaches the floor.

    Signals that are listed by their keys are left out: their pairs are candidates anyway. So are
    titles and file names of pairs that have none in common, which are not `named`.
    """
    model, coefficients = profile.model, profile.model["coefficients"]
    adding = (s for s in profile.signals if _may_add(s, scope, named))
    most = sum(max(coefficients[signal.name], 0.0) for signal in adding)
    chance = min(max(floor, 1e-9), 1 - 1e-9)
    odds = math.log(chance / (1 - chance)) - model["background"] - most
    return share_of(model, text.name, odds / coefficients[text.name])


def _may_add(signal: Signal, scope: str, named: bool) -> bool:
    """Whether a signal that is not listed by its keys may add to pairs of this scope."""
    if signal.measure in ("rare_runs", "same_text"):
        return False
    if signal.measure != "rare_same":
        return True
    key = signal.options.get("key", "title")
    return key != "address" and named and not (key == "file_name" and scope == "off_site")


def _by_runs(
    contents: Contents,
    scope: str,
    minimum: float,
    certain: Integers,
    block: Block,
    *,
    named: bool = False,
) -> Iterator[PairArrays]:
    """Pairs that share enough of one of the units by which texts of their lengths are compared.

    With the shared weight B, its part A of the weight W of a text, and the minimum t, the share
    B / (B + W - A) of the text with less weight is at least t where (1 - t) B + t A >= t W. Of
    pages with the same runs, which are `certain` duplicates, one is looked up. `named` pairs are
    those among pages with a title or file name that too many pages have to list them.
    """
    scale, lengths = SCALES[scope], contents.texts("plain").lengths
    sites, untitled = sites_of(contents.page_set), titles_of(contents.page_set) < 0
    twins = certain if scope == "off_site" else _both(certain, sites)
    for unit in dict.fromkeys(scale.units):
        among = (lengths > scale.shortest(unit)) & (lengths > 0)
        among &= untitled if scope == "untitled" else True
        among &= _is_much_named(contents.page_set) if named else True
        brief = among & (lengths < scale.longest(unit))
        if not brief.any():
            continue
        runs, weighting = runs_of(contents, scope, unit)
        shared, own = runs.background.weights(weighting)
        gain = (1 - minimum) * shared + minimum * own
        needed = minimum * runs.whole(own)
        stars = star_pairs(np.where(among, twins, -1))
        few = among.copy()
        few[stars[1]] = False
        reach = _reach(runs, shared, minimum)
        del shared, own  # of a large set more than a hundred megabytes each
        pairs = share_pairs(
            runs.matrix, gain, needed, reach=reach, among=few, brief=brief, block=block
        )
        first, second = _with_twins(pairs, stars)
        on_site = (sites[first] == sites[second]) & (sites[first] >= 0)
        wanted = ~on_site if scope == "off_site" else on_site
        yield first[wanted], second[wanted]


def _reach(runs: Runs, shared: Array, minimum: float) -> Array:
    """What a page may need at most to share enough with each page.

    Where a pair reaches the minimum, the shares of both texts reach some u (`least_of_both`).
    Runs weigh no less where they are shared (B >= A), so the text with more weight needs B >= u W.
    """
    most = row_sums(runs.matrix, shared) * (1 + TOLERANCE)
    least = least_of_both(minimum)
    return most * minimum / least if least > 0 else np.full(len(most), np.inf)


def _is_much_named(page_set: PageSet) -> Bools:
    """Whether the pages with the same title or file name are too many to list their pairs."""
    return _is_many(titles_of(page_set)) | _is_many(file_names_of(page_set))


def _is_many(keys: Integers) -> Bools:
    """Whether more than MAX_NAMED pages have each page's key, -1 for none."""
    many: Bools = (np.bincount(keys + 1)[keys + 1] > MAX_NAMED) & (keys >= 0)
    return many


def _both(certain: Integers, sites: Integers) -> Integers:
    """A number per page for the same group and site, -1 for no group."""
    return np.where(certain >= 0, certain * (sites.max(initial=0) + 2) + sites + 1, -1)


def _with_twins(pairs: PairArrays, stars: PairArrays) -> PairArrays:
    """Pairs, and those that a twin of one of their pages or of both has too."""
    order = np.argsort(stars[0], kind="stable")
    firsts, twins = stars[0][order], stars[1][order]
    for side in (0, 1):
        low = np.searchsorted(firsts, pairs[side])
        counts = np.searchsorted(firsts, pairs[side], side="right") - low
        places = np.repeat(low - np.cumsum(counts) + counts, counts) + np.arange(counts.sum())
        more = twins[places], np.repeat(pairs[1 - side], counts)
        pairs = concatenate([pairs, more if side == 0 else more[::-1]])
    return pairs


def _by_hashes(page_set: PageSet, certain: Integers, block: Block) -> list[PairArrays]:
    """Equal addresses, and pairs whose runs of three words MinHash takes for alike."""
    from reducepp.similarity.minhash import minhash_pairs

    texts = page_set.texts(FULL_TEXT, "plain")
    rows, codes = word_run_codes(texts, texts.numbers, 3)
    addresses = equal_pairs(addresses_of(page_set), certain)
    return _listed([addresses, *minhash_pairs(rows, codes, certain)], block)


BOUNDS: dict[str, Callable[[PageSet, Profile, float, Block], list[PairArrays] | None]] = {
    "": _by_mean,
    "log_odds": _by_evidence,
}
"""Kind of model to its candidates; a weighted mean has no model."""
