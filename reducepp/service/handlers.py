"""What the workers do: a request's body in, status and JSON out. Runs in the worker processes."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, ValidationError

from reducepp.api import compare_query, compare_two, reduce_pages
from reducepp.errors import InputError, ReduceppError, UsageError
from reducepp.io.bounded_reading import parse_json
from reducepp.io.writers import number, reduction_to_dict
from reducepp.service.requests import (
    CompareRequest,
    PageList,
    ReduceRequest,
    SeenRequest,
    ServiceDefaults,
    SplitRequest,
    SweepRequest,
)
from reducepp.service.workers import Answer
from reducepp.types import Failure, Page

if TYPE_CHECKING:
    from reducepp.index import Index

log = logging.getLogger("reducepp.service")

R = TypeVar("R", bound=BaseModel)


@dataclass(frozen=True, slots=True, kw_only=True)
class Work(ServiceDefaults):
    """The service's work, called with a name and a body; picklable."""

    def __call__(self, name: str, body: bytes) -> Answer:
        """Answer one request; whatever goes wrong is an answer too."""
        try:
            return 200, _as_json(WORK[name](body, self))
        except ValidationError as error:
            return 422, _as_json({"error": _first_problem(error)})
        except _BadJsonError as error:
            return 400, _as_json({"error": str(error)})
        except ReduceppError as error:
            return 422, _as_json({"error": str(error)})
        except MemoryError:
            return 413, _as_json({"error": "too large to work on"})
        except Exception:
            log.exception("%s failed", name)
            return 500, _as_json({"error": "something went wrong inside; it is in the log"})


class _BadJsonError(Exception):
    """The body is no JSON object."""


def _as_json(value: Any) -> bytes:
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode("utf-8", "replace")


def _read(body: bytes, model: type[R]) -> R:
    """The body as a request; raises what becomes 400 or 422."""
    try:
        value = parse_json(body.decode("utf-8"), constant=_refuse_constant)
    except ValueError as error:
        raise _BadJsonError(f"not JSON: {error}") from None
    if not isinstance(value, dict):
        raise _BadJsonError("not a JSON object")
    return model.model_validate(value, strict=True)


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number")


def _first_problem(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    where = ".".join(str(step) for step in first["loc"])
    what = first["msg"].removeprefix("Value error, ")
    return f"{where}: {what}" if where else what


def _read_pages(request: PageList, work: Work) -> tuple[list[Page], list[Failure]]:
    """The pages of a request that holds not too many of them."""
    from reducepp.inputs import as_pages

    if len(request.given) > work.pages:
        raise UsageError(f"{len(request.given)} pages: at most {work.pages} are taken at once")
    return as_pages(({**record, "query": request.query} for record in request.given), jobs=1)


def reduce_list(body: bytes, work: Work) -> Any:
    """POST /reduce: one Reduction."""
    request = _read(body, ReduceRequest)
    options = work.options(
        request.profile,
        kind=request.kind,
        threshold=request.threshold,
        min_score=request.min_score,
        target_n=request.target_n,
        keep=request.keep,
        mode=request.mode,
        linkage=request.linkage or "",
    )
    pages, failures = _read_pages(request, work)
    found = reduce_pages(pages, options, failures=failures, query=request.query)
    return reduction_to_dict(found)


def sweep_pages(body: bytes, work: Work) -> Any:
    """POST /sweep: one row per threshold."""
    from reducepp.evaluation.sweep import COLUMNS, SweepOptions, sweep, threshold_range

    request = _read(body, SweepRequest)
    pages, failures = _read_pages(request, work)
    options = work.options(request.profile, kind=request.kind)
    comparison = compare_query(pages, options, failures=failures, query=request.query)
    thresholds = request.thresholds or threshold_range(0, 1, 0.05)
    how = SweepOptions(keep=request.keep)
    rows = sweep(comparison, thresholds, how=how) if comparison.pages else []
    plain = [{name: asdict(row)[name] for name in COLUMNS} for row in rows]
    return {
        "profile": comparison.profile.name,
        "rows": [
            {k: number(v) if isinstance(v, float) else v for k, v in r.items()} for r in plain
        ],
        "failures": [asdict(failure) for failure in comparison.failures],
    }


def compare_pair(body: bytes, work: Work) -> Any:
    """POST /compare: score, verdict, level and signals of two pages."""
    request = _read(body, CompareRequest)
    options = work.options(request.profile, threshold=request.threshold)
    return compare_two(_one_page(request.a, "a"), _one_page(request.b, "b"), options)


def _one_page(record: Mapping[str, Any] | str, name: str) -> Page:
    from reducepp.inputs import as_pages

    if isinstance(record, str):
        record = {"body": record}
    if not any(record.values()):
        return Page(id=name)
    pages, failures = as_pages([record], jobs=1)
    if failures:
        raise InputError(f"{name}: {failures[0].reason}")
    return replace(pages[0], id=name)


def find_seen(body: bytes, work: Work) -> Any:
    """POST /seen: whether a page is new beside those of the index."""
    request = _read(body, SeenRequest)
    if not work.index:
        raise UsageError("this service has no index: start it with --index FILE")
    page = _one_page(request.page, "page")
    threshold = work.threshold if request.threshold is None else request.threshold
    return _open_index(work.index).query(page, threshold=threshold).to_dict()


@lru_cache(maxsize=1)
def _open_index(path: str) -> Index:
    """The operator's index, opened once per worker; it notices what others add."""
    from reducepp.index import Index

    return Index(path, create=False)


def split_one(body: bytes, work: Work) -> Any:
    """POST /split: the content types of one page."""
    from reducepp.io.records import page_to_record
    from reducepp.scraping.extract.split_many import split_many

    request = _read(body, SplitRequest)
    raw = {"html": request.html, "url": request.url, "id": request.url}
    (page,) = split_many([raw], jobs=1, links=request.links)
    if isinstance(page, Failure):
        raise InputError(f"html: {page.reason}")
    return page_to_record(page)


def view(body: bytes, work: Work) -> Any:
    """POST /view: what the page at / shows of some files."""
    from reducepp.service.page_requests import ViewRequest, view_files

    return view_files(_read(body, ViewRequest), work)


def learn(body: bytes, work: Work) -> Any:
    """POST /learn: a profile from the page's labels."""
    from reducepp.service.page_requests import LearnRequest, learn_labels

    return learn_labels(_read(body, LearnRequest), work)


def labels(body: bytes, work: Work) -> Any:
    """POST /labels: keep the page's labels; a route where the operator named a folder."""
    from reducepp.service.kept_labels import LabelsRequest, keep_labels

    request = _read(body, LabelsRequest)
    if work.labels is None:
        raise UsageError("this service keeps no labels: start it with --labels DIR")
    return keep_labels(request, work.labels)


def warm(body: bytes, work: Work) -> Any:
    """Load what the first request would otherwise wait for."""
    import reducepp.evaluation.sweep
    import reducepp.scraping.extract.split
    from reducepp.service.requests import EXAMPLE_PAGE, EXAMPLE_RESULTS

    reduce_list(json.dumps({"results": EXAMPLE_RESULTS}).encode(), work)
    reduce_list(json.dumps({"pages": [EXAMPLE_PAGE]}).encode(), work)
    return [reducepp.evaluation.sweep.__name__, reducepp.scraping.extract.split.__name__]


WORK: dict[str, Callable[[bytes, Work], Any]] = {
    "warm": warm,
    "reduce": reduce_list,
    "compare": compare_pair,
    "sweep": sweep_pages,
    "seen": find_seen,
    "split": split_one,
    "view": view,
    "learn": learn,
    "labels": labels,
}
"""Name of a route to what answers it."""
