"""Candidates of calibrated evidence: a bound on the share of common text.

The main signal is the share of common text on one site and across sites; all other positive
signals are at most 1. So its log-odds must make up for what the others leave.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

import numpy as np

from reducepp.similarity.compare import number_wordless
from reducepp.similarity.contents import Contents, PageSet
from reducepp.similarity.documents import (
    FULL_TEXT,
    addresses_of,
    file_names_of,
    number_keys,
    plain_texts_of,
    same_key,
    sites_of,
    texts_of,
    titles_of,
)
from reducepp.similarity.inverted_index import share_pairs
from reducepp.similarity.measures.rare_runs import SCALES, runs_of
from reducepp.similarity.measures.same_page import MAX_RESULT_WORDS, MIN_COPY_WORDS
from reducepp.similarity.models.log_odds import evidence, share_of
from reducepp.similarity.pairs import PairArrays, PairList, concatenate, equal_pairs, star_pairs
from reducepp.similarity.run_weights import Needs
from reducepp.types import Bools, Integers, Profile, Signal

CERTAIN = 30.0
"""Log-odds from which on a score is 1 to its last digit (`combine.DECIMALS`)."""

LOWEST_SHARE = 0.05
"""Below this bound on the share of common runs, of which unrelated pages have next to none, nearly
all pairs are candidates."""

MAX_NAMED = 20
"""Pages of one title or file name whose pairs are all listed, which is cheaper than to look them
up: at most ten pairs per page."""


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
        elif signal.measure not in ("other_result", "other_class", "other_subject"):
            odds += min(0.0, coefficient)
    return odds


def by_evidence(
    page_set: PageSet, profile: Profile, floor: float, sides: Bools | None
) -> Iterable[PairArrays] | None:
    """Candidates of calibrated evidence; with a side per page, those of pages of two sides."""
    texts = {s.options["scope"]: s for s in profile.signals if s.measure == "rare_runs"}
    names = {signal.name for signal in texts.values()}
    if set(profile.model["shares"]) != names or set(texts) != set(SCALES):
        return None
    bounds = {scope: share_bound(profile, scope, text, floor) for scope, text in texts.items()}
    if min(bounds.values()) < LOWEST_SHARE:
        return None
    certain = certain_groups(page_set, profile)
    listed = _listed(page_set, page_set.contents(next(iter(texts.values())).content), certain)
    looked_up = []
    for scope, text in texts.items():
        contents = page_set.contents(text.content)
        unnamed = share_bound(profile, scope, text, floor, named=False)
        looked_up.append(_by_runs(contents, scope, unnamed, certain, sides))
        named = _by_runs(contents, scope, bounds[scope], certain, sides, named=True)
        looked_up.append(_same_name(page_set, named))
    return chain(_across(listed, sides), *looked_up)


def _listed(page_set: PageSet, contents: Contents, certain: Integers) -> list[PairArrays]:
    """Pairs with an equal text, address, title or file name, but for names of many pages; and those
    that are compared by their names alone, or as characters."""
    listed = [equal_pairs(of(page_set), certain) for of in (texts_of, addresses_of)]
    named_alike = [of(page_set) for of in (titles_of, file_names_of)]
    listed += [equal_pairs(np.where(_is_many(n), -1, n), certain) for n in named_alike]
    absent = contents.texts("plain").lengths == 0
    if absent.any():
        same = concatenate([equal_pairs(names) for names in named_alike])
        lacking = absent[same[0]] | absent[same[1]]
        listed += [(same[0][lacking], same[1][lacking]), wordless(contents, absent)]
    return listed


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
    sides: Bools | None,
    *,
    named: bool = False,
) -> Iterator[PairArrays]:
    """Pairs that share enough of one of the units by which texts of their lengths are compared.

    `Needs` has the bound. Of pages with the same runs, which are `certain` duplicates, one is
    looked up. `named` pairs are those among pages with a title or file name that too many pages
    have to list them.
    """
    scale, lengths = SCALES[scope], contents.texts("plain").lengths
    sites, plain = sites_of(contents.page_set), plain_texts_of(contents.page_set)
    twins = certain if scope == "off_site" else _both(certain, sites)
    if sides is not None:
        twins = _both(twins, sides.astype(np.int64))
    for unit in dict.fromkeys(scale.units):
        among = (lengths > scale.shortest(unit)) & (lengths > 0)
        among &= plain if scope == "untitled" else True
        among &= _is_much_named(contents.page_set) if named else True
        brief = among & (lengths < scale.longest(unit))
        if not brief.any() or (scope == "off_site" and _is_one_site(sites[among])):
            continue
        runs, draws = runs_of(contents, scope, unit)
        shared, own = runs.background.weights(draws)
        least = scale.least(unit, minimum)
        gain = (1 - least) * shared + least * own
        needs = Needs(share=least, weights=runs.whole(own), most=runs.whole(shared))
        stars = star_pairs(np.where(among, twins, -1))
        few = among.copy()
        few[stars[1]] = False
        del shared, own  # of a large set more than a hundred megabytes each
        apart = np.where(scope == "off_site", sites, -1)
        apart[stars[0]] = -1  # a twin may be on another site
        pairs = share_pairs(
            runs.matrix, gain, needs, among=few, brief=brief, apart=apart, sides=sides
        )
        first, second = _with_twins(_less_certain(pairs, certain), stars)
        on_site = (sites[first] == sites[second]) & (sites[first] >= 0)
        wanted = ~on_site if scope == "off_site" else on_site
        yield first[wanted], second[wanted]


def _is_one_site(sites: Integers) -> bool:
    """Whether all pages are of one known site, so that none of their pairs is across sites."""
    return bool(sites[0] >= 0 and (sites == sites[0]).all())


def _is_much_named(page_set: PageSet) -> Bools:
    """Whether the pages with the same title or file name are too many to list their pairs."""
    return _is_many(titles_of(page_set)) | _is_many(file_names_of(page_set))


def _is_many(keys: Integers) -> Bools:
    """Whether more than MAX_NAMED pages have each page's key, -1 for none; nowhere where the pairs
    of all such pages are fewer than the pages of the set."""
    sizes = np.bincount(keys + 1, minlength=1)
    sizes[0] = 0
    large = sizes > MAX_NAMED
    if (sizes[large] ** 2).sum() < 2 * len(keys):
        large[:] = False
    return np.asarray(large[keys + 1])


def _both(certain: Integers, sites: Integers) -> Integers:
    """A number per page for the same group and site, -1 for no group."""
    return np.where(certain >= 0, certain * (sites.max(initial=0) + 2) + sites + 1, -1)


def _less_certain(pairs: PairArrays, certain: Integers) -> PairArrays:
    """The pairs without those of one number in `certain`, -1 for none."""
    open_ = (certain[pairs[0]] != certain[pairs[1]]) | (certain[pairs[0]] < 0)
    return pairs[0][open_], pairs[1][open_]


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


def _across(found: Sequence[PairArrays], sides: Bools | None) -> Sequence[PairArrays]:
    """Those of listed pairs that are of pages of two sides; all, where there are no sides."""
    if sides is None:
        return found
    return [(a[sides[a] != sides[b]], b[sides[a] != sides[b]]) for a, b in found]


def wordless(contents: Contents, absent: Bools) -> PairArrays:
    """Pairs of equal texts without words, whose similarity is 1."""
    return equal_pairs(number_wordless(contents.joined(), absent))
