"""The kind of duplicate that clicks and content together show, and what to do about it.

Radlinski, Bennett and Yilmaz (WSDM 2011): exact, navigational, content and weak duplicates.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from reducepp.clustering.levels import LEVELS
from reducepp.text.urls import registered_domain
from reducepp.types import Dropped, Page, Profile

if TYPE_CHECKING:
    from reducepp.clustering.representatives import Places, Policy
    from reducepp.clustering.tree import Scores
    from reducepp.similarity.click_scores import ClickPair, ClickTable

CLICK_KINDS = ("exact", "navigational", "content", "weak", "none")
"""The same page; one click apart; the same information elsewhere; nearly so; not redundant."""
ACTIONS = {
    "exact": "remove",
    "navigational": "keep the right one",
    "content": "show as alternatives",
    "weak": "show as alternatives",
    "none": "keep",
}

REDUNDANT = 0.5
"""Score from which on two results are redundant: in either order most take just the top one."""
WEAK = 0.35
"""Score from which on they are weakly so."""


def kind_of(pair: ClickPair, *, level: str = "", linked: bool | None = None) -> str:
    """The kind of duplicate, from clicks and what is known of the content.

    Clicks decide whether there is redundancy at all. Then the texts' level detects exact copies;
    two pages are one click apart where one links to the other or, where links are not known, both
    stand on one registered domain; the rest give the same information elsewhere. A redundant pair
    whose texts are compared and have nothing in common counts as weak.
    """
    if math.isnan(pair.score) or pair.score < WEAK:
        return "none"
    if level in LEVELS[:2]:
        return "exact"
    if pair.score < REDUNDANT:
        return "weak"
    if linked is None:
        linked = registered_domain(pair.u) == registered_domain(pair.v) != ""
    return "navigational" if linked else "weak" if level == "none" else "content"


def one_click_apart(a: Page, b: Page) -> bool | None:
    """Whether one page links to the other; None where neither page's links are known."""
    if not (a.links or b.links):
        return None
    from reducepp.similarity.click_log import normalise_address

    return any(
        normalise_address(link) == normalise_address(there.url)
        for here, there in ((a, b), (b, a))
        for link in here.links
    )


def click_kind(table: ClickTable, a: Page, b: Page, level: str) -> str:
    """The kind of two pages whose texts are compared; "" where clicks say nothing."""
    pair = table.find(a, b)
    return kind_of(pair, level=level, linked=one_click_apart(a, b)) if pair else ""


def clicks_of(profile: Profile) -> ClickTable | None:
    """The click log that a profile names in a signal; None where it has none."""
    for signal in profile.signals:
        if signal.measure == "clicks" and signal.options.get("log"):
            from reducepp.similarity.click_scores import MINIMUM, load_clicks

            minimum = int(signal.options.get("minimum", MINIMUM))
            return load_clicks(str(signal.options["log"]), minimum=minimum)
    return None


def prefer_clicked(table: ClickTable, policy: Policy) -> Policy:
    """The policy, but for another page than its choice that is one click away from it and that
    people prefer; the best ranked of several."""

    def choose(members: Places, central: Places, pages: Sequence[Page], scores: Scores) -> int:
        group = list(members)
        kept = policy(group, central, pages, scores)
        for i in group:
            near = i != kept and click_kind(table, pages[i], pages[kept], "") == "navigational"
            if near and table.is_preferred(pages[i], pages[kept]):
                return i
        return kept

    return choose


def act_on_clicks(
    table: ClickTable, dropped: Sequence[Dropped], pages: Sequence[Page]
) -> tuple[Dropped, ...]:
    """Give each dropped page its kind and that kind's action, where the clicks say one."""
    by_id = {page.id: page for page in pages}
    found = []
    for page in dropped:
        kind = click_kind(table, by_id[page.id], by_id[page.kept], page.level)
        redundant = kind not in ("", "none")
        found.append(replace(page, kind=kind, action=ACTIONS[kind]) if redundant else page)
    return tuple(found)
