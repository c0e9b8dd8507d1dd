"""`weights learn` and `weights compare` on the pages that the package carries."""

import csv
import json
from pathlib import Path

import pytest

from reducepp.cli import main
from reducepp.demo import label_rows, read_pages_html
from reducepp.weights.profile import load_profile, profile_names
from tests.programs import Cli


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """The demo's pages, split once, and its labels."""
    from reducepp.scraping.extract.split import split_html

    folder = tmp_path_factory.mktemp("demo")
    pages, labels = folder / "pages.jsonl", folder / "labels.csv"
    with pages.open("w", encoding="utf-8") as out, labels.open("w", encoding="utf-8") as csv_out:
        writer = csv.writer(csv_out)
        writer.writerow(["query", "a", "b", "duplicate"])
        for query in read_pages_html():
            good = []
            for page in query.pages:
                try:
                    split = split_html(page.html, url=page.url)
                except Exception:  # broken on purpose
                    continue
                good.append(page.url)
                row = {"url": page.url, "query": query.query, "rank": page.rank}
                row |= {"page_title": split.page_title, "body": split.body}
                out.write(json.dumps(row) + "\n")
            writer.writerows(r for r in label_rows(query) if r[1] in good and r[2] in good)
    return str(pages), str(labels)


@pytest.mark.parametrize("model", ["linear", "rules", "separation"])
def test_learn_writes_a_profile_that_reduce_takes(
    demo: tuple[str, str], model: str, tmp_path: Path, cli: Cli
) -> None:
    pages, labels = demo
    out = tmp_path / "mine.toml"
    words = ["weights", "learn", pages, "--labels", labels, "--model", model, "--out", str(out)]
    told = cli(*words)
    assert told.out == ""
    assert load_profile(str(out)).name == "mine"
    if model == "separation":
        assert "average precision" in told.err
    else:
        assert "folds by query" in told.err
        assert "no page is in both halves" in told.err
    out = cli("reduce", pages, "--profile", out, "--format", "json").out
    reductions = json.loads(out)["reductions"]
    assert sum(r["before"] - r["after"] for r in reductions) > 0


def test_learn_without_labels_or_with_labels_of_one_kind_says_so(
    demo: tuple[str, str], tmp_path: Path, cli: Cli
) -> None:
    pages, labels = demo
    assert "--labels FILE is needed" in cli("weights", "learn", pages, status=2).err
    none = tmp_path / "none.csv"
    none.write_text("query,a,b,duplicate\n", "utf-8")
    for command in ("learn", "compare"):
        wrong = cli("weights", command, pages, "--labels", none, status=1).err
        assert "there is no labelled pair" in wrong
    one = tmp_path / "one.csv"
    rows = Path(labels).read_text("utf-8").splitlines()
    one.write_text("\n".join([rows[0], *(r for r in rows if r.endswith(",1"))]) + "\n", "utf-8")
    err = cli("weights", "learn", pages, "--labels", one, status=1).err
    assert "and 0 different pairs: at least 5 of each" in err


def test_compare_prints_profiles_and_the_ladder_and_draws_them(
    demo: tuple[str, str], tmp_path: Path, cli: Cli
) -> None:
    pages, labels = demo
    picture = tmp_path / "c.png"
    words = ["weights", "compare", pages, "--labels", labels, "--profiles", "default", "paper"]
    words += ["--ladder", "default", "--plot", str(picture), "--format", "json"]
    told = json.loads(cli(*words).out)
    assert [row["profile"] for row in told["profiles"]] == ["default", "paper"]
    for row in told["profiles"]:
        assert row["f"]["low"] <= row["f"]["value"] <= row["f"]["high"]
        assert row["seconds"] > 0
    seconds = [rung["seconds"] for rung in told["ladder"]]
    assert seconds == sorted(seconds)
    assert sum(rung["gain"] for rung in told["ladder"]) == pytest.approx(
        told["ladder"][-1]["f"]["value"]
    )
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_compare_as_a_table(demo: tuple[str, str], cli: Cli) -> None:
    pages, labels = demo
    words = ["weights", "compare", pages, "--labels", labels, "--profiles", "paper"]
    out = cli(*words, "--ladder", "none").out
    assert "paper" in out
    assert "█" in out
    assert "ladder" not in out
    assert main([*words, "--plot", "x.txt"]) == 2
    assert main(["weights", "compare", pages]) == 2


def test_judged_pairs_bring_their_labels_and_json_goes_round(tmp_path: Path, cli: Cli) -> None:
    """Ten copies and ten strangers, a line each."""
    texts = [f"{('river', 'lake', 'storm', 'cloud', 'field')[i % 5]} {i}" for i in range(10)]
    source, out = tmp_path / "pairs.jsonl", tmp_path / "mine.json"
    rows = [{"a": {"body": t}, "b": {"body": f"{t} again"}, "duplicate": 1} for t in texts]
    rows += [
        {"a": {"body": f"{t} x"}, "b": {"body": f"tax law {i}"}, "duplicate": 0}
        for i, t in enumerate(texts)
    ]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    err = cli("weights", "learn", source, "--model", "logistic", "--out", out).err
    assert "10 folds by query, 20 of 20 pairs tested" in err
    assert json.loads(out.read_text("utf-8"))["model"]["kind"] == "logistic"
    assert "log odds" in cli("weights", "show", out).out


@pytest.mark.parametrize("name", profile_names())
def test_every_profile_can_be_shown(name: str, cli: Cli) -> None:
    for form in ("table", "toml", "json"):
        assert name in cli("weights", "show", name, "--format", form).out


def test_a_profile_with_a_model_has_no_weights_to_show(cli: Cli) -> None:
    assert "%" not in cli("weights", "show", "default").out.partition("model")[0]
    assert "40.0% █" in cli("weights", "show", "paper").out
