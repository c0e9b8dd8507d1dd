"""The three questions of Radlinski et al. (2011) to a judge of two results, and the kind they give.

1. Which page is more relevant to the query? 2. How similar is the utility of the two for the query?
3. Is it easy to navigate from either page to the other?
"""

from collections.abc import Mapping
from typing import Any

from reducepp.errors import LabelsError

QUESTIONS: dict[str, tuple[str, ...]] = {
    "relevant": ("both", "left", "right", "neither", "different intents"),
    "utility": ("identical", "very similar", "related", "different"),
    "navigation": ("within", "across", "no"),
}
"""Field of a label to the answers that it may have; `within` is easy navigation inside one site,
`across` from one site to another."""

DUPLICATE_KINDS = ("exact", "navigational", "content")
"""Kinds that count as duplicates; a weak content duplicate gives related information only."""
_BY_UTILITY = {"very similar": "content", "related": "weak"}


def kind_of_answers(relevant: str, utility: str, navigation: str) -> str:
    """The kind of duplicate, after the paper's table; `none` for all other combinations."""
    if relevant in ("neither", "different intents") or navigation == "across":
        return "none"
    if relevant == "both" and utility == "identical":
        return "exact"
    if navigation == "within":
        return "navigational"
    return _BY_UTILITY.get(utility, "content" if utility == "identical" else "none")


def judged_kind(row: Mapping[str, Any], where: str) -> str:
    """Kind of a label's row by its answers; "" without them, LabelsError where some are wrong."""
    answers = {name: str(row.get(name) or "").strip().lower() for name in QUESTIONS}
    if not any(answers.values()):
        return ""
    for name, allowed in QUESTIONS.items():
        if answers[name] not in allowed:
            raise LabelsError(
                f"{where}: {name} = {answers[name]!r}: use one of {', '.join(allowed)}"
            )
    return kind_of_answers(**answers)
