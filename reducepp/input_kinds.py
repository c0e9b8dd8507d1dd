"""What a list of pages is (whole pages, search results, bare texts, posts), and what that means.

The kind decides the profile where the caller names none, so that the same list gets the same
profile through every door.
"""

import math
from collections.abc import Sequence

from reducepp.similarity.contents import is_structured
from reducepp.text.tokenise import words
from reducepp.types import Page

AUTO = "auto"
DEFAULT = "default"

PROFILE_OF_KIND = {"pages": DEFAULT, "results": DEFAULT, "texts": DEFAULT, "posts": "posts"}
"""Kind of input to the profile it is compared by, unless the caller names one."""
INPUT_KINDS = (AUTO, *PROFILE_OF_KIND)

MAX_POST_CHARS = 500
"""Longest text of a post: Mastodon's limit, the longest of the common services'."""
MAX_POST_WORDS = 60
"""Median length of bare texts up to which they are compared as posts, by words and letters: longer
ones have runs of words enough."""
MAX_POST_LINES = 4
"""Median number of lines up to which short texts are posts: records and notes have more."""


def detect_kind(pages: Sequence[Page]) -> str:
    """The kind of a list of pages; pages without any content do not count.

    `posts` have no title and short texts, and either no address or an author's followers or a
    client. `texts` have neither title nor address. `results` have nothing but title, address and
    snippet. Everything else, and an empty list, is `pages`.
    """
    filled = [page for page in pages if page.body or page.page_title or is_structured(page)]
    if not filled:
        return "pages"
    if not any(page.page_title or page.site_title for page in filled):
        details = [page.post for page in filled]
        counted = any(not math.isnan(n) for d in details for n in (d.followers, d.followees))
        is_posted = counted or any(d.client for d in details)
        if is_posted and all(len(page.body) <= MAX_POST_CHARS for page in filled):
            return "posts"
        if not any(page.url for page in filled):
            return "posts" if _are_short([page.body for page in filled]) else "texts"
    is_results = all(page.body in ("", page.snippet) for page in filled)
    return "results" if is_results and not any(map(is_structured, filled)) else "pages"


def _are_short(texts: Sequence[str]) -> bool:
    """Whether most texts have as few words and lines as posts."""
    from statistics import median

    lines = (sum(map(bool, map(str.strip, text.splitlines()))) for text in texts)
    return (
        median(len(words(text, digits=True)) for text in texts) <= MAX_POST_WORDS
        and median(lines) <= MAX_POST_LINES
    )
