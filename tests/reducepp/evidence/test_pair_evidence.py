"""Pairs that are likely to be duplicates, read while a set is still being compared."""

import os

import pytest

from reducepp.errors import ReduceppError
from reducepp.evidence import pair_evidence
from reducepp.evidence.pair_evidence import MAX_HOLDERS, PairReaders, likely_pairs
from reducepp.parallel import nested_cores
from reducepp.types import Page


def pages(*bodies: str) -> list[Page]:
    return [Page(id=str(number), body=body) for number, body in enumerate(bodies)]


def test_a_page_is_paired_with_the_first_that_has_most_of_its_lines() -> None:
    found = likely_pairs(pages("one\ntwo\nthree", "four\nfive", "one\ntwo\nsix", "one\ntwo\nsix"))
    assert list(found) == [(2, 0), (3, 0)]


def test_half_of_a_text_is_not_most_of_it() -> None:
    assert list(likely_pairs(pages("same\nmine", "same\nyours"))) == []


def test_a_line_of_many_pages_belongs_to_a_template() -> None:
    found = likely_pairs(pages(*(f"a line of the template\n{n}" for n in range(3 * MAX_HOLDERS))))
    assert list(found) == [(n, 0) for n in range(1, MAX_HOLDERS)]


def test_lines_that_a_page_repeats_and_empty_pages_make_no_pair() -> None:
    assert list(likely_pairs(pages("again\nagain\nagain", "", "", "other"))) == []


def test_results_are_paired_by_their_snippets() -> None:
    results = [Page(id=name, snippet="The same snippet.") for name in "ab"]
    assert list(likely_pairs(results)) == [(1, 0)]


def test_a_worker_that_ends_early_is_one_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pair_evidence, "MIN_PARALLEL_PAIRS", 1)
    monkeypatch.setattr(pair_evidence, "nested_cores", lambda: 2)
    monkeypatch.setattr(pair_evidence, "text_page", lambda page: os._exit(1))
    with pytest.raises(ReduceppError, match="a worker process ended early"):
        read_while_busy(pages("one\ntwo", "one\ntwo"))


def read_while_busy(copies: list[Page]) -> None:
    with PairReaders(copies, passages=True) as readers:
        with readers.likely():
            assert nested_cores() == 1, "the other cores are busy"
        list(readers.read([(1, 0)]))
