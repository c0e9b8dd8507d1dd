"""The three indices against scikit-learn, against hand-worked numbers, and where undefined."""

import math

import numpy as np
import pytest
from sklearn import metrics

from reducepp.evaluation.validity import (
    INDICES,
    VECTORS,
    distances_of,
    embed,
    silhouette,
    validity,
    why_undefined,
)
from reducepp.types import Array


def random_scores(n: int, seed: int) -> Array:
    values = np.random.default_rng(seed).random((n, n)).round(2)
    scores = (values + values.T) / 2
    np.fill_diagonal(scores, 1.0)
    return scores


def random_labels(n: int, clusters: int, seed: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    labels = np.random.default_rng(seed).integers(0, clusters, n)
    return np.unique(labels, return_inverse=True)[1].astype(np.int64)


@pytest.mark.parametrize("vectors", VECTORS.values())
@pytest.mark.parametrize(("n", "clusters"), [(3, 2), (7, 3), (30, 2), (30, 29), (60, 12)])
@pytest.mark.parametrize("seed", range(5))
def test_same_as_scikit_learn(vectors, n, clusters, seed) -> None:  # type: ignore[no-untyped-def]
    distances = distances_of(random_scores(n, seed))
    labels = random_labels(n, clusters, seed)
    if why_undefined(n, int(labels.max()) + 1):
        labels = np.array([0, 0, *range(1, n - 1)])
    points = vectors(distances)
    found = validity(distances, labels, points)
    assert found.silhouette == pytest.approx(
        metrics.silhouette_score(distances, labels, metric="precomputed"), abs=1e-12
    )
    assert found.davies_bouldin == pytest.approx(metrics.davies_bouldin_score(points, labels))
    assert found.calinski_harabasz == pytest.approx(metrics.calinski_harabasz_score(points, labels))
    assert found.reason == ""


def test_worked_by_hand() -> None:
    # Pages 0 and 1 score 0.8 with each other and 0.2 with page 2.
    distances = distances_of(np.array([[1, 0.8, 0.2], [0.8, 1, 0.2], [0.2, 0.2, 1]]))
    labels = np.array([0, 0, 1])
    # a = 0.2, b = 0.8: (0.8 - 0.2) / 0.8 = 0.75 for two pages, 0 for the one alone.
    assert silhouette(distances, labels) == pytest.approx(0.5)
    found = validity(distances, labels, distances)
    # Rows (0, .2, .8), (.2, 0, .8), (.8, .8, 0). Centre of the two: (.1, .1, .8), each is
    # sqrt(.02) away; centres are sqrt(2 * .49 + .64) apart.
    assert found.davies_bouldin == pytest.approx(math.sqrt(0.02) / math.sqrt(1.62))
    # Within: 2 * .02. Mean of rows: (1, 1, 1.6) / 3. Between: 2 * and 1 * squared shifts = 1.08.
    assert found.calinski_harabasz == pytest.approx(1.08 / 0.04)


@pytest.mark.parametrize(
    ("labels", "reason"),
    [
        ([], "not defined for 0 pages"),
        ([0], "not defined for 1 page:"),
        ([0, 0], "not defined for 2 pages"),
        ([0, 1], "not defined for 2 pages"),
        ([0, 0, 0], "one cluster"),
        ([0, 1, 2], "a cluster of its own"),
    ],
)
def test_not_defined_with_a_reason(labels: list[int], reason: str) -> None:
    distances = distances_of(random_scores(len(labels), 0))
    found = validity(distances, np.array(labels, dtype=np.int64), embed(distances))
    assert reason in found.reason
    assert all(math.isnan(getattr(found, name)) for name in INDICES)


def test_identical_pages_in_two_clusters() -> None:
    distances, labels = np.zeros((4, 4)), np.array([0, 0, 1, 1])
    found = validity(distances, labels, distances)
    assert found.silhouette == 0.0
    assert found.davies_bouldin == metrics.davies_bouldin_score(distances, labels) == 0.0
    assert found.calinski_harabasz == metrics.calinski_harabasz_score(distances, labels) == 1.0


def test_embedding_keeps_distances_that_are_euclidean() -> None:
    points = np.random.default_rng(1).random((20, 3))
    distances = np.linalg.norm(points[:, None] - points, axis=2)
    made = embed(distances)
    np.testing.assert_allclose(np.linalg.norm(made[:, None] - made, axis=2), distances, atol=1e-9)
    assert made.shape == (20, 3)


def test_arguments_stay_as_they_were() -> None:
    scores = random_scores(12, 3)
    distances, labels = distances_of(scores), random_labels(12, 4, 3)
    before = scores.copy(), distances.copy(), labels.copy()
    validity(distances, labels, distances)
    embed(distances)
    for now, then in zip((scores, distances, labels), before, strict=True):
        np.testing.assert_array_equal(now, then)
