"""Frequent runs as bits give what their lists give, while pages are added."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from reducepp.index import Index, frequent_runs
from reducepp.index.frequent_runs import FrequentRuns, add_up, are_frequent
from reducepp.similarity.pairs import Integers
from tests.reducepp.similarity.test_candidates import make_pages


@pytest.mark.parametrize("max_bytes", [0, 20, 1_000_000])
def test_bits_follow_the_lists(max_bytes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frequent_runs, "MAX_BYTES", max_bytes)
    rng = np.random.default_rng(0)
    has = rng.random((6, 90)) < 0.5
    read_from: list[int] = []
    count = 0

    def read(runs: Integers, first: int) -> list[Integers]:
        """As a file of parts of ten pages gives them: from the part on that the page is in."""
        read_from.append(first)
        start = first // 10 * 10
        return [start + np.flatnonzero(has[run, start:count]) for run in runs.tolist()]

    bits = FrequentRuns(read)
    for count in (7, 8, 30, 30, 31, 90):
        runs = rng.permutation(6)[:4]
        (codes,) = bits.codes_of(runs, count)
        found = [codes >> place & 1 for place in range(4)]
        np.testing.assert_array_equal(found, has[runs, :count])
    assert bits.codes_of(np.zeros(0, dtype=np.int64), 90).shape == (0, 90)
    assert any(read_from) == (max_bytes > 0)  # what is kept is not read again


@pytest.mark.parametrize("runs", [0, 1, 7, 8, 9, 30])
def test_gains_are_added_up(runs: int) -> None:
    rng = np.random.default_rng(runs)
    pages = rng.random((runs, 50)) < 0.4
    bits = FrequentRuns(lambda runs, _: [np.flatnonzero(pages[run]) for run in runs.tolist()])
    gains, codes = rng.random(runs), bits.codes_of(np.arange(runs), 50)
    np.testing.assert_allclose(add_up(gains, codes), gains @ pages, atol=1e-12)


def test_what_is_frequent() -> None:
    sizes = np.array([0, 255, 256, 4000])
    assert are_frequent(sizes, 10).tolist() == [False, False, True, True]
    assert are_frequent(sizes, 100_000).tolist() == [False, False, False, True]


@pytest.mark.parametrize("seed", range(3))
def test_answers_do_not_depend_on_what_is_frequent(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = make_pages(seed, 40)
    answers = []
    for name, least in (("bits", 0), ("lists", 10**9)):
        monkeypatch.setattr(frequent_runs, "MIN_FREQUENT", least)
        monkeypatch.setattr(frequent_runs, "FREQUENT", 0)
        with Index(tmp_path / name) as index:
            found = []
            for start in (10, 20, 30):
                index.add(pages[start : start + 10])
                found += [index.query(page) for page in pages[:10]]
        answers.append(found)
    assert answers[0] == answers[1]
    assert not all(answer.is_new for answer in answers[0])
