"""The plugin inside the real SearXNG: from a checkout of its source, or as a package has it.

    git clone https://github.com/searxng/searxng
    python -m tests.reducepp.plugins.real_searxng searxng

Builds an environment with SearXNG's requirements and ours in build/searxng, starts SearXNG with
two engines that read results from a server on loopback, searches, and checks the JSON answer, the
pages and the preferences. test_real_searxng.py does the same in the environment of `make hosts`.
"""

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
    """All results but the second copy for engine `one`; that copy, at its end, for `two`."""
    chosen = [*RESULTS[1:3]] if "/two?" in request.url else [*RESULTS[:2], *RESULTS[3:]]
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
def running(python: Path, folder: Path, *, checkout: Path | None = None) -> Iterator[str]:
    """SearXNG with our settings, written to a folder; gives its address."""
    with Sites(answer) as source:
        engines = "".join(ENGINE.format(name=name, port=source.port) for name in ("one", "two"))
        settings = folder / "settings.yml"
        settings.write_text(SETTINGS.format(port=PORT, engines=engines), "utf-8")
        paths = os.pathsep.join(str(path) for path in (checkout, ROOT) if path)
        env = {**os.environ, "PYTHONPATH": paths, "SEARXNG_SETTINGS_PATH": str(settings)}
        command = [str(python), "-m", "searx.webapp"]
        process = subprocess.Popen(command, cwd=checkout or folder, env=env)
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
    for language, direction, says in (
        ("en", "ltr", "2 similar results"),
        ("fr", "ltr", "2 résultats semblables"),
        ("ar", "rtl", "نتيجتان مشابهتان"),
    ):
        page = get(f"{address}/search?q=rooftop+bees&locale={language}")
        opening = f'<details class="result reducepp-similar" dir="{direction}">'
        assert page.count(opening) == 1, page
        assert says in page, page
        assert all(f'href="{entry["url"]}"' in page for entry in kept["similar"]), page
    assert "Regrouper les quasi-doublons" in get(f"{address}/preferences?locale=fr")


def main() -> None:
    """Build, start, check."""
    checkout = Path(sys.argv[1]).resolve()
    if not (checkout / "searx" / "webapp.py").is_file():
        sys.exit(f"{checkout}: no checkout of SearXNG (searx/webapp.py is missing)")
    with running(build(checkout), FOLDER, checkout=checkout) as address:
        check(address)
    print("SearXNG: results folded, listed in JSON, engines credited, links in the page")


if __name__ == "__main__":
    main()
