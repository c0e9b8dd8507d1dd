"""The page at /: its own few scripts around the report's component, all from this service."""

from collections.abc import Callable
from functools import cache, partial
from importlib.resources import files
from typing import Any

from fastapi import FastAPI
from fastapi.responses import Response

from reducepp.evaluation.report.report_formats import component_script, component_style
from reducepp.weights.profile import profile_names

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
"""Nothing from elsewhere, nothing inline, and no text becomes markup."""
SCRIPTS = ("page.js", "labels.js", "judge_form.js", "label_panel.js", "start.js")
FILES = {"page.js": "javascript", "page.css": "css", "report.js": "javascript", "report.css": "css"}
"""Files under /assets/ and their types."""


def add_page(app: FastAPI, *, keeps_labels: bool = False) -> None:
    """Routes of the page, its scripts and styles; the page states where labels are kept."""

    routes: dict[str, Callable[[], Response]] = {
        "/": lambda: _answer(page_html(keeps_labels=keeps_labels), "html"),
        "/favicon.ico": lambda: Response(status_code=204),
        **{f"/assets/{n}": partial(_answer, asset_text(n), kind) for n, kind in FILES.items()},
    }
    how: Any = {"methods": ["GET"], "include_in_schema": False, "response_model": None}
    for path, answer in routes.items():
        app.add_api_route(path, answer, **how)


def _answer(text: str, kind: str) -> Response:
    headers = {"content-security-policy": POLICY}
    return Response(text, media_type=f"text/{kind}; charset=utf-8", headers=headers)


def page_html(*, keeps_labels: bool = False) -> str:
    """The page before anything is loaded into it."""
    options = "".join(f"<option>{name}</option>" for name in profile_names())
    place = "service" if keeps_labels else "browser"
    return _file("index.html").replace("{{profiles}}", options).replace("{{labels}}", place)


def asset_text(name: str) -> str:
    """A script or style of the page, or of the report's component, as in `reducepp report`."""
    if name == "page.js":
        return "\n".join(map(_file, SCRIPTS))
    made = {"report.js": component_script, "report.css": component_style}
    return made[name]() if name in made else _file(name)


@cache
def _file(name: str) -> str:
    return (files(__name__) / name).read_text("utf-8")
