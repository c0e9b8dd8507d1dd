"""Python values: what is taken as pages, and what is refused with its place."""

from pathlib import Path
from typing import Any

import pytest

from reducepp import Page, ReduceClusterer, postprocess, reduce
from reducepp.errors import InputError, UsageError
from reducepp.filtering import filter_rows
from reducepp.inputs import read

TEXT = "The council voted on Monday to repair the old lighthouse, dark for nine years."


def test_texts_pages_and_dicts_in_one_list() -> None:
    reduction = reduce([TEXT, Page(id="p", body=TEXT), {"body": TEXT}, "Bring water and a map."])
    assert (reduction.before, reduction.after) == (4, 2)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("results.jsonl", r"not one str: read a file with reducepp.read\(path\)"),
        ({"pages": []}, "not one dict"),
        (Page(id="a"), "not one Page"),
        (7, "not int"),
        ([{"body": "a"}, 7], "element 1: a page, a dict or a text is needed, not int"),
        ([None], "element 0: .* not NoneType"),
    ],
)
def test_other_types_are_refused(given: Any, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        reduce(given)
    with pytest.raises(UsageError, match=says):
        ReduceClusterer().fit(given)


@pytest.mark.parametrize("given", ["results.jsonl", {"results": []}, Page(id="a"), 7])
def test_one_value_is_no_list_of_results(given: Any) -> None:
    with pytest.raises(UsageError, match="a list of pages is needed, not"):
        postprocess(given)


@pytest.mark.parametrize("number", [1.5, 2.0, float("nan"), "3"])
def test_a_number_of_results_is_whole(number: Any) -> None:
    with pytest.raises(UsageError, match="a whole number is needed"):
        reduce([TEXT], target_n=number)


def test_tables_of_pandas() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"text": [TEXT, "Bring water and a map.", TEXT]}, index=[7, 7, 9])
    assert reduce(frame).after == 2
    assert reduce(frame["text"]).after == 2
    assert list(ReduceClusterer().fit_predict(frame)) == [0, 1, 0]
    added = [*frame.columns, "cluster", "kept", "score", "level", "why"]
    for some in (frame, frame[:0]):
        assert list(filter_rows(some, annotate=True).columns) == added
    with pytest.raises(UsageError, match=r"not a DataFrame: use reducepp\.filter"):
        postprocess(frame)
    with pytest.raises(InputError, match="no column with text is known among Abstract"):
        reduce(pandas.DataFrame({"Abstract": [TEXT], "url": ["https://a.example"]}))


def test_reading_a_file(tmp_path: Path) -> None:
    path = tmp_path / "pages.jsonl"
    path.write_text('{"body": "one"}\nno json\n', "utf-8")
    with pytest.warns(UserWarning, match="1 record.* left out; .*line 2: not JSON"):
        (page,) = read(path)
    assert page.body == "one"
    with pytest.raises(InputError, match="no such file"):
        read(tmp_path / "none.jsonl")


def test_paths_and_names_of_columns(tmp_path: Path) -> None:
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text(f'Abstract,url\n"{TEXT}",https://{name}/\n', "utf-8")
    paths = [tmp_path / "a.csv", tmp_path / "b.csv"]
    fields = {"text": "Abstract"}
    assert reduce(paths, fields=fields).before == 2
    assert read(paths[0], fields=fields)[0].body == TEXT
    (tmp_path / "b.csv").write_text("text\nwords\n", "utf-8")
    with pytest.raises(InputError, match=r"b\.csv: no column 'Abstract'"):
        reduce(paths, fields=fields)


def test_rows_that_cannot_be_read_are_counted() -> None:
    assert "1 dropped, 1 failed" in repr(reduce([{"body": TEXT}, {"body": TEXT}, {"n": 1}]))


def test_a_record_that_is_no_page_is_named_by_its_address_or_place() -> None:
    wrong = [{"title": "Bees"}, {"url": "https://a.example/", "title": ["Bees"]}, {"content": None}]
    found = reduce(wrong)
    assert [failure.url for failure in found.failures] == ["https://a.example/", "record 3"]
