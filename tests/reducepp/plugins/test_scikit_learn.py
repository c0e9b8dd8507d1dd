"""The scikit-learn estimator: clonable, pages or a matrix, labels in the order given."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.metrics import adjusted_rand_score

from reducepp import Page, ReduceClusterer, reduce
from reducepp.errors import InputError, UsageError

RAIN = "The rain in Spain falls mainly on the plain, and farmers were glad of it this year."
SUN = "Sunny days in Paris go on for another week, says the weather office of the city."


def test_texts_dicts_and_pages_give_the_same_labels() -> None:
    texts = [RAIN, SUN, RAIN + " Twice.", SUN]
    expected = [0, 1, 0, 1]
    assert ReduceClusterer().fit_predict(texts).tolist() == expected
    assert ReduceClusterer().fit_predict([{"body": t} for t in texts]).tolist() == expected
    pages = [Page(id="same", rank=9 - i, body=t) for i, t in enumerate(texts)]
    assert ReduceClusterer().fit_predict(pages).tolist() == expected


def test_labels_are_the_clusters_of_reduce() -> None:
    """Same words, other facts: the score alone would merge them."""
    story = "A quake on the coast killed {} people and hurt {}, officials of the region said today."
    texts = [story.format(12, 300), SUN, story.format(950, 7000), story.format(12, 300) + " Rain."]
    pages = [Page(id=str(i), rank=i + 1, body=text) for i, text in enumerate(texts)]
    model = ReduceClusterer(profile="default", kind="texts").fit(pages)
    found = {frozenset(map(int, c.members)) for c in reduce(pages, kind="texts").clusters}
    labels = model.labels_.tolist()
    assert found == {frozenset(np.flatnonzero(model.labels_ == n).tolist()) for n in labels}
    assert labels == [0, 1, 2, 0]
    assert model.tree_.labels_at(model.threshold_).tolist()[2] == 0


def test_clone_and_parameters() -> None:
    model = ReduceClusterer(profile="paper", threshold=0.9, linkage="average")
    copy = clone(model)
    assert copy is not model
    assert copy.get_params() == model.get_params()
    assert not hasattr(copy, "labels_")
    assert copy.set_params(threshold=0.1).threshold == 0.1


def test_precomputed_matrix() -> None:
    matrix = np.array([[1, 0.9, 0.1], [0.9, 1, 0.2], [0.1, 0.2, 1]])
    model = ReduceClusterer(metric="precomputed", threshold=0.5).fit(matrix)
    assert model.labels_.tolist() == [0, 0, 1]
    assert model.__sklearn_tags__().input_tags.pairwise
    assert adjusted_rand_score(model.labels_, [5, 5, 7]) == 1
    few = ReduceClusterer(metric="precomputed", target_n=1, min_score=0.0)
    assert few.fit(matrix).labels_.tolist() == [0] * 3
    unmerged = ReduceClusterer(metric="precomputed", target_n=1)
    assert unmerged.fit(matrix).labels_.tolist() == [0, 0, 1]


@pytest.mark.parametrize(
    "matrix", [np.ones((2, 3)), [[1, 0.5], [0.1, 1]], [[1, 2], [2, 1]], [[1, np.nan], [np.nan, 1]]]
)
def test_a_wrong_matrix_is_refused(matrix: object) -> None:
    with pytest.raises(InputError):
        ReduceClusterer(metric="precomputed").fit(matrix)


def test_an_unknown_metric_is_refused() -> None:
    with pytest.raises(UsageError, match="pages or precomputed"):
        ReduceClusterer(metric="cosine").fit([RAIN])
