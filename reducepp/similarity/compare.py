"""Similarities of pages by a profile, one array per signal."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from reducepp.errors import ProfileError
from reducepp.similarity.contents import DERIVED, PageSet
from reducepp.similarity.documents import number_keys, same_key
from reducepp.similarity.measures import MEASURES, find_measure
from reducepp.text.tokenise import words
from reducepp.types import Array, Bools, Integers, Page, Profile, Signal, Similarities

TEXTS = (
    *("body", "text", "rendered_body", "page_title", "site_title", "snippet"),
    *("result_text", "result_title"),
)
"""Content types that are compared as characters where they have no words."""


def compare(pages: Sequence[Page], profile: Profile) -> Similarities:
    """Every signal of the profile for every two pages."""
    return compare_set(PageSet(pages, prepare=profile.prepare), profile)


def drop_empty_signals(profile: Profile, pages: Iterable[Page]) -> Profile:
    """The profile without the signals of weight 0 whose content type no page has.

    A learned model may use signals of any weight, so with one all of them stay.
    """
    if profile.model or all(signal.weight for signal in profile.signals):
        return profile
    held = {
        s.content
        for page in pages
        for s in profile.signals
        if s.content in DERIVED or page.content(s.content)
    }
    kept = tuple(s for s in profile.signals if s.weight or s.content in held)
    return replace(profile, signals=kept)


def compare_set(page_set: PageSet, profile: Profile) -> Similarities:
    """The same for a page set, which keeps the prepared texts for other uses."""
    return Similarities(
        ids=tuple(page.id for page in page_set.pages),
        by_signal={
            signal.name: measure(page_set, signal, missing=profile.missing)
            for signal in profile.signals
        },
    )


def measure(page_set: PageSet, signal: Signal, *, missing: str) -> Array:
    """One signal: NaN where both pages lack the content, by the profile's rule where one does."""
    if signal.measure not in MEASURES:
        known = ", ".join(sorted(MEASURES))
        raise ProfileError(f"signal {signal.name}: unknown measure {signal.measure!r} ({known})")
    pairs = page_set.pairs
    similarities = find_measure(signal.measure)(page_set.contents(signal.content), **signal.options)
    absent = np.isnan(pairs.own(similarities))
    if missing == "zero":
        similarities[pairs.first(absent) != pairs.second(absent)] = 0.0
    if signal.content in TEXTS and absent.any():
        codes = number_wordless(page_set.values(signal.content), absent)
        similarities[same_key(pairs, codes)] = 1.0
    return similarities


def number_wordless(values: Sequence[str], absent: Bools) -> Integers:
    """A number per text without words (figures, signs, emoji); equal texts share it, else -1."""
    texts = ("".join(v.split()) if gone else "" for v, gone in zip(values, absent, strict=True))
    return number_keys(["" if words(text) else text for text in texts])
