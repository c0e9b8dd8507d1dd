"""Labels to pairs with signals: places, refusals, groups."""

import numpy as np
import pytest

from reducepp.errors import LabelsError
from reducepp.labelled.labelled_pairs import find_pairs
from reducepp.labelled.reading import PairLabel
from reducepp.labelled.signals import measure_pairs
from reducepp.similarity.sparse import connect
from reducepp.types import Page
from reducepp.weights.profile import load_profile
from tests.weights.made import made_pairs

QUERIES = [
    [
        Page(id="a", query="q", body="red sea fish swim", page_title="fish"),
        Page(id="b", query="q", body="red sea fish swim", page_title="fish"),
        Page(id="c", query="q", body="tax law is long", page_title="law"),
    ],
    [
        Page(id="a", query="r", body="green tea is hot", page_title="tea"),
        Page(id="d", query="r", body="green tea is cold", page_title="tea"),
    ],
]


def labelled(*rows: tuple[str, str, str, float]) -> list[PairLabel]:
    return [PairLabel(query=q, a=a, b=b, grade=g) for q, a, b, g in rows]


def test_signals_of_labelled_pairs_in_order() -> None:
    labels = labelled(
        ("r", "d", "a", 1), ("q", "c", "a", 0), ("q", "a", "b", 1), ("q", "b", "c", 0.5)
    )
    pairs = measure_pairs(find_pairs(QUERIES, labels), load_profile("paper"))
    assert pairs.duplicate.tolist() == [True, False, True]  # the undecided one is left out
    assert pairs.by_signal["page_title"].tolist() == [1.0, 0.0, 1.0]
    assert pairs.by_signal["body_cosine"][:2].tolist() == [1.0, 0.0]
    assert np.isnan(pairs.by_signal["links"]).all()
    assert pairs.query.tolist() == [0, 0, 1]
    assert pairs.group[0] == pairs.group[1] != pairs.group[2]
    assert pairs.group[0] != pairs.group[3]
    assert pairs.group[3] == pairs.group[4]
    assert pairs.seconds > 0


@pytest.mark.parametrize("row", [("q", "a", "x", 1.0), ("", "b", "d", 1.0), ("r", "b", "d", 1.0)])
def test_labels_that_fit_no_pair_of_pages_are_left_out(row: tuple[str, str, str, float]) -> None:
    """An unknown page, pages of two queries, a page of another query."""
    labels = labelled(("q", "a", "b", 1), row)
    assert len(measure_pairs(find_pairs(QUERIES, labels), load_profile("paper"))) == 1
    with pytest.raises(LabelsError, match="check the ids"):
        measure_pairs(find_pairs(QUERIES, labelled(row)), load_profile("paper"))


def test_groups_are_what_labels_connect() -> None:
    groups = connect(5, np.array([0, 1]), np.array([1, 4]))
    assert groups[0] == groups[1] == groups[4]
    assert len({groups[0], groups[2], groups[3]}) == 3


def test_a_part_of_the_pairs_or_of_the_signals() -> None:
    pairs = made_pairs()
    assert len(pairs.take(pairs.duplicate)) == 30
    assert list(pairs.only(["weak"]).by_signal) == ["weak"]


@pytest.mark.parametrize(
    "again",
    [
        {"url": "https://x.example/1#top", "body": "other words"},
        {"url": "https://y.example/", "body": " red sea fish swim\n"},
    ],
)
def test_queries_that_share_a_page_by_address_or_text_count_as_one(again: dict[str, str]) -> None:
    queries = [
        [
            Page(id="a", query="q", url="https://x.example/1", body="red sea fish swim"),
            Page(id="b", query="q", body="green tea"),
        ],
        [Page(id="a", query="r", **again), Page(id="c", query="r", body="tax law")],
        [Page(id="d", query="s", body="one thing"), Page(id="e", query="s", body="another")],
    ]
    labels = labelled(("q", "a", "b", 0), ("r", "a", "c", 0), ("s", "d", "e", 0))
    pairs = measure_pairs(find_pairs(queries, labels), load_profile("paper"))
    assert pairs.query[0] == pairs.query[1] != pairs.query[2]
    assert pairs.group[0] == pairs.group[2] != pairs.group[4]
