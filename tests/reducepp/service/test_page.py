"""The page at / in a real Chromium: give, look, slide, label, learn, download."""

from __future__ import annotations

import csv
import io
import json
import tomllib
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from reducepp.api import find_profile
from reducepp.labelled.reading import QUESTIONS, kind_of_answers
from reducepp.scraping.fetch.chromium import find_programs
from reducepp.translations import translate
from tests.reducepp.plugins.samples import RESULTS
from tests.reducepp.service.running import Running, running
from tests.waiting import wait_until

PROGRAMS = find_programs()
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(PROGRAMS is None, reason="no chromium and chromedriver here"),
]

if PROGRAMS is not None:
    from selenium.webdriver.common.keys import Keys

    from tests.evaluation.screen import Screen

HITS = Path(__file__).parents[2] / "scraping" / "search" / "mojeek" / "results" / "page.html"


@pytest.fixture(scope="module")
def screen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Screen]:
    assert PROGRAMS is not None
    screen = Screen(PROGRAMS)
    screen.driver.execute_cdp_cmd(
        "Browser.setDownloadBehavior",
        {"behavior": "allow", "downloadPath": str(tmp_path_factory.mktemp("downloads"))},
    )
    yield screen
    screen.close()


@pytest.fixture
def page(screen: Screen, service: Running) -> Screen:
    screen.console()
    screen.driver.get(f"{service.url}/")
    screen.run("localStorage.clear()")
    screen.driver.get(f"{service.url}/")
    return screen


def status(page: Screen) -> str:
    return page.find("#status").text


def loaded(page: Screen) -> str:
    return str(
        wait_until(lambda: (t := status(page)) and not t.startswith(("Reading", "Learn…")) and t)
    )


def give_files(page: Screen, *paths: Path) -> str:
    page.find("#files").send_keys("\n".join(str(path) for path in paths))
    return loaded(page)


def drop_file(page: Screen, name: str, text: str) -> str:
    page.run(
        "const data = new DataTransfer(); data.items.add(new File([arguments[1]], arguments[0]));"
        "document.getElementById('drop').dispatchEvent("
        "new DragEvent('drop', {bubbles: true, cancelable: true, dataTransfer: data}))",
        name,
        text,
    )
    return loaded(page)


def quiet(page: Screen) -> None:
    """Nothing was blocked, nothing failed, nothing came from elsewhere."""
    assert [line for line in page.console() if not line.startswith(("DEBUG", "INFO"))] == []
    loaded_from = page.run(
        "return performance.getEntriesByType('resource').map(e => new URL(e.name).origin)"
        ".filter(origin => origin !== location.origin)"
    )
    assert loaded_from == []


def test_pasted_results_are_shown_with_the_same_clusters(page: Screen) -> None:
    page.find("#paste").send_keys("\n".join(json.dumps(r) for r in RESULTS))
    page.find("#show").click()
    assert loaded(page) == "pasted text: profile default."
    assert page.clusters() == [(0, [0, 2, 4]), (1, [1]), (3, [3])]
    quiet(page)


def test_a_dropped_file_of_searxng_and_the_slider(page: Screen) -> None:
    answer = {"query": "bees", "results": [{**r, "content": r["snippet"]} for r in RESULTS]}
    assert drop_file(page, "searxng.json", json.dumps(answer)) == "searxng.json: profile default."
    assert len(page.clusters()) == 3
    page.type_threshold(1.0)
    assert len(page.clusters()) == 4  # two spellings of one address
    page.type_threshold(0.0)
    assert len(page.clusters()) == 1
    quiet(page)


def test_html_files_and_a_saved_result_page(page: Screen, tmp_path: Path) -> None:
    for i, result in enumerate(RESULTS):
        html = f"<title>{result['title']}</title><p>{result['snippet'] * 4}</p>"
        (tmp_path / f"{i}.html").write_text(html, "utf-8")
    assert give_files(page, *sorted(tmp_path.iterdir())) == "5 files: profile default."
    assert page.clusters()[0] == (0, [0, 2])
    assert give_files(page, HITS) == "page.html: profile default."
    assert len(page.clusters()) >= 2
    quiet(page)


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("a.json", '{"nothing": 1}', "neither url nor html"),
        ("a.jsonl", "not json\n", "not JSON"),
        ("empty.jsonl", "", "no page in it"),
    ],
)
def test_what_cannot_be_read_is_said(page: Screen, name: str, text: str, says: str) -> None:
    assert says in drop_file(page, name, text)
    assert "wrong" in page.find("#status").get_attribute("class")
    assert page.all("li.result") == []


def test_hostile_texts_stay_texts(page: Screen) -> None:
    bad = '<img src=x onerror="document.title=1"><script>document.title=2</script>'
    results = [{"title": bad, "url": "javascript:alert(1)", "snippet": bad, "id": bad}] * 2
    drop_file(page, f"{bad[:20]}.jsonl", "\n".join(json.dumps(r) for r in results))
    page.find("#labelling summary").click()
    assert page.driver.title.startswith("reducepp")
    assert page.all("#report img, #labelling img, a[href^='javascript']") == []


def test_label_learn_and_download(
    page: Screen, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("kept")
    page.driver.execute_cdp_cmd(
        "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)}
    )
    page.find("#demo").click()
    assert loaded(page) == "the demo: profile default."
    page.find("#labelling > summary").click()
    assert not page.find("#learn").is_enabled()
    body = page.find("body")
    for _ in range(16):
        body.send_keys("d" if _score(page) >= find_profile("default").threshold else "n")
    assert page.find(".counts").text.startswith("8 duplicate, 8 different")
    body.send_keys("u")
    assert "8 duplicate, 7 different" in page.find(".counts").text
    asked = _asked(page)
    body.send_keys("s")
    assert _asked(page) != asked
    page.wait_for("#learn").click()
    wait_until(lambda: page.all("#save-profile"))
    assert status(page).startswith("Learned")
    assert "profile default-labelled" in page.find("#report .head").text
    before = [cell.text for cell in page.all("#learned table:first-of-type td:nth-child(2)")]
    coefficients = find_profile("default").model["coefficients"].values()
    assert {f"{number:+.2f}" for number in coefficients} >= set(before[:-1]) != set()
    page.find("#save-profile").click()
    page.find("#save-labels").click()
    profile = wait_until(lambda: next(folder.glob("*.toml"), None))
    read = tomllib.loads(wait_until(lambda: profile.read_text("utf-8")))
    assert sum(signal["weight"] for signal in read["signals"]) == pytest.approx(1)
    assert find_profile(str(profile)).name == "default-labelled"
    labels = wait_until(lambda: next(folder.glob("*.csv"), None))
    rows = list(csv.DictReader(io.StringIO(wait_until(lambda: labels.read_text("utf-8")))))
    assert [row["duplicate"] for row in rows].count("1") == 8
    assert len(rows) == 15
    quiet(page)


def test_a_judge_answers_three_questions(page: Screen) -> None:
    drop_file(page, "r.jsonl", "\n".join(json.dumps(r) for r in RESULTS))
    page.find("#labelling > summary").click()
    page.find("#judge > summary").click()
    page.find("#judge-name").send_keys("ann")
    for field, value in (("relevant", "both"), ("utility", "related"), ("navigation", "within")):
        page.find(f"#judge-form input[name='{field}'][value='{value}']").click()
    page.find("#judge-save").click()
    assert "1 duplicate, 0 different" in page.find(".counts").text
    names = "Object.keys(localStorage).filter(k => k.includes('labels'))"
    (label,) = json.loads(page.driver.execute_script(f"return localStorage[{names}[0]]"))
    assert label["answers"] == {
        "relevant": "both", "utility": "related", "navigation": "within", "kind": "navigational",
        "rater": "ann",
    }  # fmt: skip
    for answers in product(*QUESTIONS.values()):
        given = dict(zip(QUESTIONS, answers, strict=True))
        kind = page.driver.execute_script("return ReducePage.kindOfAnswers(arguments[0])", given)
        assert kind == kind_of_answers(**given)
    quiet(page)


def _asked(page: Screen) -> list[str]:
    """Addresses of the two pages that are asked about."""
    return [element.text for element in page.all("#labelling .one bdi")]


def _score(page: Screen) -> float:
    """Of the pair that is asked about; not shown before the decision."""
    assert "score" not in page.find("#labelling .pages-two").text
    return float(page.find("#labelling .pages-two").get_attribute("data-score") or "")


def test_the_keys_label_the_pair_one_is_looking_at(page: Screen) -> None:
    drop_file(page, "r.jsonl", "\n".join(json.dumps(r) for r in RESULTS))
    page.find("#labelling > summary").click()
    page.find("#report details.cluster > summary").click()
    page.wait_for("#report .similar > li[data-page='4'] details.why > summary").click()
    page.find("#report .similar > li[data-page='4'] details.why > summary").send_keys("n")
    assert status(page) == "Labelled as different: the open pair."
    assert "0 duplicate, 1 different" in page.find(".counts").text
    quiet(page)


def test_typing_in_a_field_labels_nothing(page: Screen) -> None:
    drop_file(page, "r.jsonl", "\n".join(json.dumps(r) for r in RESULTS))
    page.find("#labelling > summary").click()
    page.find("#input > summary").click()
    page.find("#paste").send_keys("dnd")
    page.find(".threshold-number").send_keys("d", Keys.TAB)
    assert "0 duplicate, 0 different" in page.find(".counts").text


def test_the_page_requests_the_token(screen: Screen) -> None:
    with running("--jobs", "1", token="s3cret") as service:
        screen.driver.get(f"{service.url}/")
        assert "token is needed" in drop_file(screen, "r.jsonl", json.dumps(RESULTS[0]))
        screen.find("#token").send_keys("s3cret")
        assert drop_file(screen, "r.jsonl", json.dumps(RESULTS[0])) == "r.jsonl: profile default."


def test_headers_of_the_page(service: Running) -> None:
    policy = service.get("").headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert service.get("favicon.ico").status_code == 204
    for asset in ("page.js", "page.css", "report.js", "report.css"):
        assert service.get(f"assets/{asset}").status_code == 200
        assert "http://" not in service.get(f"assets/{asset}").text.replace("http://www.w3.org", "")


def test_results_are_on_top_after_loading(page: Screen) -> None:
    page.find("#paste").send_keys("\n".join(json.dumps(r) for r in RESULTS))
    page.find("#show").click()
    loaded(page)
    try:
        for width, height, most in ((1280, 900, 300), (390, 844, 420)):
            page.resize(width, height)
            top = page.run("return document.querySelector('.answer').getBoundingClientRect().top")
            assert top + page.run("return scrollY") < most
    finally:
        page.resize(1280, 900)


def test_pasted_addresses_are_explained(page: Screen) -> None:
    page.find("#paste").send_keys("https://a.example/1\nhttps://b.example/2")
    page.find("#show").click()
    assert "addresses only" in loaded(page)


def test_labels_are_kept_and_resumed(page: Screen, service: Running) -> None:
    lines = "\n".join(json.dumps(r) for r in RESULTS)
    drop_file(page, "r.jsonl", lines)
    page.find("#labelling > summary").click()
    page.find("#label-yes").click()
    assert "The profile agrees: score" in page.find("#labelling .last").text
    page.find("#label-no").click()
    page.driver.get(f"{service.url}/")
    assert "2 labels of an earlier visit resumed" in drop_file(page, "r.jsonl", lines)
    page.find("#labelling > summary").click()
    assert page.find(".counts").text.startswith("1 duplicate, 1 different (kept in this browser)")


def test_shared_text_is_marked_for_the_labeller(page: Screen) -> None:
    drop_file(page, "r.jsonl", "\n".join(json.dumps(r) for r in RESULTS))
    page.find("#labelling > summary").click()
    for _ in range(10):
        if page.all("#labelling .one mark"):
            break
        page.find("#label-skip").click()
    assert len(page.all("#labelling .one mark")) >= 2


@pytest.mark.parametrize(
    ("language", "says", "profile"), [("fr", "Entrée", "profil"), ("ar", "المدخلات", "الملف")]
)
def test_the_page_in_another_language(page: Screen, language: str, says: str, profile: str) -> None:
    drop_file(page, "r.jsonl", "\n".join(json.dumps(r) for r in RESULTS))
    page.find(f"select.language option[value={language}]").click()
    assert page.find("#input h2").text == says
    colon = translate(": ", language).replace("\u00a0", " ")  # as a browser says what it shows
    assert status(page) == f"r.jsonl{colon}{profile} default."
    assert page.find("html").get_attribute("lang") == language
    assert page.run("return getComputedStyle(document.getElementById('paste')).direction") == "ltr"
    page.find("#labelling > summary").click()
    page.find("#label-yes").click()
    assert len(page.clusters()) == 3
    quiet(page)


def test_under_a_path_prefix(screen: Screen, service: Running) -> None:
    """A proxy that strips /tools/: every address of the page is relative."""
    from tests.reducepp.service.prefix_proxy import MAX_BODY, prefix_proxy

    with prefix_proxy("/tools", service.port) as url:
        screen.driver.get(f"{url}/tools/")
        text = drop_file(screen, "r.jsonl", "\n".join(json.dumps(r) for r in RESULTS))
        assert text == "r.jsonl: profile default."
        assert len(screen.clusters()) == 3
        drop_file(screen, "x" * MAX_BODY, "[]")
        wait_until(lambda: status(screen).endswith("answered: 413 Request Entity Too Large"))


def test_seconds_are_counted_while_the_service_works(page: Screen) -> None:
    page.run(
        "window.asked = window.fetch; window.fetch = () => new Promise(end => window.end = end);"
        "ReducePage.call('view', {}).catch(() => undefined)"
    )
    assert wait_until(lambda: page.find("#elapsed").text.endswith(" s"))
    page.run("window.end(new Response('{}')); window.fetch = window.asked")
    assert wait_until(lambda: page.find("#elapsed").text == "")
