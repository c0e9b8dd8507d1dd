"""What is handed on: the shown pages as JSONL, and the words that saves."""

import json
from dataclasses import replace

from reducepp import Page, reduce
from reducepp.io.writers import count_words, kept_pages

STORY = "The council voted on Monday to repair the old lighthouse."
PAGES = [
    Page(id="a", query="q", rank=1, body=STORY, links=("https://l.example/",)),
    Page(id="b", query="q", rank=2, body=f"{STORY} Today."),
    Page(id="c", query="q", rank=3, snippet="Walks on the coast", body="Walks on the coast"),
]


def test_shown_pages_one_a_line_with_all_they_have() -> None:
    first, second = map(json.loads, kept_pages(reduce(PAGES)).splitlines())
    assert first == {
        "id": "a",
        "query": "q",
        "rank": 1,
        "links": ["https://l.example/"],
        "body": STORY,
        "similar": ["b"],
        "mode": "collapse",
    }
    assert (second["id"], "similar" in second) == ("c", False)


def test_demoted_pages_stand_at_the_end_and_dropped_ones_nowhere() -> None:
    ids = {
        mode: [
            json.loads(line)["id"] for line in kept_pages(reduce(PAGES, mode=mode)).split("\n")[:-1]
        ]
        for mode in ("demote", "drop")
    }
    assert ids == {"demote": ["a", "c", "b"], "drop": ["a", "c"]}


def test_auto_leaves_copies_out_and_lists_alternatives() -> None:
    """b repeats a: removed. Of a weak duplicate the action is to show it as an alternative."""
    copies = [json.loads(line) for line in kept_pages(reduce(PAGES, mode="auto")).splitlines()]
    assert [(page["id"], "similar" in page) for page in copies] == [("a", False), ("c", False)]
    reduction = reduce(PAGES, mode="auto")
    weak = replace(reduction.dropped[0], action="show as alternative")
    assert replace(reduction, dropped=(weak,)).listed == {"a": ("b",), "c": ()}
    assert replace(reduction, dropped=(weak,), mode="drop").listed == {"a": (), "c": ()}


def test_what_is_handed_on_can_be_read_and_reduced_again() -> None:
    records = [json.loads(line) for line in kept_pages(reduce(PAGES)).splitlines()]
    assert reduce(records).after == len(records)


def test_words_before_and_after() -> None:
    assert count_words(reduce(PAGES)) == {"before": 10 + 11 + 4, "after": 10 + 4}
    assert count_words(reduce([])) == {"before": 0, "after": 0}
    signs = [{"text": "市长表示，安全。"}, {"text": "A cat sat on 3 mats."}]
    assert count_words(reduce(signs))["before"] == 6 + 2 + 6  # the comma and the stop too
