"""Real pages: duplicates do not contradict each other, other data under one template does."""

from __future__ import annotations

import csv
import gzip
import json
import os
from pathlib import Path

import pytest

from reducepp.evidence.facts.fact_comparison import FactComparison
from reducepp.evidence.facts.fact_text import read_facts
from tests.reducepp.evidence.made_texts import compare_facts

DATA = Path(os.environ.get("REDUCEPP_DATA") or Path(__file__).parents[4] / "shared" / "data")


def compare_labelled(name: str, label: str) -> list[FactComparison]:
    """Comparisons of the pairs with a label of a set of plain texts."""
    if not (DATA / f"{name}.jsonl.gz").is_file():
        pytest.skip(f"no labelled pages in {DATA} (set REDUCEPP_DATA)")
    with gzip.open(DATA / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        read = {page["id"]: read_facts(page["body"]) for page in map(json.loads, lines)}
    with (DATA / f"{name}.labels.csv").open(encoding="utf-8") as lines:
        pairs = [(r["a"], r["b"]) for r in csv.DictReader(lines) if r["duplicate"] == label]
    return [compare_facts(read[a], read[b]) for a, b in pairs]


@pytest.mark.parametrize("name", ["crawl-gov", "crawl-news", "results-films"])
def test_real_duplicates_do_not_contradict(name: str) -> None:
    compared = compare_labelled(name, "1")
    assert len(compared) >= 19
    assert [found.differ for found in compared if found.contradicts] == []


@pytest.mark.slow
def test_other_data_under_one_template_contradicts() -> None:
    """Three pairs of election results: the same page, another county."""
    close = [found for found in compare_labelled("crawl-gov", "0") if found.shared > 0.95]
    with_facts = [found for found in close if found.differ]
    assert len(with_facts) == 3
    assert all(found.contradicts for found in with_facts)
