"""What the workers do: a request's body in, status and JSON out. Runs in the worker processes."""

import json
import logging
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import lru_cache, partial
from typing import Any

from pydantic import BaseModel, ValidationError

from reducepp.api import compare_query, compare_two, reduce_pages
from reducepp.errors import InputError, ReduceppError, UsageError
from reducepp.evaluation.sweep import COLUMNS, SweepOptions, sweep, threshold_range
from reducepp.index import Index
from reducepp.inputs import as_pages, read_one
from reducepp.io.bounded_reading import parse_json
from reducepp.io.records import page_to_record
from reducepp.io.writers import plain, reduction_to_dict
from reducepp.scraping.extract.split_many import split_many
from reducepp.service.kept_labels import LabelsRequest, keep_labels
from reducepp.service.limits import ServiceSettings
from reducepp.service.page_requests import LearnRequest, ViewRequest, learn_labels, view_files
from reducepp.service.requests import (
    EXAMPLE_PAGE,
    EXAMPLE_RESULTS,
    CompareRequest,
    PageList,
    ReduceRequest,
    SeenRequest,
    SplitRequest,
    SweepRequest,
    explain_refusal,
)
from reducepp.service.workers import HttpAnswer
from reducepp.types import Failure, Page

log = logging.getLogger("reducepp.service")
_open_index = lru_cache(maxsize=1)(partial(Index, create=False))
"""The operator's index, opened once per worker; it notices what others add."""


@dataclass(frozen=True, slots=True)
class Work:
    """The service's work, called with a name and a body; picklable."""

    settings: ServiceSettings

    def __call__(self, name: str, body: bytes) -> HttpAnswer:
        """The answer to one request; every error is an answer too."""
        try:
            if name == "warm":
                warm(self.settings)
                return 200, b""
            model, handle = WORK[name]
            return 200, _as_json(handle(_read(body, model), self.settings))
        except _BadJsonError as error:
            status, said = 400, str(error)
        except ReduceppError as error:
            status, said = 422, str(error)
        except MemoryError:
            status, said = 413, "too large to work on"
        except Exception:
            log.exception("%s failed", name)
            status, said = 500, "something went wrong inside; it is in the log"
        return status, _as_json({"error": said})


class _BadJsonError(Exception):
    """The body is no JSON object."""


def _as_json(value: Any) -> bytes:
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode("utf-8", "replace")


def _read(body: bytes, model: type[BaseModel]) -> Any:
    """The body as a request; raises what becomes 400 or 422."""
    try:
        value = parse_json(body.decode("utf-8-sig"), constant=_refuse_constant)
    except UnicodeDecodeError as error:
        raise _BadJsonError(f"not JSON: not UTF-8 at byte {error.start + 1}") from None
    except ValueError as error:
        raise _BadJsonError(f"not JSON: {error}") from None
    if not isinstance(value, dict):
        raise _BadJsonError("not a JSON object")
    try:
        return model.model_validate(value, strict=True)
    except ValidationError as error:
        raise UsageError(explain_refusal(error, model)) from None


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number")


def _read_pages(request: PageList, settings: ServiceSettings) -> tuple[list[Page], list[Failure]]:
    """The pages of a request that holds not too many of them."""
    settings.check_count(len(request.given))
    return as_pages(({**record, "query": request.query} for record in request.given), jobs=1)


def reduce_list(request: ReduceRequest, settings: ServiceSettings) -> Any:
    """POST /reduce: one Reduction."""
    names = ("kind", "threshold", "min_score", "target_n", "keep", "mode")
    given = {name: getattr(request, name) for name in names}
    options = settings.options(request.profile, linkage=request.linkage or "", **given)
    pages, failures = _read_pages(request, settings)
    return reduction_to_dict(reduce_pages(pages, options, failures=failures, query=request.query))


def sweep_list(request: SweepRequest, settings: ServiceSettings) -> Any:
    """POST /sweep: one row per threshold."""
    pages, failures = _read_pages(request, settings)
    options = settings.options(request.profile, kind=request.kind)
    comparison = compare_query(pages, options, failures=failures, query=request.query)
    thresholds = request.thresholds or threshold_range(0, 1, 0.05)
    how = SweepOptions(keep=request.keep)
    rows = sweep(comparison, thresholds, how=how) if comparison.pages else []
    return {
        "profile": comparison.profile.name,
        "rows": [{name: plain(getattr(row, name)) for name in COLUMNS} for row in rows],
        "failures": [asdict(failure) for failure in comparison.failures],
    }


def compare_pair(request: CompareRequest, settings: ServiceSettings) -> Any:
    """POST /compare: score, verdict, level and signals of two pages."""
    options = settings.options(request.profile, threshold=request.threshold)
    return compare_two(read_one(request.a, "a"), read_one(request.b, "b"), options)


def find_seen(request: SeenRequest, settings: ServiceSettings) -> Any:
    """POST /seen: whether a page is new beside those of the index."""
    if not settings.index:
        raise UsageError("this service has no index: start it with --index FILE")
    page = read_one(request.page, "page")
    threshold = settings.threshold if request.threshold is None else request.threshold
    return _open_index(settings.index).query(page, threshold=threshold).to_dict()


def split_html(request: SplitRequest, settings: ServiceSettings) -> Any:
    """POST /split: the content types of one page."""
    raw = {"html": request.html, "url": request.url, "id": request.url}
    (page,) = split_many([raw], jobs=1, links=request.links)
    if isinstance(page, Failure):
        raise InputError(f"html: {page.reason}")
    return page_to_record(page)


def warm(settings: ServiceSettings) -> None:
    """Load what the first request would otherwise wait for."""
    for given in ({"results": EXAMPLE_RESULTS}, {"pages": [EXAMPLE_PAGE]}):
        reduce_list(ReduceRequest.model_validate(given), settings)
    if settings.index:
        find_seen(SeenRequest.model_validate({"page": EXAMPLE_PAGE}), settings)


WORK: dict[str, tuple[type[BaseModel], Callable[[Any, ServiceSettings], Any]]] = {
    "reduce": (ReduceRequest, reduce_list),
    "compare": (CompareRequest, compare_pair),
    "sweep": (SweepRequest, sweep_list),
    "seen": (SeenRequest, find_seen),
    "split": (SplitRequest, split_html),
    "view": (ViewRequest, view_files),
    "learn": (LearnRequest, learn_labels),
    "labels": (LabelsRequest, keep_labels),
}
"""Name of a route to what it takes, and what answers it."""
