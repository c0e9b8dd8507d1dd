"""A reduction in a notebook: escaped HTML with fold-outs, and a pandas table."""

import math

from lxml import html

from reducepp import Page, Reduction, reduce
from reducepp.types import Failure

TEXT = "The old bridge was closed on Monday because the river had risen by two metres."


def reduction() -> Reduction:
    pages = [
        Page(id="a", rank=1, query="<b>bridge</b>", page_title="<script>x()</script>", body=TEXT),
        Page(id="b", rank=2, page_title="Bridge", url="javascript:alert(1)", body=TEXT + " Today."),
        Page(id="c", rank=3, page_title="جسر", body="تعيش الحيتان في البحر البارد."),
    ]
    return reduce(pages, threshold=0.6)


def test_html_folds_and_escapes() -> None:
    drawn = html.fromstring(reduction()._repr_html_())
    assert not drawn.xpath("//script | //b/b | //a")
    assert drawn.xpath("string(//details/summary)") == "1 similar"
    assert "javascript:alert(1)" in drawn.xpath("string(//details)")
    assert "<script>x()</script>" in drawn.text_content()
    assert drawn.xpath("//ol/li/@value") == ["1", "3"]


def test_html_names_failures_and_bounds_rows() -> None:
    many = [Page(id=str(i), body=f"{chr(0x4E00 + i)} {chr(0x5E00 + i)}") for i in range(250)]
    assert "and 50 more" in reduce(many, threshold=0.9)._repr_html_()
    failed = Reduction(
        query="",
        profile="x",
        threshold=0.5,
        clusters=(),
        dropped=(),
        before=0,
        after=0,
        failures=(Failure(url="u", stage="read", reason="<i>no</i>"),),
    )
    assert "&lt;i&gt;no&lt;/i&gt;" in failed._repr_html_()


def test_pandas_has_a_row_a_page() -> None:
    frame = reduction().to_pandas()
    assert frame["id"].tolist() == ["a", "b", "c"]
    assert frame["shown"].tolist() == [True, False, True]
    assert frame["kept"].tolist() == ["a", "a", "c"]
    assert math.isnan(frame["score"][0])
    assert frame["score"][1] > 0.6
    assert reduce([]).to_pandas().empty
