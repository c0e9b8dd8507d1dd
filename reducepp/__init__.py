"""REDUCE++: de-duplication of web search results, with a reason for every page dropped.

The names in `__all__` are the public API, described in docs/api.md; everything else may change.
"""

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from reducepp.api import reduce as reduce
    from reducepp.errors import ReduceppError as ReduceppError
    from reducepp.filtering import filter_rows as filter  # noqa: A004, F401
    from reducepp.index import Index as Index
    from reducepp.inputs import read as read
    from reducepp.plugins.postprocess import PostProcessor as PostProcessor
    from reducepp.plugins.postprocess import postprocess as postprocess
    from reducepp.plugins.scikit_learn import ReduceClusterer as ReduceClusterer
    from reducepp.types import Page as Page
    from reducepp.types import Reduction as Reduction

_WHERE = {
    "Index": ("reducepp.index", "Index"),
    "Page": ("reducepp.types", "Page"),
    "PostProcessor": ("reducepp.plugins.postprocess", "PostProcessor"),
    "ReduceClusterer": ("reducepp.plugins.scikit_learn", "ReduceClusterer"),
    "ReduceppError": ("reducepp.errors", "ReduceppError"),
    "Reduction": ("reducepp.types", "Reduction"),
    "filter": ("reducepp.filtering", "filter_rows"),
    "postprocess": ("reducepp.plugins.postprocess", "postprocess"),
    "read": ("reducepp.inputs", "read"),
    "reduce": ("reducepp.api", "reduce"),
}
"""Public name to the module and name that define it, imported on first use."""
__all__ = ["__version__", *_WHERE]  # noqa: PLE0604


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module 'reducepp' has no attribute {name!r}")
    from importlib import import_module

    module, attribute = _WHERE[name]
    value = getattr(import_module(module), attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
