"""The plugin inside the real SearXNG, from a checkout of its source (which is not on PyPI).

    git clone https://github.com/searxng/searxng
    python -m tests.reducepp.plugins.real_searxng searxng

Builds an environment with SearXNG's requirements and ours in build/searxng, starts SearXNG with
two engines that read results from a server on loopback, searches, and checks the JSON answer and
the page. The ordinary tests use a stand-in (searx_standin.py), because no checkout is at hand.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from reducepp.demo.web_server import Reply, Request, Sites
from tests.reducepp.plugins.host_environments import PROJECT, ROOT
from tests.reducepp.plugins.samples import RESULTS

FOLDER = ROOT / "build" / "searxng"
PORT = 18888
MAX_START_SECONDS = 120

ENGINE = """
  - name: {name}
    engine: json_engine
    shortcut: {name}
    categories: general
    enable_http: true
    timeout: 10
    search_url: http://127.0.0.1:{port}/{name}?q={{query}}
    results_query: results
    url_query: url
    title_query: title
    content_query: content"""
SETTINGS = """
use_default_settings:
  engines:
    keep_only: []
server:
  secret_key: only-for-this-test
  bind_address: 127.0.0.1
  port: {port}
  limiter: false
search:
  formats: [html, json]
plugins:
  reducepp.plugins.searxng.SXNGPlugin:
    active: true
reducepp:
  min_score: 0.5
engines:{engines}
"""


def answer(request: Request) -> Reply:
    """All results but the second copy for engine `one`; that copy for engine `two`."""
    chosen = RESULTS[2:3] if "/two?" in request.url else [*RESULTS[:2], *RESULTS[3:]]
    found = [{"url": r["url"], "title": r["title"], "content": r["snippet"]} for r in chosen]
    return Reply(body=json.dumps({"results": found}).encode(), content_type="application/json")


def build(checkout: Path) -> Path:
    """The environment's interpreter; built once."""
    python = FOLDER / "bin" / "python"
    if not (FOLDER / "ready").exists():
        uv = [sys.executable, "-m", "uv"]
        subprocess.run([*uv, "venv", "--clear", "--quiet", str(FOLDER)], check=True)
        needed = ["-r", str(checkout / "requirements.txt"), *PROJECT["dependencies"]]
        install = [*uv, "pip", "install", "--quiet", "--python", str(python), *needed]
        subprocess.run(install, check=True)
        (FOLDER / "ready").touch()
    return python


@contextmanager
def running(checkout: Path, python: Path, source: int) -> Iterator[str]:
    """SearXNG with our settings; gives its address."""
    engines = "".join(ENGINE.format(name=name, port=source) for name in ("one", "two"))
    settings = FOLDER / "settings.yml"
    settings.write_text(SETTINGS.format(port=PORT, engines=engines), "utf-8")
    paths = os.pathsep.join((str(checkout), str(ROOT)))
    env = {**os.environ, "PYTHONPATH": paths, "SEARXNG_SETTINGS_PATH": str(settings)}
    process = subprocess.Popen([str(python), "-m", "searx.webapp"], cwd=checkout, env=env)
    try:
        yield f"http://127.0.0.1:{PORT}"
    finally:
        process.terminate()
        process.wait(30)


def get(address: str) -> str:
    """A page of SearXNG, as soon as it answers."""
    last = time.monotonic() + MAX_START_SECONDS
    while True:
        try:
            with urlopen(address, timeout=30) as reply:
                return str(reply.read().decode())
        except URLError:
            if time.monotonic() > last:
                raise
            time.sleep(0.5)


def check(address: str) -> None:
    """What the stand-in's tests check too."""
    found = json.loads(get(f"{address}/search?q=rooftop+bees&format=json"))["results"]
    kept = next(result for result in found if result.get("similar"))
    assert len(found) == 3, [result["url"] for result in found]
    assert len(kept["similar"]) == 2, kept
    assert {"one", "two"} <= set(kept["engines"]), kept["engines"]
    page = get(f"{address}/search?q=rooftop+bees&language=fr&locale=fr")
    assert page.count('<details class="result reducepp-similar">') == 1, page
    assert all(f'href="{entry["url"]}"' in page for entry in kept["similar"]), page


def main() -> None:
    """Build, start, check."""
    checkout = Path(sys.argv[1]).resolve()
    if not (checkout / "searx" / "webapp.py").is_file():
        sys.exit(f"{checkout}: no checkout of SearXNG (searx/webapp.py is missing)")
    python = build(checkout)
    with Sites(answer) as source, running(checkout, python, source.port) as address:
        check(address)
    print("SearXNG: results folded, listed in JSON, engines credited, links in the page")


if __name__ == "__main__":
    main()
