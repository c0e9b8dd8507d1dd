"""What clicks say about two results: whether people take whichever stands on top.

Radlinski, Bennett and Yilmaz (WSDM 2011). Of two results shown next to each other in both orders,
r(u, v) is the lower of the two rates at which just the top one was clicked:

    r(u, v) = min( top only / (top only + bottom only + both) with u on top,
                   the same with v on top )
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from reducepp.clicklog import Counts, Key, LogNotes, count_pairs, plain_address
from reducepp.data import Dropped, Page, Profile
from reducepp.levels import LEVELS
from reducepp.urls import registered_domain

KINDS = ("exact", "navigational", "content", "weak", "none")
"""The same page; one click apart; the same information elsewhere; nearly so; not redundant."""

ACTIONS = {
    "exact": "remove",
    "navigational": "keep the right one",
    "content": "show as alternatives",
    "weak": "show as alternatives",
    "none": "keep",
}

MINIMUM = 10
"""Lists with a click on one of the two, in each order, before they are scored."""

REDUNDANT = 0.5
"""Score from which on two results are redundant: in either order most take just the top one."""

WEAK = 0.35
"""Score from which on they are weakly so."""

Z = 2.241
"""Two rates at 97.5 % each, so that the lower one lies in the interval 95 times in a hundred."""


@dataclass(frozen=True, slots=True)
class Order:
    """One order of two results: what was clicked, and how often it was shown."""

    top: int = 0
    bottom: int = 0
    both: int = 0
    shown: int = 0

    @property
    def clicks(self) -> int:
        """Lists with a click on one of the two."""
        return self.top + self.bottom + self.both

    @property
    def bias(self) -> float:
        """Rate of clicks on just the top one; NaN without clicks."""
        return self.top / self.clicks if self.clicks else math.nan


@dataclass(frozen=True, slots=True)
class ClickPair:
    """Two results of a query, with what was clicked in both orders; `u` is alphabetically first."""

    query: str
    u: str
    v: str
    u_on_top: Order
    v_on_top: Order

    @property
    def observations(self) -> int:
        """Lists with a click in the order that has fewer."""
        return min(self.u_on_top.clicks, self.v_on_top.clicks)

    @property
    def score(self) -> float:
        """r(u, v) in [0, 1]; NaN where one order has no clicks."""
        rates = (self.u_on_top.bias, self.v_on_top.bias)
        return math.nan if any(map(math.isnan, rates)) else min(rates)

    @property
    def interval(self) -> tuple[float, float]:
        """95 % interval of the score: the lower of Wilson's bounds of the two rates."""
        bounds = [wilson(order.top, order.clicks) for order in (self.u_on_top, self.v_on_top)]
        return min(low for low, _ in bounds), min(high for _, high in bounds)

    @property
    def right(self) -> str:
        """The better of the two: the one that is clicked more often below the other; "" if even."""
        below_u = _rate(self.v_on_top.bottom + self.v_on_top.both, self.v_on_top.clicks)
        below_v = _rate(self.u_on_top.bottom + self.u_on_top.both, self.u_on_top.clicks)
        if below_u == below_v:
            return ""
        return self.u if below_u > below_v else self.v


def _rate(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def wilson(hits: int, trials: int, z: float = Z) -> tuple[float, float]:
    """Wilson's score interval of a rate; all of [0, 1] without trials."""
    if not trials:
        return 0.0, 1.0
    rate, square = hits / trials, z * z
    middle = (rate + square / (2 * trials)) / (1 + square / trials)
    reach = math.sqrt(rate * (1 - rate) / trials + square / (4 * trials * trials))
    half = z * reach / (1 + square / trials)
    return max(middle - half, 0.0), min(middle + half, 1.0)


def read_clicks(
    source: str, *, minimum: int = MINIMUM, notes: LogNotes | None = None
) -> Iterator[ClickPair]:
    """Pairs with enough clicks in both orders, by query and address."""
    for key, counts in count_pairs(source, notes):
        pair = _make_pair(key, counts)
        if pair.observations >= max(minimum, 1):
            yield pair


def _make_pair(key: Key, counts: Counts) -> ClickPair:
    return ClickPair(*key, Order(*counts[:4]), Order(*counts[4:]))


def kind_of(pair: ClickPair, *, level: str = "", linked: bool | None = None) -> str:
    """The kind of duplicate, from clicks and what is known of the content.

    Clicks decide whether there is redundancy at all. Then the texts' level tells exact copies;
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
    near = _same_site(pair.u, pair.v) if linked is None else linked
    if near:
        return "navigational"
    return "weak" if level == "none" else "content"


def _same_site(u: str, v: str) -> bool:
    return registered_domain(u) == registered_domain(v) != ""


def one_click_apart(a: Page, b: Page) -> bool | None:
    """Whether one page links to the other; None where neither page's links are known."""
    if not (a.links or b.links):
        return None
    there, back = plain_address(b.url), plain_address(a.url)
    return any(plain_address(link) == there for link in a.links) or any(
        plain_address(link) == back for link in b.links
    )


class ClickTable:
    """The scored pairs of a log, to be asked for two pages of a query."""

    def __init__(self, pairs: Mapping[Key, ClickPair]) -> None:
        self._pairs = pairs

    def find(self, a: Page, b: Page) -> ClickPair | None:
        """The pair of two pages; None where it was not seen often enough."""
        u, v = sorted((plain_address(a.url), plain_address(b.url)))
        return self._pairs.get((a.query, u, v))

    def kind(self, a: Page, b: Page, level: str) -> str:
        """The kind of two pages whose texts are compared; "" where clicks say nothing."""
        pair = self.find(a, b)
        return kind_of(pair, level=level, linked=one_click_apart(a, b)) if pair else ""

    def is_right(self, page: Page, other: Page) -> bool:
        """Whether people prefer a page to another."""
        pair = self.find(page, other)
        return pair is not None and pair.right == plain_address(page.url) != ""


def load_clicks(log: str, *, minimum: int = MINIMUM) -> ClickTable:
    """The scored pairs of a log, read once for as long as the file does not change."""
    path = Path(log)
    changed = path.stat().st_mtime_ns if path.is_file() else 0
    return _load(log, minimum, changed)


@lru_cache(maxsize=4)
def _load(log: str, minimum: int, changed: int) -> ClickTable:
    pairs = read_clicks(log, minimum=minimum)
    return ClickTable({(pair.query, pair.u, pair.v): pair for pair in pairs})


def clicks_of(profile: Profile) -> ClickTable | None:
    """The click log that a profile names in a signal; None where it has none."""
    for signal in profile.signals:
        if signal.measure == "clicks" and signal.options.get("log"):
            return load_clicks(
                str(signal.options["log"]), minimum=int(signal.options.get("minimum", MINIMUM))
            )
    return None


def right_one(table: ClickTable, kept: int, group: Sequence[int], pages: Sequence[Page]) -> int:
    """The page of a cluster to show: another one than `kept` where it is one click away from it
    and people prefer it; the best ranked of several."""
    for i in group:
        navigational = i != kept and table.kind(pages[i], pages[kept], "") == "navigational"
        if navigational and table.is_right(pages[i], pages[kept]):
            return i
    return kept


def act_on_clicks(
    table: ClickTable, dropped: Sequence[Dropped], pages: Sequence[Page]
) -> tuple[Dropped, ...]:
    """Give each dropped page its kind and that kind's action, where the clicks say one."""
    by_id = {page.id: page for page in pages}
    found = []
    for page in dropped:
        kind = table.kind(by_id[page.id], by_id[page.kept], page.level)
        redundant = kind not in ("", "none")
        found.append(replace(page, kind=kind, action=ACTIONS[kind]) if redundant else page)
    return tuple(found)
