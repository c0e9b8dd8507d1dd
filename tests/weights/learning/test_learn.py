"""Each model learns what is there to learn, is checked elsewhere, and refuses too little."""

from dataclasses import replace

import numpy as np
import pytest

from reducepp.errors import LabelsError, UsageError
from reducepp.labelled.labelled_pairs import find_pairs
from reducepp.labelled.reading import PairLabel
from reducepp.labelled.signals import PairSignals, measure_pairs
from reducepp.similarity.combine import score_values
from reducepp.similarity.compare import drop_empty_signals
from reducepp.similarity.models import check_model
from reducepp.types import Array, Bools, Page
from reducepp.weights.learning.learn import FITS, cross_validate, fit_profile, learn
from reducepp.weights.learning.regression import as_shares, balance, regress
from reducepp.weights.profile import dump_profile, dump_profile_json, load_profile, parse_profile
from tests.weights.made import made_pairs, made_profile


def pairs_of(duplicate: Bools, by_signal: dict[str, Array]) -> PairSignals:
    """Pairs without a page or a query in common."""
    places = np.arange(len(duplicate))
    second, pages = places + len(places), np.arange(2 * len(places))
    return PairSignals(by_signal, duplicate, places, second, places, pages)


@pytest.mark.parametrize("model", sorted(FITS))
def test_the_telling_signal_is_found_and_the_profile_holds_on_new_pages(model: str) -> None:
    profile, checked = learn(made_pairs(noise=0.15), made_profile(), model=model)
    weights = {signal.name: signal.weight for signal in profile.signals}
    assert max(weights, key=lambda name: weights[name]) == "good"
    assert weights["absent"] == 0
    assert sum(weights.values()) == pytest.approx(1, abs=1e-9)
    assert min(weights.values()) >= 0
    assert parse_profile(dump_profile(profile), where="x") == profile
    assert parse_profile(dump_profile_json(profile), where="x") == profile
    new = made_pairs(noise=0.15, seed=5)
    said = score_values(new.by_signal, profile) >= profile.threshold
    assert (said == new.duplicate).mean() > 0.9
    assert checked.by == "query"
    assert checked.figures.f1.value > 0.75
    assert "Out of fold (6 folds by query)" in profile.provenance


@pytest.mark.parametrize("model", sorted(FITS))
def test_higher_similarity_never_lowers_the_score(model: str) -> None:
    """Holds for linear, tree and rules by construction; here for logistic by its data."""
    profile, _ = learn(made_pairs(), made_profile(), model=model)
    if profile.model:
        check_model(profile.model, [s.name for s in profile.signals], "x")
    steps = np.linspace(0, 1, 101)
    rest = {name: np.full(101, 0.5) for name in ("weak", "none", "absent")}
    scores = score_values({"good": steps, **rest}, profile)
    assert (np.diff(scores) >= 0).all()
    assert scores[0] < profile.threshold <= scores[-1]


def test_a_flattering_fit_is_caught_out_of_fold() -> None:
    """A signal that names the pages of duplicates tells all on pages seen, nothing on others."""
    pairs = made_pairs(queries=1, groups=12)
    random = np.random.default_rng(3)
    noise = {name: random.random(len(pairs)) for name in pairs.by_signal}
    blind = replace(pairs, by_signal=noise, seconds={})
    checked = cross_validate(blind, made_profile(), FITS["tree"], seeds=3)
    assert checked.by == "page group"
    assert checked.tested < len(pairs)
    assert checked.different_weight > 5
    assert checked.figures.f1.value < 0.4


def test_a_wanted_precision_moves_the_threshold_up() -> None:
    pairs = made_pairs(noise=0.25)
    for_f, _ = learn(pairs, made_profile(), model="linear")
    sure, _ = learn(pairs, made_profile(), model="linear", precision=0.99)
    assert sure.threshold > for_f.threshold
    said = score_values(pairs.by_signal, sure) >= sure.threshold
    assert pairs.duplicate[said].mean() >= 0.99


def test_a_precision_that_no_threshold_reaches_is_refused() -> None:
    pairs = made_pairs()
    turned = {name: 1 - values for name, values in pairs.by_signal.items()}
    with pytest.raises(LabelsError, match=r"no threshold reaches precision 0\.9"):
        learn(replace(pairs, by_signal=turned), made_profile(), model="linear", precision=0.9)


@pytest.mark.parametrize("kind", [True, False])
def test_labels_of_one_kind_are_refused(kind: bool) -> None:
    pairs = made_pairs()
    with pytest.raises(LabelsError, match="at least 5 of each"):
        learn(pairs.take(pairs.duplicate == kind), made_profile(), model="linear")


def test_too_few_labels_and_an_unknown_model_are_refused() -> None:
    pairs = made_pairs(queries=1, groups=4)
    with pytest.raises(LabelsError, match="4 duplicate and 24 different"):
        learn(pairs, made_profile(), model="linear")
    with pytest.raises(UsageError, match=r"linear, logistic, tree, rules, c4\.5, ripper"):
        learn(pairs, made_profile(), model="forest")


def test_regression_agrees_with_scikit_learn() -> None:
    """Its penalty is half the squares, beside C times the summed loss: C = 1 / (2 penalty n)."""
    from sklearn.linear_model import LogisticRegression

    pairs = made_pairs()
    values = np.stack([pairs.by_signal[name] for name in ("good", "weak", "none")], axis=1)
    penalty = 0.01
    other = LogisticRegression(
        C=1 / (2 * penalty * len(pairs)), class_weight="balanced", tol=1e-8, max_iter=1000
    ).fit(values, pairs.duplicate)
    found, intercept = regress(values, pairs.duplicate, penalty=penalty)
    np.testing.assert_allclose(found, other.coef_[0], atol=2e-3)
    assert intercept == pytest.approx(other.intercept_[0], abs=2e-3)


def test_costs_balance_and_shares_sum_to_one_as_written() -> None:
    duplicate = np.array([True, False, False, False])
    costs = balance(duplicate)
    assert costs[duplicate].sum() == costs[~duplicate].sum()
    assert sum(as_shares({"a": 1, "b": 1, "c": 1}).values()) == 1
    assert as_shares({"a": 0, "b": 0}) == {"a": 0.5, "b": 0.5}


def test_missing_values_are_learned_around() -> None:
    pairs = made_pairs()
    random = np.random.default_rng(0)
    holes = {
        name: np.where(random.random(len(pairs)) < 0.3, np.nan, values)
        for name, values in pairs.by_signal.items()
    }
    for model in FITS:
        _, checked = learn(
            replace(pairs, by_signal=holes, seconds={}),
            replace(made_profile(), name="h"),
            model=model,
        )
        assert checked.figures.f1.value > 0.4


def test_tree_and_rules_by_hand() -> None:
    """Duplicates at 0.8 and more, others at 0.4 and less: one question, half way, at 0.6.

    Six of each kind: a leaf scores (6 + 1) / (6 + 2) = 0.875, or (0 + 1) / 8 = 0.125.
    """
    duplicate = np.arange(12) < 6
    values = np.where(duplicate, 0.8, 0.4) + np.where(duplicate, 1, -1) * (np.arange(12) % 6) / 50
    pairs = pairs_of(duplicate, {"good": values, "flat": np.full(12, 0.5)})
    root, no, yes = FITS["tree"](pairs).model["nodes"]
    assert (root["signal"], root["score"]) == ("good", 0.5)
    assert root["over"] == pytest.approx(0.6)
    assert (no["score"], yes["score"]) == (0.125, 0.875)
    rules = FITS["rules"](pairs).model
    assert rules == {
        "kind": "rules",
        "otherwise": 0.125,
        "rules": [{"score": 0.875, "tests": [{"signal": "good", "over": 0.6}]}],
    }


def test_ripper_finds_a_rule_that_needs_a_low_value() -> None:
    """Duplicates are similar pages of different domains; copies within a domain are not."""
    random = np.random.default_rng(0)
    similar, same_domain = random.random(400), (random.random(400) < 0.5).astype(float)
    duplicate = (similar > 0.6) & (same_domain == 0)
    pairs = pairs_of(duplicate, {"similar": similar, "same_domain": same_domain})
    for model in ("ripper", "c4.5"):
        fitted = FITS[model](pairs)
        profile = replace(made_profile(), signals=made_profile().signals[:2], model=fitted.model)
        predicted = score_values(pairs.by_signal, profile) >= 0.5
        assert (predicted == duplicate).mean() > 0.97, model
    rules = FITS["ripper"](pairs).model["rules"]
    assert any("under" in test for rule in rules for test in rule["tests"])
    one_sided = FITS["rules"](pairs).model["rules"]
    assert all("over" in test for rule in one_sided for test in rule["tests"])


def test_pruning_drops_tests_of_noise() -> None:
    random = np.random.default_rng(1)
    signal, noise = random.random(300), random.random(300)
    duplicate = (signal > 0.5) ^ (random.random(300) < 0.1)
    pairs = pairs_of(duplicate, {"signal": signal, "noise": noise})
    first = FITS["ripper"](pairs).model["rules"][0]
    assert first["tests"][0]["signal"] == "signal"
    assert len(first["tests"]) <= 2
    tested = [node["signal"] for node in FITS["c4.5"](pairs).model["nodes"] if "signal" in node]
    assert tested[0] == "signal"
    assert tested.count("noise") <= 1


def test_images_get_a_weight_where_labelled_pages_have_them() -> None:
    """Galleries whose texts say nothing: duplicates show the same pictures."""
    random = np.random.default_rng(1)
    pages, labels = [], []
    for n in range(24):
        hashes = tuple(f"{int(h):016x}" for h in random.integers(0, 2**63, 3))
        query = f"q{n // 4}"
        for side in "ab":
            body = " ".join(random.choice(list("abcdefghijklmnop"), 20))
            pages.append(Page(id=f"{n}{side}", query=query, body=body, images=hashes))
        labels.append(PairLabel(query=query, a=f"{n}a", b=f"{n}b", grade=1))
        labels += [
            PairLabel(query=query, a=f"{n}a", b=f"{m}b", grade=0)
            for m in range(n - n % 4, n - n % 4 + 4)
            if m != n
        ]
    queries = [[page for page in pages if page.query == f"q{i}"] for i in range(6)]
    base = drop_empty_signals(load_profile("paper"), pages)
    fitted = fit_profile(measure_pairs(find_pairs(queries, labels), base), base, FITS["linear"])
    weights = {signal.name: signal.weight for signal in fitted.signals}
    assert max(weights, key=lambda name: weights[name]) == "images"
    assert weights["images"] > 0.5
