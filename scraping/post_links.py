"""Links of posts as hits to collect, and the posts with what their links lead to.

Tao et al. (2013) compare expanded addresses and the text of linked pages. The addresses in a post
become hits of the store, so that the collector's guard, robots.txt and limits hold for them.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from reducepp.scraping.store.store import Store
from reducepp.text.post_parts import read_post
from reducepp.types import Page, SearchHit

ENGINE = "post links"
"""Where these hits come from, in place of a search engine's name."""
NO_QUERY = "posts"
"""Query of posts that have none: a stored hit needs one."""


def links_of(post: Page) -> tuple[str, ...]:
    """Addresses in a post's text and among its links, each once, in order."""
    found = (*post.links, *read_post(post.body, "").addresses)
    return tuple(dict.fromkeys(a for a in found if a.startswith(("http://", "https://"))))


def link_hits(posts: Iterable[Page]) -> Iterator[SearchHit]:
    """One hit for every distinct address of a query's posts, ranked as they come."""
    known: dict[str, set[str]] = {}
    for post in posts:
        query = post.query or NO_QUERY
        seen = known.setdefault(query, set())
        for url in links_of(post):
            if url not in seen:
                seen.add(url)
                yield SearchHit(query=query, engine=ENGINE, rank=len(seen), url=url)


def expand_post(post: Page, store: Store) -> Page:
    """The post with the final addresses and main texts of the linked pages that are stored."""
    hits = [SearchHit(query=post.query or NO_QUERY, url=url) for url in links_of(post)]
    raws = [store.raw(hit) for hit in hits]
    pages = [store.page(hit) for hit in hits]
    finals = tuple(dict.fromkeys(raw.final_url for raw in raws if raw is not None))
    body = "\n".join(page.body for page in pages if page is not None and page.body)
    known = post.post
    details = replace(
        known, expanded_links=finals or known.expanded_links, linked_body=body or known.linked_body
    )
    return replace(post, post=details)
