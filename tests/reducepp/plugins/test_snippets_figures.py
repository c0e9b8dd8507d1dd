"""Floors under the measured figures of the profile `snippets`; skipped without its pages."""

import numpy as np
import pytest

from benchmarks.data import DATA
from benchmarks.snippets import KINDS, METHODS, read_sets
from reducepp.api import find_profile
from reducepp.labelled.scoring import average_precision, count_all, count_at


@pytest.mark.skipif(not (DATA / "news-en.jsonl.gz").exists(), reason="no labelled pages beside us")
def test_better_than_tfidf_and_above_its_floors() -> None:
    threshold = np.array([find_profile("snippets").threshold])
    ours: dict[str, list[float]] = {kind: [] for kind in KINDS}
    theirs: dict[str, list[float]] = {kind: [] for kind in KINDS}
    for one in read_sets():
        ranking = one.rank(METHODS["snippets"])
        found = count_at(ranking, threshold)
        assert found.precision[0, 0] >= 0.85, (one.language, one.kind)
        assert found.recall[0, 0] >= 0.5, (one.language, one.kind)
        ours[one.kind].append(float(average_precision(count_all(ranking))[0]))
        theirs[one.kind].append(float(average_precision(count_all(one.rank(METHODS["tfidf"])))[0]))
    for kind in KINDS:
        assert np.mean(ours[kind]) >= 0.95, kind
        assert np.mean(ours[kind]) >= np.mean(theirs[kind]) - 0.02, kind
    assert np.mean(list(ours.values())) >= np.mean(list(theirs.values())) + 0.03
