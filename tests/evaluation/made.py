"""Comparisons made for tests: from given scores, or of generated pages."""

from collections.abc import Sequence

import numpy as np

from reducepp.clustering.tree import build_tree
from reducepp.comparison import Comparison
from reducepp.types import Array, Page, Profile, Signal, Similarities

PROFILE = Profile(
    name="given",
    signals=(Signal(name="given", content="body", measure="cosine", weight=1.0),),
    threshold=0.5,
)


def pages_of(bodies: Sequence[str], query: str = "q") -> tuple[Page, ...]:
    """Pages in rank order with these bodies, named a, b, c and so on."""
    return tuple(
        Page(id=chr(ord("a") + i) if i < 26 else f"p{i}", query=query, rank=i + 1, body=body)
        for i, body in enumerate(bodies)
    )


def comparison_of(scores: Array, pages: Sequence[Page]) -> Comparison:
    """A comparison with exactly these scores."""
    ids = tuple(page.id for page in pages)
    return Comparison(
        pages=tuple(pages),
        profile=PROFILE,
        similarities=Similarities(ids=ids, by_signal={"given": scores}),
        scores=scores,
        tree=build_tree(ids, scores),
    )


def symmetric(n: int, pairs: dict[tuple[int, int], float], other: float = 0.0) -> Array:
    """Scores of n pages, `other` where not given."""
    scores = np.full((n, n), other)
    for (i, j), score in pairs.items():
        scores[i, j] = scores[j, i] = score
    np.fill_diagonal(scores, 1.0)
    return scores


def random_pages(n: int, seed: int = 0, words: int = 400) -> tuple[Page, ...]:
    """Pages of which every third repeats much of an earlier one."""
    random = np.random.default_rng(seed)
    vocabulary = [f"w{chr(97 + i % 26)}{chr(97 + i // 26 % 26)}{i}" for i in range(3000)]
    share = 1 / np.arange(1, 3001)
    bodies: list[list[str]] = []
    for i in range(n):
        drawn = random.choice(3000, words, p=share / share.sum())
        body = [vocabulary[k] + ("." if random.random() < 0.08 else "") for k in drawn]
        if i % 3 == 2:
            cut = int(words * random.uniform(0.1, 1.0))
            body[:cut] = bodies[int(random.integers(0, i))][:cut]
        bodies.append(body)
    return pages_of([" ".join(body) for body in bodies])
