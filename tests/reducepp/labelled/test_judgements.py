"""Judges' answers to kinds, after the table of Radlinski et al. (2011), and their agreement."""

from pathlib import Path

import pytest

from reducepp.errors import LabelsError
from reducepp.labelled.reading import PairLabel, kind_of_answers, read_labels
from reducepp.labelled.scoring import kind_rows


@pytest.mark.parametrize(
    ("relevant", "utility", "navigation", "kind"),
    [
        ("both", "identical", "no", "exact"),
        ("both", "identical", "within", "exact"),
        ("both", "related", "within", "navigational"),
        ("left", "different", "within", "navigational"),
        ("both", "very similar", "no", "content"),
        ("right", "very similar", "no", "content"),
        ("both", "related", "no", "weak"),
        ("left", "related", "no", "weak"),
        ("different intents", "very similar", "no", "none"),
        ("right", "different", "no", "none"),
        ("both", "very similar", "across", "none"),
        ("neither", "identical", "within", "none"),
    ],
)
def test_the_papers_table(relevant: str, utility: str, navigation: str, kind: str) -> None:
    assert kind_of_answers(relevant, utility, navigation) == kind


def test_answers_and_levels_are_labels(tmp_path: Path) -> None:
    path = tmp_path / "judged.csv"
    path.write_text(
        "query,a,b,relevant,utility,navigation,rater,level\n"
        "q,1,2,both,identical,no,ann,\n"
        "q,1,3,left,related,no,ann,\n"
        "q,2,3,,,,,strong\n",
        "utf-8",
    )
    found = [(one.kind, one.level, one.duplicate, one.rater) for one in read_labels(path)]
    assert found[:2] == [("exact", "", True, "ann"), ("weak", "", False, "ann")]
    assert found[2:] == [("", "strong", True, "")]


@pytest.mark.parametrize("row", ["q,1,2,both,,no,", "q,1,2,both,same,no,", "q,1,2,,,,huge"])
def test_wrong_answers_are_refused(tmp_path: Path, row: str) -> None:
    path = tmp_path / "judged.csv"
    path.write_text(f"query,a,b,relevant,utility,navigation,level\n{row}\n", "utf-8")
    with pytest.raises(LabelsError, match=r"judged\.csv:2"):
        read_labels(path)


def test_two_judges_agree_on_two_of_three() -> None:
    kinds = {"ann": ("exact", "weak", "none"), "bob": ("exact", "content", "none")}
    labels = [
        PairLabel(query="q", a="0", b=str(i), grade=float(kind == "exact"), rater=name, kind=kind)
        for name, given in kinds.items()
        for i, kind in enumerate(given, 1)
    ]
    rows = kind_rows(labels)
    assert [list(row.values())[1:] for row in rows[:5]] == [
        [1, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, 0, 1],
    ]  # fmt: skip
    assert rows[5]["exact"] == pytest.approx(2 / 3)
    assert rows[5]["content"] == pytest.approx((2 / 3 - 2 / 9) / (7 / 9))  # chance: 1/9 + 1/9
    assert kind_rows(labels[:3]) == []
