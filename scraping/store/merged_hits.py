"""Hits of several engines for one query become one list: the same address counts once."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from urllib.parse import SplitResult, unquote, urlsplit

from reducepp.text.urls import canonical_url
from reducepp.types import SearchHit


def hit_key(url: str) -> str:
    """The form under which two hits count as one; for comparing, never for fetching.

    Scheme, login, `www.`, default port, fragment (but for one that a script reads as a path),
    tracking parameters, the order of the others, how characters are escaped and a trailing slash
    do not count; an address that cannot be read is its own form. Stricter than
    `reducepp.text.urls.address_key`, by which pages are compared once they are there: a hit that is
    merged is never fetched, so `/index.html` and `/`, `/home` and `/` stay two. Were they one
    page after all, comparing them shows it; were they two, one would be lost unseen.
    """
    plain = canonical_url(url)
    if not plain:
        return url.strip()
    parts = urlsplit(plain)
    path = _unescaped(parts.path.rstrip("/"), keep="/")
    words = sorted(_unescaped(word.replace("+", " "), keep="=") for word in parts.query.split("&"))
    fragment = url.strip().partition("#")[2]
    route = fragment if fragment[:1] in ("/", "!") else ""
    return "\n".join((_host_key(parts), path, route, *words))


def _host_key(parts: SplitResult) -> str:
    """Host and port without `www.` and a last dot, in the ASCII form of name servers."""
    name = (parts.hostname or "").rstrip(".").removeprefix("www.")
    with suppress(UnicodeError):
        name = name if name.isascii() else name.encode("idna").decode()
    return f"{name}:{parts.port}" if parts.port else name


def _unescaped(text: str, *, keep: str) -> str:
    """Escapes undone, except that of the separator `keep`."""
    escape = f"%{ord(keep):02X}"
    kept = text.replace(escape, f"%25{escape[1:]}").replace(escape.lower(), f"%25{escape[1:]}")
    return unquote(kept, errors="surrogateescape")


def merge_hits(lists: Iterable[Sequence[SearchHit]]) -> tuple[SearchHit, ...]:
    """One hit per address, at its best rank, with every engine that returned it.

    Ties go to the list that comes first. Several lists are ranked anew from 1, one keeps its
    ranks; `engine` is the one that ranked the address best, `sources` names all, that one first,
    then in list order. A missing title or snippet is that of the next best rank.
    """
    lists = [hits for hits in lists if hits]
    keyed = [(hit_key(hit.url), hit) for hits in lists for hit in hits]
    sources: defaultdict[str, list[str]] = defaultdict(list)
    for key, hit in keyed:
        sources[key] += hit.sources or (hit.engine,)
    best: dict[str, SearchHit] = {}
    for key, hit in sorted(keyed, key=lambda pair: pair[1].rank):
        one = best.get(key, hit)
        title, snippet = one.title or hit.title, one.snippet or hit.snippet
        best[key] = replace(one, title=title, snippet=snippet)
    return tuple(
        replace(
            hit,
            rank=rank if len(lists) > 1 else hit.rank,
            sources=tuple(dict.fromkeys((hit.engine, *sources[key]))),
        )
        for rank, (key, hit) in enumerate(best.items(), start=1)
    )
