"""Read the organic hits of a saved result page."""

import json
import sys
from argparse import Namespace
from contextlib import nullcontext
from functools import partial
from pathlib import Path

from reducepp.errors import InputError, ParseError, errors_as
from reducepp.sandbox import run_sandboxed
from reducepp.scraping.search import detect_engine, find_engine
from reducepp.scraping.search.saved_pages import decode_page

AUTO = "auto"
MAX_BYTES = 50_000_000
"""Size of a file; saved result pages have up to 3 MB."""


def run(args: Namespace) -> int:
    text = _read(args.file)
    name = args.engine
    if name == AUTO and not (name := detect_engine(text, args.url)):
        raise ParseError("nothing recognised: the page is of no known search engine")
    engine = find_engine(name, AUTO)
    page = run_sandboxed(partial(engine.parse, page=args.page), text)
    names = ("rank", "url", "title", "snippet")
    hits = [{name: getattr(hit, name) for name in names} for hit in page.hits]
    blocked = page.reason if page.outcome == "blocked" else None
    answer = {"engine": engine.name, "hits": hits, "blocked": blocked}
    text = json.dumps(answer, ensure_ascii=False, indent=2)
    print(text.encode("utf-8", "replace").decode())  # JSON can hold half of a character pair
    if blocked is None:
        return 0
    print(f"reducepp hits: {engine.name} blocked the request: {page.reason} page", file=sys.stderr)
    return 1


def _read(name: str) -> str:
    with (
        errors_as(InputError, f"{name}: cannot be read", OSError),
        nullcontext(sys.stdin.buffer) if name == "-" else Path(name).open("rb") as stream,
    ):
        data = stream.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise InputError(f"{name}: larger than {MAX_BYTES} bytes, too large for a result page")
    return run_sandboxed(decode_page, data)
