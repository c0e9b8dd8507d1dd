"""Sentences of a dropped page that its representative does not hold."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from reducepp import Page, reduce
from reducepp.evaluation.datelines import find_datelines, without_datelines
from reducepp.evaluation.information_kept import cover
from reducepp.evaluation.lost_sentences import MAX_CHARS, MAX_SENTENCES, with_lost
from reducepp.io.terminal_table import reasons_of
from reducepp.io.writers import reduction_to_dict
from reducepp.similarity.contents import PageSet
from reducepp.types import LostSentences
from tests.programs import Cli

STORY = (
    "The council voted on Monday to repair the old lighthouse. The lamp has been dark since the "
    "great storm of the autumn. Fishermen had asked for the light for years. Ships still pass the "
    "cliffs every night. The harbour master praised the vote in a letter to the press."
)
OWN = "A keeper will live there again."


def page(name: str, body: str) -> Page:
    return Page(id=name, url=f"https://{name}.example/1", page_title="Lighthouse", body=body)


def test_what_the_representative_says_is_not_lost() -> None:
    pages = [page("a", STORY), page("b", f"{STORY} {OWN}"), page("c", STORY)]
    found = with_lost(reduce(pages))
    lost = {dropped.id: dropped.lost for dropped in found.dropped}
    assert lost == {
        "b": LostSentences(texts=(OWN,), count=1, total=6),
        "c": LostSentences(texts=(), count=0, total=5),
    }
    assert [one.text for one in cover(pages[:2]).lost(1, shown=[0])] == [OWN]
    lines = [list(reasons_of(dropped))[-1] for dropped in found.dropped]
    assert lines == [f"lost: 1 of 6 sentences: “{OWN}”", "lost: 0 of 5 sentences"]


@pytest.mark.parametrize("profile", ["default", "paper"])
def test_reasons_name_signals_in_plain_words(profile: str) -> None:
    (dropped,) = reduce([page("a", STORY), page("b", STORY)], profile=profile).dropped
    (reason,) = (line for line in reasons_of(dropped) if line.startswith("exact: "))
    assert "page title 1.00" in reason
    assert "_" not in reason


def test_a_line_of_the_template_of_the_representative_is_not_lost() -> None:
    menu = "How this site works"
    kept = replace(page("a", STORY), visible=f"{STORY}\n{menu}")
    pair = PageSet([kept, page("b", f"{STORY}\n{menu}")])
    pair.once(("derived", "text"), lambda: (STORY, f"{STORY}\n{menu}"))
    assert cover(pair).lost(1, shown=[0]) == []


def test_what_several_pages_of_the_site_have_is_lost_where_the_representative_lacks_it() -> None:
    address = "Write to the harbour office, 12 Quay Street, Dunford."
    bodies = [STORY, *(f"{address}\n{STORY} The fees of {n} were paid." for n in range(4))]
    pages = [
        replace(page(str(n), body), url=f"https://a.example/{n}", page_title=f"Lighthouse {n}")
        for n, body in enumerate(bodies)
    ]
    found = with_lost(reduce(pages, threshold=0))
    assert [(d.kept, address in d.lost.texts) for d in found.dropped] == [("0", True)] * 4


def test_a_single_lost_sentence_is_counted_in_the_singular() -> None:
    found = with_lost(reduce([page("a", f"{OWN} {STORY}"), page("b", "Keeper?")], threshold=0))
    (dropped,) = found.dropped
    lost = LostSentences(texts=(OWN,), count=1, total=1)
    assert list(reasons_of(replace(dropped, lost=lost)))[-1] == f"lost: 1 of 1 sentence: “{OWN}”"


def test_a_lost_sentence_is_shown_from_where_it_differs() -> None:
    said = "“The old lighthouse on the cliffs above the harbour will be repaired by the council"
    pages = [
        page(n, f"{STORY}\n{said} before {when}.") for n, when in (("a", "May"), ("b", "June"))
    ]
    (dropped,) = with_lost(reduce(pages)).dropped
    assert list(reasons_of(dropped))[-1] == "lost: 1 of 6 sentences: “… the council before June.”"


def test_lists_of_lost_sentences_are_bounded() -> None:
    own = " ".join(f"Neighbour {n} {'sang and ' * 60}danced." for n in range(MAX_SENTENCES + 2))
    pages = [page("a", STORY * 12), page("b", f"{STORY * 12} {own}")]
    (dropped,) = with_lost(reduce(pages, threshold=0.01)).dropped
    assert dropped.lost is not None
    assert dropped.lost.count == MAX_SENTENCES + 2
    assert [len(text) for text in dropped.lost.texts] == [MAX_CHARS] * MAX_SENTENCES


def test_json_has_them_where_they_were_looked_for(tmp_path: Path, cli: Cli) -> None:
    rows = [{"url": f"https://{n}.example", "body": b} for n, b in (("a", STORY), ("b", STORY))]
    rows[1]["body"] += f" {OWN}"
    path = tmp_path / "pages.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    plain = json.loads(cli("reduce", str(path), "--format", "jsonl").out)["dropped"][0]
    explained = json.loads(cli("reduce", str(path), "--format", "jsonl", "--explain").out)
    assert explained["dropped"] == [{**plain, "lost": [OWN]}]
    assert list(explained["dropped"][0])[-2:] == ["facts", "lost"]
    assert f"lost: 1 of 6 sentences: “{OWN}”" in cli("reduce", str(path), "--explain").out
    brief = cli("reduce", str(path), "--format", "md").out
    markdown = cli("reduce", str(path), "--format", "md", "--explain").out
    assert markdown.startswith(brief.rstrip())
    assert markdown.endswith(f"\n  - lost: 1 of 6 sentences: “{OWN}”\n")
    assert "lost" not in reduction_to_dict(reduce(rows))["dropped"][0]


@pytest.mark.parametrize(
    "head",
    [
        *(
            "PARIS (Reuters) - ",
            "PARIS, May 3 (Reuters) - ",
            "NEW LONDON, Conn. — ",
            "(BAGHDAD) -- ",
        ),
        *("Berlin (dpa) – ", "باريس (رويترز) - ", "PARIS (Reuters) - 3 May\n", "TEHERAN • "),
        *("19 févr. 2015 - ", "Jul 6, 2017 · ", "31/3/1999 · ", "3 May 2026, 10:15\n"),
        *("Last updated on 3 May 2026 10:15 GMT\n", "News\nLONDON — "),
    ],
)
def test_a_dateline_is_not_lost(head: str) -> None:
    found = cover([page("a", f"News\n{STORY}"), page("b", head + STORY)])
    assert found.lost(1, shown=[0]) == []
    (lost,) = cover([page("a", OWN), page("b", head + STORY.partition(". ")[0])]).lost(1, [0])[:1]
    assert lost.text == STORY.partition(". ")[0]


@pytest.mark.parametrize(
    "head",
    [
        "By Maria Keller",
        "BY MARIA KELLER AND J. R. O'NEIL, Reuters",
        "Written by Anna van der Berg | 3 May 2026",
        "Par Marie Dupont (avec AFP)",
        "Von Hans Müller und Eva Groß",
        "بقلم أحمد محمود العلي",
    ],
)
def test_a_byline_is_not_lost(head: str) -> None:
    found = cover([page("a", STORY), page("b", f"{head}\n{STORY}")])
    assert (found.lost(1, shown=[0]), int((found.owner == 1).sum())) == ([], 5)


@pytest.mark.parametrize(
    "line",
    [
        "By train",
        "By Friday Harbour was closed again",
        "By No Means Guilty",
        "By Order 66 of the Senate",
        "Von Hamburg bis Berlin",
        "Maria Keller",
    ],
)
def test_no_byline(line: str) -> None:
    assert list(find_datelines(f"{line}\n{STORY}")) == []


CUT = "The council voted on Monday to repair the old light…"


@pytest.mark.parametrize(
    ("dropped", "kept", "lost"),
    [
        (CUT, STORY, 0),  # in the middle of a word
        (CUT, "The council voted on Monday to rep ...", 0),  # cut earlier
        (STORY.partition(". ")[0], CUT, 0),  # the page of the excerpt goes on
        (CUT, "The council voted on Monday to repair the new pier…", 1),
        ("The council voted on Monday against it.", CUT, 1),
        ("The council vo…", STORY, 1),  # too short to be a certain sentence
    ],
)
def test_what_an_ellipsis_cuts_off_is_not_lost(dropped: str, kept: str, lost: int) -> None:
    found = cover([Page(id="a", snippet=kept), Page(id="b", snippet=dropped)])
    assert len(found.lost(1, shown=[0])) == lost


@pytest.mark.parametrize(
    "text",
    [
        "NOT TRUE - The bridge is closed.",
        "Expires 3 May 2026",
        "19 people - all of one family - were hurt.",
        "Just breathing out (without coughing) — is enough.",
        "The UNESCO — a body of the UN — said so.",
        "COVID-19 is spreading.",
        "\n" * 8 + "PARIS (Reuters) - Rain fell.",
    ],
)
def test_no_dateline(text: str) -> None:
    assert list(find_datelines(text)) == []
    assert without_datelines(text) == text


def test_an_aside_with_none_negates_nothing() -> None:
    count = "The function returns the number of rows that it has deleted from the table"
    found = cover([page("a", f"{count} (zero if none)."), page("b", f"{count}.")])
    assert found.lost(1, shown=[0]) == []
    assert len(found.lost(0, shown=[1])) == 1
