"""What clicks say about two results: whether people take whichever stands on top.

Radlinski, Bennett and Yilmaz (WSDM 2011). Of two results shown next to each other in both orders,
r(u, v) is the lower of the two rates at which just the top one was clicked:

    r(u, v) = min( top only / (top only + bottom only + both) with u on top,
                   the same with v on top )
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from reducepp.similarity.click_log import Key, LogNotes, count_pairs, normalise_address
from reducepp.types import Page

MINIMUM = 10
"""Lists with a click on one of the two, in each order, before they are scored."""

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
        below_u, below_v = (
            (order.bottom + order.both) / order.clicks if order.clicks else 0.0
            for order in (self.v_on_top, self.u_on_top)
        )
        return "" if below_u == below_v else self.u if below_u > below_v else self.v


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
        pair = ClickPair(*key, Order(*counts[:4]), Order(*counts[4:]))
        if pair.observations >= max(minimum, 1):
            yield pair


class ClickTable:
    """The scored pairs of a log, looked up by two pages of a query."""

    def __init__(self, pairs: Mapping[Key, ClickPair]) -> None:
        self._pairs = pairs

    def find(self, a: Page, b: Page) -> ClickPair | None:
        """The pair of two pages; None where it was not seen often enough."""
        u, v = sorted((normalise_address(a.url), normalise_address(b.url)))
        return self._pairs.get((a.query, u, v))

    def is_preferred(self, page: Page, other: Page) -> bool:
        """Whether people prefer a page to another."""
        pair = self.find(page, other)
        return pair is not None and pair.right == normalise_address(page.url) != ""


def load_clicks(log: str, *, minimum: int = MINIMUM) -> ClickTable:
    """The scored pairs of a log, read once for as long as the file does not change."""
    path = Path(log)
    return _load(log, minimum, path.stat().st_mtime_ns if path.is_file() else 0)


@lru_cache(maxsize=4)
def _load(log: str, minimum: int, changed: int) -> ClickTable:
    pairs = read_clicks(log, minimum=minimum)
    return ClickTable({(pair.query, pair.u, pair.v): pair for pair in pairs})
