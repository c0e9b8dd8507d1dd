"""Rules and limits that the scripts repeat are those of Python."""

import ast
import re

import pytest

from reducepp.clustering.levels import LEVELS
from reducepp.clustering.representatives import POLICIES
from reducepp.evaluation.report.pack import STEPS
from reducepp.evidence.passages import MOST_PLACES, SHORTEST_PASSAGE
from reducepp.pipeline import GIANT_CLUSTER
from reducepp.service.limits import ServiceLimits
from reducepp.weights.learning.learn import MIN_PAIRS_EACH
from tests.docs import ROOT

REPORT, PAGE = "evaluation/report/assets", "reducepp/service/page"


def constant(path: str, name: str) -> object:
    """The value of `const NAME = ...;` in a script."""
    found = re.search(rf"const {name} = ([^;]+);", (ROOT / path).read_text("utf-8"))
    assert found, f"{path} has no {name}"
    factors = [ast.literal_eval(part) for part in found[1].split(" * ")]
    value = factors[0]
    for factor in factors[1:]:
        value *= factor
    return value


@pytest.mark.parametrize(
    ("path", "name", "value"),
    [
        (f"{REPORT}/cutting.js", "GIANT", GIANT_CLUSTER),
        (f"{REPORT}/cutting.js", "LEVELS", list(LEVELS)),
        (f"{REPORT}/unpack.js", "STEPS", STEPS),
        (f"{REPORT}/unpack.js", "MIN_PASSAGE_WORDS", SHORTEST_PASSAGE),
        (f"{REPORT}/unpack.js", "MAX_PLACES_OF_A_RUN", MOST_PLACES),
        (f"{PAGE}/label_panel.js", "MIN_LABELS_EACH", MIN_PAIRS_EACH),
    ],
)
def test_constants(path: str, name: str, value: object) -> None:
    assert constant(path, name) == value


def test_keepers() -> None:
    text = (ROOT / f"{REPORT}/cutting.js").read_text("utf-8")
    body = text.split("report.KEEPERS = {")[1].split("\n  };")[0]
    assert re.findall(r"^    (\w+): \{", body, re.M) == list(POLICIES)


def test_a_file_that_the_page_takes_fits_a_request_in_base64() -> None:
    packed = constant(f"{PAGE}/page.js", "MAX_PACKED_BYTES")
    assert isinstance(packed, int)
    assert packed * 4 // 3 < ServiceLimits().body_bytes
