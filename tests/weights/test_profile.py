"""Profiles: those we carry, a user's own, and a line for every way to get one wrong."""

import inspect
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from reducepp import Page
from reducepp.errors import ProfileError, ReduceppError
from reducepp.similarity.compare import compare
from reducepp.similarity.measures import MEASURES, find_measure
from reducepp.types import PostDetails, Profile
from reducepp.weights.profile import (
    CONTENTS,
    NUMBERS,
    RANGES,
    dump_profile,
    load_profile,
    make_profile,
    parse_profile,
    profile_names,
)

GOOD = """
threshold = 0.5
[[signals]]
name = "title"
content = "page_title"
measure = "cosine"
weight = 0.25
[[signals]]
name = "graph"
content = "body"
measure = "graphlets"
weight = 0.75
[signals.options]
window = 3
"""

PAGES = (
    Page(id="a", url="https://a.example/1", body="Rain in Spain.", links=("https://l.example",)),
    Page(
        id="b",
        url="https://b.example/2",
        page_title="Rain",
        post=PostDetails(followers=3.0),
        subtitles=("x",),
    ),
)


def test_the_paper_is_as_published() -> None:
    paper = load_profile("paper")
    assert {s.name: s.weight for s in paper.signals} == {
        "site_title": 0.025,
        "page_title": 0.075,
        "subtitles": 0.075,
        "links": 0.025,
        "body_cosine": 0.4,
        "body_graph": 0.4,
        "images": 0.0,
    }
    assert [s.measure for s in paper.signals] == [
        *["cosine"] * 2,
        *["jaccard"] * 2,
        "cosine",
        "graphlets",
        "images",
    ]
    assert (paper.threshold, paper.prepare, paper.missing, paper.linkage) == (
        0.67,
        "syntactic",
        "zero",
        "single",
    )


@pytest.mark.parametrize("name", profile_names())
def test_every_profile_says_where_its_numbers_come_from_and_reads_back(name: str) -> None:
    profile = load_profile(name)
    assert profile.name == name
    assert len(profile.provenance) > 40
    assert parse_profile(dump_profile(profile), where="again") == profile


def test_a_users_own_by_path(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(GOOD)
    mine = load_profile(str(tmp_path / "mine.toml"))
    assert mine.name == "mine"
    assert mine.signals[1].options == {"window": 3}


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('measure = "cosine"', 'measure = "euclid"', r"measure = 'euclid': use one of .*cosine"),
        ("weight = 0.25", "weight = -0.25", r"weight = -0.25: a number from 0 to 1"),
        ("weight = 0.25", 'weight = "much"', r"weight = 'much': a number from 0 to 1"),
        ("weight = 0.25", "weight = 0.3", r"weights sum to 1.05, not to 1"),
        ("threshold = 0.5", "threshold = 50", r"threshold = 50: a number from 0 to 1"),
        ("threshold = 0.5", "", r"threshold = None"),
        ("threshold = 0.5", "treshold = 0.5", r"unknown key 'treshold': allowed are .*threshold"),
        ('content = "body"', 'content = "prose"', r"content = 'prose': use one of .*body"),
        ("window = 3", "windows = 3", r"options of graphlets: unknown key 'windows'.*window"),
        ("window = 3", 'window = "a"', r"graphlets: window = 'a': a whole number is needed"),
        ("window = 3", "window = -3", r"graphlets: window = -3: a whole number from 0 to 100"),
        ("window = 3", "window = 1000000000", r"window = 1000000000: .* from 0 to 100 is needed"),
        ("window = 3", "samples = 1e9", r"samples = 1000000000.0: a whole number is needed"),
        ("window = 3", f"seed = {9 * 10**999}", r"seed = 9000*: .* from 0 to 4,294,967,295"),
        ("window = 3", "window = true", r"window = True: a whole number"),
        ("window = 3", "backend = 1", r"backend = 1: a text"),
        ('content = "body"', 'content = "followers"', r"followers is a number: use one of log_gap"),
        ('measure = "cosine"', 'measure = "log_gap"', r"log_gap compares numbers: use one of rank"),
        ('name = "graph"', 'name = "title"', r"two signals are named 'title'"),
        ("threshold = 0.5", 'threshold = 0.5\nprepare = "none"', r"prepare = 'none': use one of"),
        ("threshold = 0.5", "threshold = ", r"not TOML"),
    ],
)
def test_a_wrong_one_gets_one_line_that_names_the_key(old: str, new: str, says: str) -> None:
    with pytest.raises(ProfileError, match=says) as caught:
        parse_profile(GOOD.replace(old, new, 1), where="mine.toml")
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith("mine.toml")


NUMERIC = [
    (measure, name, type(option.default))
    for measure in sorted(MEASURES)
    for name, option in inspect.signature(find_measure(measure)).parameters.items()
    if isinstance(option.default, int | float)
]


def of_measure(measure: str, option: str, value: object) -> Profile:
    content = "rank" if measure == "log_gap" else "body"
    signal = {"name": "s", "content": content, "measure": measure, "weight": 1.0}
    data = {"threshold": 0.5, "signals": [{**signal, "options": {option: value}}]}
    return make_profile(data, where="mine.toml")


@pytest.mark.parametrize(("measure", "option", "kind"), NUMERIC)
def test_every_number_among_the_options_has_a_range(
    measure: str, option: str, kind: type[int] | type[float]
) -> None:
    low, high = RANGES[measure][option]
    for value in (low - 1, high + 1, 10**18):
        with pytest.raises(
            ProfileError, match=rf"{option} = .* from {low:,} to {high:,} is needed"
        ):
            of_measure(measure, option, kind(value))
    for value in (low, high):
        compare(PAGES, of_measure(measure, option, kind(value)))


def test_no_signals_and_no_such_profile() -> None:
    with pytest.raises(ProfileError, match="at least one"):
        parse_profile("threshold = 0.5", where="x")
    with pytest.raises(ProfileError, match=r"default, .*paper"):
        load_profile("papre")


@pytest.mark.parametrize("measure", sorted(MEASURES))
@pytest.mark.parametrize("content", CONTENTS)
def test_whatever_a_profile_may_name_can_be_compared(measure: str, content: str) -> None:
    text = f'threshold = 0.5\n[[signals]]\nname = "s"\ncontent = "{content}"\n'
    try:
        profile = parse_profile(f'{text}measure = "{measure}"\nweight = 1.0', where="mine.toml")
    except ProfileError:
        assert content in NUMBERS or measure == "log_gap"
        return
    with suppress(ReduceppError):  # no click log is named
        compare(PAGES, profile)


def test_a_file_that_was_edited_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(dump_profile(replace(load_profile("paper"), threshold=0.6)))
    assert load_profile(str(path)).threshold == 0.6
    path.write_text(dump_profile(replace(load_profile("paper"), threshold=0.7)))
    assert load_profile(str(path)).threshold == 0.7


@pytest.mark.parametrize("text", ["a = " + "[" * 5_000, '{"a": ' + "[" * 200_000])
def test_what_nests_too_deeply_is_no_profile(text: str) -> None:
    with pytest.raises(ProfileError, match=r"not (JSON|TOML)"):
        parse_profile(text, where="x")
