"""The routes: each hands its body to a worker and passes the answer on."""

import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from importlib.resources import files
from typing import Any

from fastapi import FastAPI
from fastapi import Request as HttpRequest
from fastapi.responses import JSONResponse, Response
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware

from reducepp import __version__
from reducepp.parallel import cores
from reducepp.sandbox_process import WorkLimits
from reducepp.service.access import OPEN, AccessMiddleware
from reducepp.service.handlers import WORK, Work
from reducepp.service.kept_labels import make_label_folder
from reducepp.service.limits import ServiceSettings
from reducepp.service.page import add_page
from reducepp.service.workers import QueueFullError, WorkerQueue

ROUTES = {
    "reduce": ("Which results are shown, and why the others are not", "ReductionAnswer"),
    "compare": ("Score, verdict, level and signals of two pages", "CompareAnswer"),
    "sweep": ("Clusters and quality figures at many thresholds", "SweepAnswer"),
    "seen": ("Whether a page is new beside the pages of the service's index", "SeenAnswer"),
    "split": ("A page's content types; nothing is fetched", "SplitAnswer"),
}
"""POST routes for callers: what each is for, and its answer in answers.json."""
_SCHEMA = "#/components/schemas/"


def _json_of(schema: str, **more: Any) -> dict[str, Any]:
    """The OpenAPI's words for a body or an answer of that schema."""
    return {"content": {"application/json": {"schema": {"$ref": _SCHEMA + schema}}}, **more}


PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: _json_of("Problem", description=text)
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

TOO_LONG = (
    "took too long or too much memory: send fewer or shorter pages, or start the service with "
    "other --max-seconds and --max-memory-mib"
)

BUCKETS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
"""Seconds; 30 is the default limit of a request."""


class Metrics:
    """For /metrics: requests by route and status, their time, the state of queue and workers."""

    def __init__(self, pool: WorkerQueue) -> None:
        self.registry = here = CollectorRegistry()
        answered, refused = "Requests answered", "Requests refused before any work"
        took = "Time from a request's body to its answer, waiting included"
        self.requests = Counter("reducepp_requests", answered, ["route", "status"], registry=here)
        self.refused = Counter("reducepp_refused", refused, ["status"], registry=here)
        self.seconds = Histogram(
            "reducepp_request_seconds", took, ["route"], buckets=BUCKETS, registry=here
        )
        for name, text, read in (
            ("reducepp_waiting", "Requests in the queue", lambda: pool.waiting),
            ("reducepp_running", "Requests being worked on", lambda: pool.running),
            ("reducepp_worker_restarts", "Workers ended and replaced", lambda: pool.restarts),
        ):
            Gauge(name, text, registry=here).set_function(read)

    def note_refused(self, status: int) -> None:
        """Count a request that was refused before it reached a route."""
        self.refused.labels(status=str(status)).inc()


def make_app(settings: ServiceSettings) -> FastAPI:
    """The service; its workers start and stop with it."""
    if settings.labels is not None:
        settings = replace(settings, labels=make_label_folder(settings.labels))
    limit = settings.limits
    per_request = WorkLimits(
        seconds=4 * limit.seconds, processor_seconds=limit.seconds, memory_bytes=limit.memory_bytes
    )
    workers = cores(limit.workers)
    pool = WorkerQueue(Work(settings), workers=workers, queue=limit.queue, limits=per_request)
    metrics = Metrics(pool)

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
    app.add_middleware(AccessMiddleware, note_refused=metrics.note_refused, settings=settings)
    if settings.cors_origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=settings.cors_origins,
            allow_methods=["GET", "POST"],
            allow_headers=["authorization", "content-type"],
        )
    app.add_exception_handler(HTTPException, _as_problem)
    for name in WORK:
        if name != "labels" or settings.labels is not None:
            described = _describe(name) if name in ROUTES else {"include_in_schema": False}
            answer = answer_with(pool, metrics, name)
            app.add_api_route(f"/{name}", answer, methods=["POST"], name=name, **described)
    _add_status(app, pool, metrics)
    add_page(app, keeps_labels=settings.labels is not None)
    _complete_openapi(app)
    return app


def _describe(name: str) -> dict[str, Any]:
    """What the OpenAPI says of a route."""
    summary, answer = ROUTES[name]
    return {
        "summary": summary,
        "response_class": JSONResponse,
        "responses": {200: _json_of(answer), **PROBLEMS},
        "openapi_extra": {"requestBody": _json_of(WORK[name][0].__name__, required=True)},
    }


def _complete_openapi(app: FastAPI) -> None:
    """Bodies and answers by name, and the bearer token on every route that is not open."""
    make = app.openapi
    answers = json.loads(files(__package__).joinpath("answers.json").read_text("utf-8"))

    def openapi() -> dict[str, Any]:
        schema = make()
        parts = schema.setdefault("components", {})
        parts.setdefault("schemas", {}).update(answers)
        for takes in (WORK[name][0] for name in ROUTES):
            body = takes.model_json_schema(ref_template=f"{_SCHEMA}{{model}}")
            parts["schemas"] |= {**body.pop("$defs", {}), takes.__name__: body}
        parts["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        for path, methods in schema["paths"].items():
            for described in methods.values() if path not in OPEN else ():
                described["security"] = [{"token": []}, {}]
        return schema

    app.openapi = openapi  # type: ignore[method-assign]


def answer_with(
    pool: WorkerQueue, metrics: Metrics, name: str
) -> Callable[[HttpRequest], Awaitable[Response]]:
    """A handler that has the workers do the work of that name."""

    async def answer(request: HttpRequest) -> Response:
        start = time.monotonic()
        try:
            found = await pool.run(name, await request.body())
            response = (
                _problem(504, TOO_LONG)
                if found is None
                else Response(found[1], status_code=found[0], media_type="application/json")
            )
        except QueueFullError as full:
            response = _problem(503, str(full), {"retry-after": str(full.seconds)})
        metrics.requests.labels(route=name, status=str(response.status_code)).inc()
        metrics.seconds.labels(route=name).observe(time.monotonic() - start)
        return response

    return answer


def _add_status(app: FastAPI, pool: WorkerQueue, metrics: Metrics) -> None:
    async def healthz() -> dict[str, Any]:
        counts = {"workers": len(pool.all), "waiting": pool.waiting}
        return {"status": "ok", "version": __version__, **counts}

    async def read_metrics() -> Response:
        text = generate_latest(metrics.registry)
        return Response(text, media_type="text/plain; version=0.0.4; charset=utf-8")

    app.get(
        "/healthz",
        summary="Whether requests are taken",
        response_model=None,
        responses={200: _json_of("Health"), 421: PROBLEMS[421]},
    )(healthz)
    app.get(
        "/metrics",
        summary="Figures in the text format of Prometheus",
        response_class=Response,
        responses={
            200: {"content": {"text/plain": {"schema": {"type": "string"}}}},
            401: PROBLEMS[401],
            421: PROBLEMS[421],
        },
    )(read_metrics)


def _problem(status: int, error: str, headers: dict[str, str] | None = None) -> Response:
    return JSONResponse({"error": error}, status, headers)


async def _as_problem(request: HttpRequest, error: Any) -> Response:
    """A route or a method that does not exist."""
    said = (
        f"{request.method} {request.url.path}: {error.detail}; GET /openapi.json lists the routes"
    )
    return _problem(error.status_code, said, dict(error.headers or {}))
