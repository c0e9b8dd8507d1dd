"""The page at /: its own few scripts around the report's component, all from this service."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from importlib.resources import files
from typing import TYPE_CHECKING

from fastapi.responses import Response

if TYPE_CHECKING:
    from fastapi import FastAPI

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
"""Nothing from elsewhere, nothing inline, and no text becomes markup."""

SCRIPTS = ("page.js", "labels.js", "judge_form.js", "label_panel.js", "start.js")


def add_page(app: FastAPI, *, keeps_labels: bool = False) -> None:
    """The page, its scripts and styles; it is told whether the service keeps labels on disk."""
    for path, kind, make in (
        ("/", "text/html", partial(page_html, keeps_labels=keeps_labels)),
        ("/assets/page.js", "text/javascript", page_script),
        ("/assets/page.css", "text/css", page_style),
        ("/assets/report.js", "text/javascript", report_script),
        ("/assets/report.css", "text/css", report_style),
    ):
        app.add_api_route(path, _serve(make, kind), methods=["GET"], include_in_schema=False)
    app.add_api_route("/favicon.ico", _nothing, methods=["GET"], include_in_schema=False)


def _serve(make: Callable[[], str], kind: str) -> Callable[[], Response]:
    def answer() -> Response:
        headers = {"content-security-policy": POLICY}
        return Response(make(), media_type=f"{kind}; charset=utf-8", headers=headers)

    return answer


def _nothing() -> Response:
    return Response(status_code=204)


def page_html(*, keeps_labels: bool = False) -> str:
    """The page before anything is loaded into it."""
    from reducepp.weights.profile import profile_names

    options = "".join(f"<option>{name}</option>" for name in profile_names())
    place = "service" if keeps_labels else "browser"
    return _asset("index.html").replace("{{profiles}}", options).replace("{{labels}}", place)


def page_script() -> str:
    """The page's own scripts."""
    return "\n".join(_asset(name) for name in SCRIPTS)


def page_style() -> str:
    """The page's own styles."""
    return _asset("page.css")


def report_script() -> str:
    """The report's component, the same that `reducepp report` writes into its files."""
    from reducepp.evaluation.report.html_page import component_script

    return component_script()


def report_style() -> str:
    """The component's styles."""
    from reducepp.evaluation.report.html_page import component_style

    return component_style()


@cache
def _asset(name: str) -> str:
    return (files(__name__) / name).read_text("utf-8")
