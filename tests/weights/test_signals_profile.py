"""The system of Huffman et al. by name: a profile with rules, from pages to reasons."""

import gzip
import json
import os
from pathlib import Path

import pytest

from reducepp import Page
from reducepp.api import reduce
from reducepp.labelled.labelled_pairs import find_pairs
from reducepp.labelled.reading import read_labels
from reducepp.labelled.signals import measure_pairs
from reducepp.similarity.compare import compare
from reducepp.weights.learning.profile_comparison import evaluate_profile
from reducepp.weights.profile import load_profile

DATA = Path(os.environ.get("REDUCEPP_DATA") or Path(__file__).parents[3] / "shared" / "data")

STORY = " ".join(
    f"The council met on day {i} and heard speaker {i * 7} on bees and roofs." for i in range(40)
)


def test_a_copy_is_dropped_with_the_rule_that_held_and_another_page_stays() -> None:
    other = " ".join(
        f"Recipe step {i}: stir honey with {i * 3} spoons of flour." for i in range(40)
    )
    pages = [
        Page(id="a", rank=1, url="https://a.example/1", page_title="Bees", body=STORY),
        Page(id="b", rank=2, url="https://b.example/1", page_title="Bees", body=STORY + " Ends."),
        Page(id="c", rank=3, url="https://c.example/1", page_title="Bees", body=other),
    ]
    found = reduce(pages, profile="signals")
    assert found.kept == ("a", "c")
    (dropped,) = found.dropped
    assert dropped.kept == "a"
    assert "body_compression" in dropped.tests[0]
    assert dropped.by_signal["body_compression"].contribution > 0
    assert dropped.by_signal["same_title"].similarity == 1.0


def test_pages_that_only_rendering_shows_alike() -> None:
    shells = ("Loading.", "This site needs scripts: please turn them on in your browser.")
    pages = [
        Page(id=body[:4], rank=rank, body=body, rendered_body=STORY)
        for rank, body in enumerate(shells, 1)
    ]
    found = reduce(pages, profile="signals")
    assert len(found.kept) == 1
    assert "rendered_compression" in found.dropped[0].tests[0]


def test_fetched_and_rendered_features_stay_apart() -> None:
    """A script fills two shells with different stories: alike as fetched, not as rendered."""
    titles = ("Bees", "Honey")
    pages = [
        Page(id=t, body=f"{t} {STORY}", rendered_body=f"{t} {STORY}", rendered_title=t,
             page_title=t, fetched_title="Loading", fetched_body="Loading the page.")
        for t in titles
    ]  # fmt: skip
    values = compare(pages, load_profile("signals")).by_signal
    assert values["same_title"][0, 1] == 1.0
    assert values["same_rendered_title"][0, 1] == 0.0
    assert values["body_length"][0, 1] == 1.0
    assert values["rendered_length"][0, 1] < 1.0


@pytest.mark.slow
@pytest.mark.skipif(not DATA.is_dir(), reason="no labelled data: set REDUCEPP_DATA")
@pytest.mark.parametrize("name", ["news-en", "news-fr", "news-ar"])
def test_floor_on_labelled_news(name: str) -> None:
    """One of the 30 duplicate pairs of news-en is missed where one paper embeds a post."""
    from reducepp.scraping.extract.split import split_html

    with gzip.open(DATA / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    pages = [split_html(row.pop("html"), **row) for row in rows]
    labels = read_labels(DATA / f"{name}.labels.csv")
    profile = load_profile("signals")
    pairs = measure_pairs(find_pairs([pages], labels), profile)
    assert evaluate_profile(profile, pairs).figures.f1.value >= 0.94
