"""What is lost with each dropped page: its sentences that its representative does not hold."""

from dataclasses import replace

from reducepp.evaluation.information_kept import cover, whole_text
from reducepp.similarity.contents import PageSet
from reducepp.similarity.documents import site_of
from reducepp.types import LostSentences, Reduction

MAX_SENTENCES = 5
"""Of one page; more are counted."""
MAX_CHARS = 300
"""Of one sentence."""


def with_lost(reduction: Reduction) -> Reduction:
    """The reduction with the lost sentences of each dropped page, longest first.

    Takes some 10 ms per dropped page. Of pages of two sites the lines of their templates, which are
    those of the whole set, do not count; of one site all lines do: what only one page has is lost.
    """
    if not reduction.dropped:
        return reduction
    pages = {page.id: page for page in reduction.pages}
    texts = dict(zip(pages, PageSet(reduction.pages).values("text"), strict=True))

    def find(dropped: str, kept: str) -> LostSentences:
        both = pages[dropped], pages[kept]
        pair, on_site = PageSet(both), site_of(both[0]) == site_of(both[1])
        said = tuple(map(whole_text, both)) if on_site else (texts[dropped], texts[kept])
        pair.once(("derived", "text"), lambda: said)
        coverage = cover(pair)
        lost = coverage.lost(0, shown=[1])
        clipped = (" ".join(one.text.split())[:MAX_CHARS] for one in lost[:MAX_SENTENCES])
        total = int((coverage.owner == 0).sum())
        return LostSentences(texts=tuple(clipped), count=len(lost), total=total)

    dropped = (replace(d, lost=find(d.id, d.kept)) for d in reduction.dropped)
    return replace(reduction, dropped=tuple(dropped))
