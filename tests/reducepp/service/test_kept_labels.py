"""Labels on disk: kept per set, read back, written nowhere else."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from pydantic import ValidationError

from reducepp.errors import InputError
from reducepp.labelled.reading import read_labels
from reducepp.service.app import make_app
from reducepp.service.handlers import Work
from reducepp.service.kept_labels import LabelsRequest, keep_labels, make_label_folder
from reducepp.service.limits import ServiceSettings
from reducepp.service.page import page_html

ROWS = [
    {"query": "q, x", "a": "https://a.example", "b": "https://b.example", "duplicate": True},
    {"query": "q, x", "a": "https://a.example", "b": "c\nd", "duplicate": False},
]


def test_labels_are_kept_and_read_back(tmp_path: Path) -> None:
    app = make_app(ServiceSettings(labels=tmp_path / "labels", hosts=("testserver",)))
    with TestClient(app) as client:
        assert client.post("/labels", json={"set": "1-abc"}).json() == {"labels": []}
        kept = client.post("/labels", json={"set": "1-abc", "labels": ROWS}).json()
        assert kept == {"labels": ROWS} == client.post("/labels", json={"set": "1-abc"}).json()
        with (tmp_path / "labels" / "labels-1-abc.csv").open(newline="") as file:
            assert [row["duplicate"] for row in csv.DictReader(file)] == ["1", "0"]
        assert client.post("/labels", json={"set": "1-abc", "labels": []}).json() == {"labels": []}


def keep(folder: Path, **fields: object) -> tuple[int, dict[str, Any]]:
    """What a worker answers to labels of one set, or to the question for them."""
    body = {"set": "1-abc"} | ({"labels": [{**ROWS[0], **fields}]} if fields else {})
    status, answer = Work(ServiceSettings(labels=folder))("labels", json.dumps(body).encode())
    return status, json.loads(answer)


def test_names_that_no_file_can_hold(tmp_path: Path) -> None:
    """A lone surrogate was an error inside, and a long id made its set unreadable for good."""
    for name in ("x\ud800", "x" * 200_000):
        status, answer = keep(tmp_path, a=name)
        assert (status, answer["error"][:12]) == (422, "labels.0.a: ")
    assert keep(tmp_path, a="x" * 60_000) == keep(tmp_path)
    assert keep(tmp_path)[0] == 200


@pytest.mark.parametrize("content", [b"junk\n1\n", b"\xff\xfe", b"query,a,b,duplicate\nq\n"])
def test_a_damaged_file_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "labels-1-abc.csv").write_bytes(content)
    status, answer = keep(tmp_path)
    assert status == 422
    assert answer["error"].startswith("labels-1-abc.csv: damaged labels")
    assert keep(tmp_path, a="y")[0] == 200


def test_a_judges_answers_are_kept_as_columns_that_labels_files_have(tmp_path: Path) -> None:
    answers = {"relevant": "both", "utility": "related", "navigation": "within"}
    answers |= {"kind": "navigational", "rater": "ann"}
    rows = [{**ROWS[0], "answers": answers}, ROWS[1]]
    request = LabelsRequest.model_validate({"set": "1-abc", "labels": rows})
    assert keep_labels(request, ServiceSettings(labels=tmp_path)) == {"labels": rows}
    found = read_labels(tmp_path / "labels-1-abc.csv")
    assert [(one.kind, one.rater, one.duplicate) for one in found] == [
        ("navigational", "ann", True),
        ("", "", False),
    ]


@pytest.mark.parametrize("name", ["../x", "1-abc/../..", "", "labels", "1-" + "a" * 40, "1-a\n"])
def test_a_set_is_never_a_path(name: str) -> None:
    with pytest.raises(ValidationError):
        LabelsRequest(set=name)


def test_without_a_folder_there_is_no_route() -> None:
    client = TestClient(make_app(ServiceSettings(hosts=("testserver",))))
    assert client.post("/labels", json={"set": "1-abc"}).status_code == 404
    assert 'data-labels="browser"' in page_html()
    assert 'data-labels="service"' in page_html(keeps_labels=True)


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", "utf-8")
    with pytest.raises(InputError, match="cannot be made"):
        make_label_folder(tmp_path / "file" / "labels")
