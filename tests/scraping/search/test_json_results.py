"""Services that a TOML file describes."""

from dataclasses import replace
from pathlib import Path

import pytest

from reducepp.errors import InputError
from reducepp.scraping.search import engine_from_file

MAPPED = """
name = "intranet"
url = "https://search.example/api?q={query}&from={offset}&size={count}&lang={language}"
results_per_page = 20
key_variable = "INTRANET_KEY"
headers = { Authorization = "Bearer {key}" }
[paths]
results = "data.items"
url = "link"
title = "name"
snippet = "about.text"
error = "error.message"
"""


def test_a_service_described_in_toml(tmp_path: Path) -> None:
    path = tmp_path / "intranet.toml"
    path.write_text(MAPPED, "utf-8")
    engine = replace(engine_from_file(path), key="k")
    url = engine.request_url("tide & table", page=2, language="fr")
    assert url == "https://search.example/api?q=tide%20%26%20table&from=20&size=20&lang=fr"
    assert engine.request_headers() == {"Authorization": "Bearer k"}
    answer = (
        '{"data": {"items": [{"link": "https://a.example/", "name": "A <b>b</b>", '
        '"about": {"text": "c"}}, {"link": "mailto:x"}]}}'
    )
    page = engine.parse(answer, page=2)
    assert [(h.rank, h.url, h.title, h.snippet) for h in page.hits] == [
        (21, "https://a.example/", "A b", "c")
    ]
    assert engine.parse('{"data": {"items": []}}').outcome == "empty"
    refused = engine.parse('{"error": {"message": "no credit"}}')
    assert (refused.outcome, refused.reason) == ("blocked", "block (no credit)")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name = 'x'", "needs name, url"),
        ("name='x'\nurl='https://a.example?q={query}'\n[paths]\nurl='u'", "needs results"),
        ("name='x'\nurl='https://a.example'\n[paths]\nresults='r'", "no {query}"),
        ("name='x'\nurl='{query}'\ncolour=1\n[paths]\nresults='r'", "unknown"),
        ("name = ", "not a readable TOML"),
    ],
)
def test_a_wrong_description_says_what_is_wrong(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "x.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError, match=message):
        engine_from_file(path)
