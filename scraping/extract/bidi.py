"""Characters as they lie on a line → the order in which they are read, right to left or not."""

from __future__ import annotations

import re
from collections.abc import Sequence

_RIGHT = "\u0590-\u065f\u066a-\u06ef\u06fa-\u08ff\ufb1d-\ufdff\ufe70-\ufefc"
_LETTERS = "A-Za-z\u00c0-\u024f\u0370-\u052f"
_DIGITS = "0-9\u0660-\u0669\u06f0-\u06f9"
RIGHT_TO_LEFT = re.compile(f"[{_RIGHT}]")
_LEFT_TO_RIGHT = re.compile(f"[{_LETTERS}]")
_RUN_LEFT = re.compile(
    f"[{_LETTERS}{_DIGITS}](?:[{_LETTERS}{_DIGITS}]|[-.,:/'’@&+](?=[{_LETTERS}{_DIGITS}])"
    f"|(?<=[{_LETTERS}]) (?=[{_LETTERS}]))*"
)
_RUN_RIGHT = re.compile(f"[{_RIGHT}](?:[{_RIGHT} ]*[{_RIGHT}])?")
_LOOSE = re.compile(f" ([,;:.!?،؛؟])(?=[{_RIGHT}])")
"""A stop that has changed places with the space after it."""
_LAM = "\u0644"
_ALEFS = "\u0627\u0623\u0625\u0622"


def logical_order(text: str, places: Sequence[float]) -> str:
    """The characters of one line in reading order; `places` says how far right each one lies.

    Where two lie at one place, their order stays, but that lam goes before the alef it is tied to.
    """
    from_right = len(RIGHT_TO_LEFT.findall(text)) >= len(_LEFT_TO_RIGHT.findall(text))
    sign = -1 if from_right else 1
    order = sorted(range(len(text)), key=lambda i: sign * round(places[i], 1))
    for place in range(len(order) - 1):
        first, second = order[place], order[place + 1]
        tied = text[first] in _ALEFS and text[second] == _LAM
        if tied and abs(places[first] - places[second]) < 0.1:
            order[place], order[place + 1] = second, first
    line = "".join(text[i] for i in order)
    turned = (_RUN_LEFT if from_right else _RUN_RIGHT).sub(lambda run: run.group()[::-1], line)
    return _LOOSE.sub(r"\1 ", turned)
