"""Real pages in three languages: the second opinion agrees everywhere, information only falls."""

import math
import os
from dataclasses import replace
from pathlib import Path

import pytest

from reducepp.api import find_profile
from reducepp.evaluation.agreement import SCORES
from reducepp.evaluation.sweep import SweepOptions, sweep_pages, threshold_range
from reducepp.inputs import read_queries

DATA = Path(os.environ.get("REDUCEPP_DATA") or Path(__file__).parents[3] / "shared" / "data")


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "fr", "ar"])
def test_a_sweep_of_real_pages(language: str) -> None:
    path = DATA / f"news-{language}.jsonl.gz"
    if not path.is_file():
        pytest.skip(f"no labelled pages in {DATA} (set REDUCEPP_DATA)")
    (group,) = read_queries(str(path), jobs=1)
    for linkage in ("single", "average"):
        profile = replace(
            find_profile("default", linkage=linkage), check_representative=False, check_facts=False
        )
        how = SweepOptions(against=linkage)
        _, rows = sweep_pages(group.pages, profile, threshold_range(0.02, 0.99, 0.01), how)
        assert {getattr(row, name) for row in rows for name in SCORES} == {1.0}
        assert [row.clusters for row in rows] == sorted(row.clusters for row in rows)
        kept = [row.information_kept for row in rows]
        assert kept == sorted(kept)
        assert kept[0] < kept[-1] <= 1
        assert all(math.isnan(row.silhouette) == bool(row.reason) for row in rows)
