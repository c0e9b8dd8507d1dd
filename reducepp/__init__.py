"""REDUCE++: de-duplication of web search results, with a reason for every page dropped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from reducepp.api import reduce as reduce
    from reducepp.plugins.postprocess import postprocess as postprocess
    from reducepp.plugins.scikit_learn import ReduceClusterer as ReduceClusterer
    from reducepp.types import Page as Page
    from reducepp.types import Reduction as Reduction

_WHERE = {
    "Page": "reducepp.types",
    "ReduceClusterer": "reducepp.plugins.scikit_learn",
    "Reduction": "reducepp.types",
    "reduce": "reducepp.api",
    "postprocess": "reducepp.plugins.postprocess",
}
"""Public name to the module that defines it, imported on first use."""

__all__ = ["Page", "ReduceClusterer", "Reduction", "__version__", "postprocess", "reduce"]


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module 'reducepp' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_WHERE[name]), name)
    globals()[name] = value
    return value
