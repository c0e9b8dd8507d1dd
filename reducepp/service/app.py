"""The routes: each hands its body to a worker and passes the answer on."""

import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi import Request as HttpRequest
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware

from reducepp import __version__
from reducepp.service.access import OPEN, Access, AccessMiddleware
from reducepp.service.handlers import Work
from reducepp.service.kept_labels import make_label_folder
from reducepp.service.limits import ServiceLimits
from reducepp.service.metrics import Metrics
from reducepp.service.page import add_page
from reducepp.service.requests import (
    CompareRequest,
    ReduceRequest,
    SeenRequest,
    SplitRequest,
    SweepRequest,
)
from reducepp.service.responses import (
    CompareAnswer,
    Health,
    Problem,
    ReductionAnswer,
    SeenAnswer,
    SplitAnswer,
    SweepAnswer,
)
from reducepp.service.workers import QueueFullError, WorkerPool
from reducepp.types import Profile


@dataclass(frozen=True, slots=True)
class Route:
    """One POST route: what it takes and answers."""

    name: str
    summary: str
    takes: type[BaseModel]
    answers: type[BaseModel]


ROUTES = (
    Route(
        "reduce",
        "Which results are shown, and why the others are not",
        ReduceRequest,
        ReductionAnswer,
    ),
    Route(
        "compare", "Score, verdict, level and signals of two pages", CompareRequest, CompareAnswer
    ),
    Route("sweep", "Clusters and quality figures at many thresholds", SweepRequest, SweepAnswer),
    Route(
        "seen",
        "Whether a page is new beside the pages of the service's index",
        SeenRequest,
        SeenAnswer,
    ),
    Route("split", "A page's content types; nothing is fetched", SplitRequest, SplitAnswer),
)

_SCHEMA = "#/components/schemas/"

PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem, "description": text}
    for status, text in {
        400: "The body is no JSON object",
        401: "A bearer token is needed",
        408: "The body did not arrive in time",
        413: "The body is too large",
        415: "The body is not sent as application/json",
        421: "The service is not known under that name",
        422: "A value is not allowed; the error names it",
        503: "The queue is full; Retry-After says when to come again",
        504: "The work took too long",
    }.items()
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How the service runs."""

    limits: ServiceLimits = field(default_factory=ServiceLimits)
    profile: Profile | None = None
    """For requests that name none; the operator's own, if given."""
    threshold: float | None = None
    index: str = ""
    """File of the pages that `/seen` compares with; "" for none."""
    token: str = ""
    hosts: tuple[str, ...] = ()
    root_path: str = ""
    """Path prefix under which a proxy serves it, such as /reducepp."""
    cors_origins: tuple[str, ...] = ()
    """Origins whose pages may call it."""
    labels: Path | None = None
    """Folder in which the page's labels are kept; without one they stay in the browser."""


def make_app(settings: Settings) -> FastAPI:
    """The service; its workers start and stop with it."""
    pool = _make_pool(settings)
    metrics = Metrics(pool.counts)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await pool.start()
        yield
        await pool.stop()

    app = FastAPI(
        title="reducepp",
        version=__version__,
        description="De-duplicates search results. Nothing is fetched on behalf of callers.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        generate_unique_id_function=lambda route: route.name,
    )
    _guard(app, settings, metrics)
    app.add_exception_handler(HTTPException, _as_problem)
    for route in ROUTES:
        _add_route(app, route, answer_with(pool, metrics, route.name))
    kept = () if settings.labels is None else ("labels",)
    for name in ("view", "learn", *kept):
        app.add_api_route(
            f"/{name}",
            answer_with(pool, metrics, name),
            methods=["POST"],
            include_in_schema=False,
        )
    _add_status(app, pool, metrics)
    add_page(app, keeps_labels=settings.labels is not None)
    _complete_openapi(app)
    return app


def _make_pool(settings: Settings) -> WorkerPool:
    limits = settings.limits
    work = Work(
        pages=limits.pages,
        profile=settings.profile,
        threshold=settings.threshold,
        index=settings.index,
        labels=make_label_folder(settings.labels) if settings.labels else None,
    )
    return WorkerPool(
        work,
        workers=limits.processes,
        queue=limits.queue,
        limits=limits.of_request,
    )


def _guard(app: FastAPI, settings: Settings, metrics: Metrics) -> None:
    """Who may call, from which pages, and how much a request may hold."""
    limits = settings.limits
    access = Access(
        token=settings.token,
        hosts=settings.hosts,
        root_path=settings.root_path,
        body_bytes=limits.body_bytes,
        held_bytes=limits.held_bytes,
        reading_seconds=limits.reading_seconds,
    )
    app.add_middleware(AccessMiddleware, note_refused=metrics.note_refused, access=access)
    if settings.cors_origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=settings.cors_origins,
            allow_methods=["GET", "POST"],
            allow_headers=["authorization", "content-type"],
        )


def _complete_openapi(app: FastAPI) -> None:
    """The bodies by name, and the bearer token on every route that is not open."""
    make = app.openapi

    def openapi() -> dict[str, Any]:
        schema = make()
        parts = schema.setdefault("components", {})
        for route in ROUTES:
            body = route.takes.model_json_schema(ref_template=f"{_SCHEMA}{{model}}")
            parts["schemas"] |= {**body.pop("$defs", {}), route.takes.__name__: body}
        parts["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        for path, methods in schema["paths"].items():
            for described in methods.values() if path not in OPEN else ():
                described["security"] = [{"token": []}, {}]
        return schema

    app.openapi = openapi  # type: ignore[method-assign]


TOO_LONG = (
    "took too long or too much memory: send fewer or shorter pages, or start the service with "
    "other --max-seconds and --max-memory-mib"
)


def answer_with(
    pool: WorkerPool, metrics: Metrics, name: str
) -> Callable[[HttpRequest], Awaitable[Response]]:
    """A handler that has the workers do the work of that name."""

    async def answer(request: HttpRequest) -> Response:
        start = time.monotonic()
        try:
            found = await pool.run(name, await request.body())
        except QueueFullError as full:
            response = _problem(503, str(full), {"retry-after": str(full.seconds)})
        else:
            response = (
                _problem(504, TOO_LONG)
                if found is None
                else Response(found[1], status_code=found[0], media_type="application/json")
            )
        metrics.note(name, response.status_code, time.monotonic() - start)
        return response

    return answer


def _add_route(
    app: FastAPI, route: Route, answer: Callable[[HttpRequest], Awaitable[Response]]
) -> None:
    app.add_api_route(
        f"/{route.name}",
        answer,
        methods=["POST"],
        name=route.name,
        summary=route.summary,
        response_class=JSONResponse,
        responses={200: {"model": route.answers}, **PROBLEMS},
        openapi_extra={
            "requestBody": {
                "required": True,
                "content": {
                    "application/json": {"schema": {"$ref": _SCHEMA + route.takes.__name__}}
                },
            }
        },
    )


def _add_status(app: FastAPI, pool: WorkerPool, metrics: Metrics) -> None:
    @app.get("/healthz", summary="Whether requests are taken", responses={421: PROBLEMS[421]})
    async def healthz() -> Health:
        return Health(
            status="ok",
            version=__version__,
            workers=len(pool.all),
            waiting=pool.counts.waiting,
        )

    @app.get(
        "/metrics",
        summary="Figures in the text format of Prometheus",
        response_class=Response,
        responses={
            200: {"content": {"text/plain": {"schema": {"type": "string"}}}},
            401: PROBLEMS[401],
            421: PROBLEMS[421],
        },
    )
    async def read_metrics() -> Response:
        return Response(metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")


def _problem(status: int, error: str, headers: dict[str, str] | None = None) -> Response:
    body = json.dumps({"error": error}).encode()
    return Response(body, status_code=status, headers=headers, media_type="application/json")


async def _as_problem(_: HttpRequest, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        return _problem(500, "something went wrong inside")
    return _problem(error.status_code, str(error.detail), dict(error.headers or {}))
