"""Users' words in pictures: scripts from either side, letters without a glyph, hostile signs."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from reducepp.evaluation import plots as lettering
from reducepp.evaluation.advice import Swept
from reducepp.evaluation.paper_figures import draw_agreements
from reducepp.evaluation.plots import drawable_texts, label_text, new_figure, save
from reducepp.evaluation.sweep import SweepRow

ARABIC, HEBREW, JAPANESE = "أخبار لبنان 2022", "שלום עולם", "東京の天気"


def png_text(words: str) -> str:
    """What a PNG's title says."""
    figure, (axes,) = new_figure(1)
    title = axes.set_title(f"Sweep\n{label_text(words)}")
    with drawable_texts(figure, "png"):
        text = title.get_text()
    assert title.get_text() == f"Sweep\n{label_text(words)}", "as before"
    return text.removeprefix("Sweep\n").strip("\u2068\u2069")


def test_latin_words_stay_as_they_are() -> None:
    assert label_text("  two\nlines ") == "two lines"
    assert label_text("costs $5 or $6") == "costs \\$5 or \\$6"
    assert label_text("a" * 60, width=10).strip("\u2068\u2069") == "a" * 9 + "…"
    assert png_text("où voter ?") == "où voter ?"


@pytest.mark.parametrize("words", [ARABIC, HEBREW])
def test_words_from_the_right_are_drawn_where_matplotlib_can_join(
    words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lettering, "_has_shaping", lambda: True)
    assert png_text(words) == words
    monkeypatch.setattr(lettering, "_has_shaping", lambda: False)
    script = "Arabic" if words == ARABIC else "Hebrew"
    assert png_text(words) == f"(in {script} letters: see the SVG)"


def test_letters_without_a_glyph_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lettering, "_installed", lambda: frozenset({"DejaVu Sans"}))
    assert png_text(JAPANESE) == "(in CJK letters: see the SVG)"
    assert png_text("สวัสดี") == "(in Thai letters: see the SVG)"


def test_a_font_that_is_there_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any installed one stands in for a font of that script: what counts is that it is asked."""
    monkeypatch.setattr(lettering, "_installed", lambda: frozenset({"Noto Sans Thai"}))
    asked = []

    def letters(fonts: tuple[str, ...]) -> frozenset[int]:
        asked.append(fonts)
        thai = range(0x0E00, 0x0E80) if "Noto Sans Thai" in fonts else ()
        return frozenset([*range(128), *thai])

    monkeypatch.setattr(lettering, "_letters", letters)
    monkeypatch.setattr(lettering, "_has_shaping", lambda: True)
    figure, (axes,) = new_figure(1)
    title = axes.set_title(label_text("สวัสดี"))
    with drawable_texts(figure, "png"):
        assert title.get_text() == "สวัสดี"
        assert title.get_fontfamily() == ["sans-serif", "Noto Sans Thai"]
    assert ("DejaVu Sans", "Noto Sans Thai") in asked


@pytest.mark.parametrize("words", [ARABIC, HEBREW, JAPANESE, "सस्ते घर", "می\u200cخواهم"])
def test_an_svg_carries_the_words_and_no_file_warns(words: str, tmp_path: Path) -> None:
    figure, (axes,) = new_figure(1)
    axes.set_title(f"Sweep\n{label_text(words)}")
    png, svg = save(figure, tmp_path / "picture")
    assert png.read_bytes()[:4] == b"\x89PNG"
    texts = [e.text for e in ElementTree.parse(svg).iter("{http://www.w3.org/2000/svg}text")]
    assert f"\u2068{words}\u2069" in texts


def test_hostile_signs_are_left_out(tmp_path: Path) -> None:
    words = "a\u202egnp.exe\u0000 \ud800<svg onload=1>\u2069 \U000f0000$x^$ b"
    assert label_text(words) == "agnp.exe <svg onload=1> \\$x^\\$ b"
    figure, (axes,) = new_figure(1)
    axes.set_title(label_text(words))
    _, svg = save(figure, tmp_path / "picture")
    texts = [e.text for e in ElementTree.parse(svg).iter("{http://www.w3.org/2000/svg}text")]
    assert "agnp.exe <svg onload=1> $x^$ b" in texts


@pytest.mark.parametrize(
    ("against", "says"), [("single", "single linkage"), ("hdbscan", "hdbscan clustering")]
)
def test_the_other_clustering_is_named(against: str, says: str) -> None:
    row = SweepRow(query="q", pages=2, clusters=1, reduction=0.5, largest=2, against=against)
    swept = Swept(profile="paper", threshold=0.67, comparisons=(), rows=(row,), table_rows=())
    assert draw_agreements([swept]).axes[0].get_title(loc="left") == f"Agreement with {says}"
