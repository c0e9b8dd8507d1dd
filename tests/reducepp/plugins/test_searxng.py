"""The SearXNG plugin against a stand-in of its interface (searx_standin.py says how true)."""

import json
import logging
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from tests.reducepp.plugins import searx_standin as searx
from tests.reducepp.plugins.samples import RESULTS, STORY

MODULE = "reducepp.plugins.searxng"
COPIES = [RESULTS[2]["url"], RESULTS[4]["url"]]


@pytest.fixture(autouse=True)
def _searx(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name, module in searx.modules().items():
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.delitem(sys.modules, MODULE, raising=False)
    searx.SETTINGS.clear()
    searx.LOCALE.language = "en"
    yield
    sys.modules.pop(MODULE, None)


def start(app: Any) -> searx.PluginStorage:
    storage = searx.PluginStorage()
    storage.load_settings({f"{MODULE}.SXNGPlugin": {"active": True}})
    storage.init(app)
    return storage


def run(*answers: list[Any], app: Any = None) -> searx.Search:
    storage = start(app or searx.App())
    search = searx.Search("rooftop bees")
    for number, results in enumerate(answers):
        search.result_container.extend(f"engine{number}", results)
    storage.post_search(request=None, search=search)
    return search


def made(kind: Any = searx.MainResult, **more: Any) -> list[Any]:
    return [kind(url=r["url"], title=r["title"], content=r["snippet"], **more) for r in RESULTS]


def pages(*addresses: str, snippet: str = STORY, title: str = "Rooftop bees win") -> list[Any]:
    return [searx.MainResult(url=url, title=title, content=snippet) for url in addresses]


def urls(search: searx.Search) -> list[str]:
    return [result.url for result in search.result_container.get_ordered_results()]


@pytest.mark.parametrize("kind", [searx.MainResult, searx.LegacyResult])
def test_copies_are_folded_and_listed_in_json(kind: Any) -> None:
    search = run(made(kind))
    assert urls(search) == [RESULTS[i]["url"] for i in (0, 1, 3)]
    answer = json.loads(searx.get_json_response(search))["results"]
    assert [entry["url"] for entry in answer[0]["similar"]] == COPIES
    assert set(answer[0]["similar"][0]) == {
        *("url", "title", "content", "engines", "score", "level", "signals")
    }
    assert all("similar" not in result for result in answer[1:])
    assert answer[0]["template"] == "default.html"


def test_folded_results_are_reached_by_links_in_the_page() -> None:
    app = searx.App()
    page = app.render(run(made(), app=app))
    assert page.count("<details") == 1
    assert "<summary>2 similar results (mirror.example, www.herald.example)</summary>" in page
    assert all(f'href="{url}"' in page for url in COPIES)
    assert "(same page, 1.00)" in page


def test_what_engines_send_is_escaped_in_the_fold_out() -> None:
    app = searx.App()
    bad = searx.MainResult(url="javascript:alert(1)", title="<script>1</script>", content=STORY)
    good = pages("https://herald.example/bees", title="<script>1</script>")
    page = app.render(run([*good, bad], app=app))
    assert "<details" in page
    assert "<script>" not in page
    assert 'href="javascript' not in page.partition("<details")[2]


def test_texts_are_in_the_readers_language() -> None:
    searx.LOCALE.language = "fr"
    app = searx.App()
    assert "2 résultats semblables" in app.render(run(made(), app=app))
    (plugin,) = start(app).plugin_list
    assert str(plugin.info.name) == "Regrouper les quasi-doublons"
    searx.LOCALE.language = "ar"
    assert str(plugin.info.name) == "طيّ النتائج المكررة تقريباً"


def test_without_the_theme_the_note_is_in_the_metadata() -> None:
    search = run(made(metadata="12 pages"), app=object())
    notes = [r.metadata for r in search.result_container.get_ordered_results()]
    note = "12 pages | 2 similar results (mirror.example, www.herald.example)"
    assert notes == [note, "12 pages", "12 pages"]


def test_the_engines_of_folded_results_are_credited() -> None:
    first, *others = made()
    kept = run([first], others).result_container.get_ordered_results()[0]
    assert kept.engines == {"engine0", "engine1"}
    assert kept.positions == [1]


def test_the_copy_that_searxng_ranks_best_stays() -> None:
    copy = made()[2]
    search = run(made()[:3], [copy])
    assert urls(search)[0] == RESULTS[2]["url"]
    assert RESULTS[0]["url"] not in urls(search)


@pytest.mark.parametrize(
    "other",
    [
        *("https://m.herald.example/bees", "https://amp.herald.example/bees"),
        *("https://herald.example/bees/amp", "https://herald.example/bees?print"),
        *("https://herald.example/bees?utm_source=x#top", "http://www.herald.example/b%65es/"),
    ],
)
def test_variants_of_an_address_are_one_page(other: str) -> None:
    first = pages("https://herald.example/bees")
    second = pages(other, snippet="All news of the region, every morning.")
    assert urls(run(first, second)) == ["https://herald.example/bees"]


def test_country_subdomains_are_one_page_where_the_texts_agree() -> None:
    both = ("https://uk.pins.example/pin/7", "https://pins.example/pin/7")
    assert urls(run(pages(*both))) == [both[0]]
    english = pages("https://en.wiki.example/wiki/Berlin", title="Berlin - Wiki")
    german = pages(
        "https://de.wiki.example/wiki/Berlin",
        title="Berlin – Wiki",
        snippet="Berlin ist die Hauptstadt und ein Land der Bundesrepublik Deutschland.",
    )
    assert len(urls(run(english, german))) == 2


@pytest.mark.parametrize(
    "more",
    [
        {"template": "images.html", "img_src": "https://i.example/1.png"},
        {"iframe_src": "https://player.example/1"},
        {"audio_src": "https://player.example/1.mp3"},
    ],
)
def test_images_music_and_players_are_left_alone(more: dict[str, str]) -> None:
    assert len(urls(run(made(**more)))) == 5


def test_demote_puts_copies_last() -> None:
    searx.SETTINGS["reducepp"] = {"mode": "demote"}
    assert urls(run(made())) == [RESULTS[i]["url"] for i in (0, 1, 3, 2, 4)]


def test_drop_leaves_no_trace_and_target_n_cuts_the_end() -> None:
    searx.SETTINGS["reducepp"] = {"mode": "drop", "target_n": 2}
    search = run(made())
    assert urls(search) == [RESULTS[i]["url"] for i in (0, 1)]
    assert "similar" not in search.result_container.get_ordered_results()[0].as_dict()


def test_results_of_one_site_are_grouped_on_request() -> None:
    others = [
        searx.MainResult(url=f"https://{host}.com/{i}", title=title, content=text)
        for i, (host, title, text) in enumerate(
            [
                ("news.example", "Harbour closed for repairs", "Ships wait outside until Monday."),
                ("guide.test", "How to bake bread", "Flour, water, salt and two days of patience."),
                ("www.example", "Mayor opens the library", "Children may borrow books for free."),
            ]
        )
    ]
    searx.SETTINGS["reducepp"] = {"per_site": 1}
    search = run(others)
    assert urls(search) == [others[0].url, others[1].url]
    (moved,) = search.result_container.get_ordered_results()[0]["similar"]
    assert (moved["url"], moved["level"], moved["score"]) == (others[2].url, "same site", None)
    searx.SETTINGS["reducepp"] = {"per_site": 2}
    assert len(urls(run(others))) == 3


@pytest.mark.parametrize(
    ("option", "value"),
    [("min_score", 7), ("threshold", "high"), ("per_site", "two"), ("max_seconds", -1)],
)
def test_wrong_options_are_named_at_start_and_leave_the_plugin_off(
    option: str, value: Any, caplog: pytest.LogCaptureFixture
) -> None:
    searx.SETTINGS["reducepp"] = {option: value}
    with caplog.at_level(logging.ERROR):
        assert len(urls(run(made()))) == 5
    assert option in caplog.text
    caplog.clear()
    searx.SETTINGS["reducepp"] = {"treshold": 0.5}
    assert start(searx.App()).plugin_list == []
    assert "'treshold': use some of profile, threshold" in caplog.text
    assert "did you mean threshold?" in caplog.text


FRESH_START = """
import sys
from tests.reducepp.plugins import searx_standin as searx
from tests.reducepp.plugins.samples import RESULTS
sys.modules.update(searx.modules())
from reducepp.plugins.searxng import SXNGPlugin
plugin = SXNGPlugin(searx.PluginCfg(active=True))
assert plugin.init(searx.App())
loaded = set(sys.modules)
search = searx.Search("rooftop bees")
found = [searx.MainResult(url=r["url"], title=r["title"], content=r["snippet"]) for r in RESULTS]
search.result_container.extend("engine", found)
plugin.post_search(None, search)
assert len(search.result_container.main_results_map) < len(found)
assert not set(sys.modules) - loaded, set(sys.modules) - loaded
"""


def test_everything_is_loaded_at_start() -> None:
    """In a process of its own: the first search loads nothing more."""
    subprocess.run([sys.executable, "-c", FRESH_START], check=True, timeout=120)


def test_a_comparison_that_takes_too_long_is_given_up(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    searx.SETTINGS["reducepp"] = {"max_seconds": 0.05}
    (plugin,) = start(searx.App()).plugin_list
    release = threading.Event()

    class Stuck:
        mode = "collapse"

        def __call__(self, results: Any, **_: Any) -> None:
            release.wait(30)

    stuck = type(plugin.settings)(Stuck(), max_seconds=0.05)  # type: ignore[attr-defined]
    monkeypatch.setattr(plugin, "settings", stuck)
    search = searx.Search("rooftop bees")
    search.result_container.extend("engine", made())
    plugin.post_search(None, search)
    release.set()
    assert len(urls(search)) == 5
    assert "5 results took too long" in caplog.text


def test_no_results() -> None:
    assert urls(run()) == []


def test_without_searxng_the_import_says_where_it_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "searx", None)
    with pytest.raises(ImportError, match="runs inside SearXNG"):
        __import__(MODULE)
