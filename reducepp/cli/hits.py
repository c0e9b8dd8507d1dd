"""Read the organic hits of a saved result page."""

import argparse
import json
import sys
from functools import partial
from pathlib import Path

from reducepp.cli.command_input import unknown_engine
from reducepp.errors import InputError, ParseError
from reducepp.sandbox import run_sandboxed
from reducepp.scraping.search import ENGINES, Engine, ResultPage, detect_engine, engine_from_file
from reducepp.scraping.search.saved_pages import decode_page

AUTO = "auto"
MAX_BYTES = 50_000_000
"""Size of a file; saved result pages have up to 3 MB."""


def run(args: argparse.Namespace) -> int:
    """Parse one page and print its hits."""
    text = _read(args.file)
    engine = _engine(args.engine, text, args.url)
    page = run_sandboxed(partial(engine.parse, page=args.page), text)
    print(json.dumps(_as_json(engine.name, page), ensure_ascii=False, indent=2))
    if page.outcome != "blocked":
        return 0
    print(f"reducepp hits: {engine.name} blocked the request: {page.reason} page", file=sys.stderr)
    return 1


def _read(name: str) -> str:
    try:
        if name == "-":
            data = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            with Path(name).open("rb") as stream:
                data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise InputError(f"{name}: cannot be read: {error.strerror or error}") from error
    if len(data) > MAX_BYTES:
        raise InputError(f"{name}: larger than {MAX_BYTES} bytes, too large for a result page")
    return run_sandboxed(decode_page, data)


def _engine(name: str, text: str, url: str) -> Engine:
    if name.endswith(".toml"):
        return engine_from_file(name)
    if name == AUTO:
        name = detect_engine(text, url)
        if not name:
            raise ParseError("nothing recognised: the page is of no known search engine")
    if name not in ENGINES:
        raise unknown_engine(name, [*ENGINES, AUTO])
    return ENGINES[name]


def _as_json(engine: str, page: ResultPage) -> dict[str, object]:
    names = ("rank", "url", "title", "snippet")
    hits = [{name: getattr(hit, name) for name in names} for hit in page.hits]
    blocked = page.reason if page.outcome == "blocked" else None
    return {"engine": engine, "hits": hits, "blocked": blocked}
