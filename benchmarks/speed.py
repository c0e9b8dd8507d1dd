"""A hundred pages, from HTML and from split pages to all clusters, beside others' work.

    python -m benchmarks speed

trafilatura's fast mode only extracts the text, on one core; here the same pages are split,
compared and clustered at all thresholds, on one core and on all. scikit-learn's tf-idf and cosine
of the bodies stand beside comparing and clustering split pages.
"""

from collections.abc import Callable

from benchmarks.data import as_documents, labelled_pages, split
from benchmarks.processes import timed
from reducepp.api import find_profile
from reducepp.comparison import compare_pages

ROUNDS = 3


def best_of(work: Callable[[], object]) -> float:
    """Seconds of the quickest of a few rounds."""
    return min(timed(work)[1] for _ in range(ROUNDS))


def main() -> None:
    """Print times and ratios of one run."""
    import trafilatura
    from sklearn.feature_extraction.text import TfidfVectorizer

    profile, sources, documents = find_profile("default"), labelled_pages(), as_documents()
    pages = split(documents)
    compare_pages(pages[:5], profile)

    def tfidf() -> object:
        vectors = TfidfVectorizer().fit_transform([page.body for page in pages])
        return (vectors @ vectors.T).toarray()

    extract = best_of(lambda: [trafilatura.extract(html, fast=True) for _, html in sources])
    one = best_of(lambda: compare_pages(split(documents), profile))
    every = best_of(lambda: compare_pages(split(documents, jobs=0), profile))
    cosine = best_of(tfidf)
    compared = best_of(lambda: compare_pages(pages, profile))
    rows = [
        ("trafilatura fast, text only, one core", extract, extract),
        ("HTML to all clusters, one core", one, extract),
        ("HTML to all clusters, all cores", every, extract),
        ("scikit-learn tf-idf and cosine of the bodies", cosine, cosine),
        ("split pages to all clusters", compared, cosine),
    ]
    for what, seconds, beside in rows:
        print(f"{what:<46} {seconds:7.3f} s  {seconds / beside:5.2f} times")
