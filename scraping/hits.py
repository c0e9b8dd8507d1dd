"""Hits of several engines for one query become one list: the same address counts once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from reducepp.data import SearchHit

TRACKING = frozenset(
    (
        *("fbclid", "gclid", "dclid", "msclkid", "yclid", "igshid"),
        *("mc_cid", "mc_eid", "srsltid", "ref_src", "spm", "_ga"),
    )
)
"""Query parameters that name the visit, not the page; `utm_...` as well."""
DEFAULT_PORTS = {"http": 80, "https": 443}


def canonical_url(url: str) -> str:
    """The form under which two addresses count as one; for comparing, never for fetching.

    Scheme, `www.`, default port, fragment, tracking parameters, their order and a trailing
    slash do not count; an address that cannot be read is its own form.
    """
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError:
        return url.strip()
    if parts.scheme.lower() not in DEFAULT_PORTS or not parts.hostname:
        return url.strip()
    host = parts.hostname.removesuffix(".").removeprefix("www.")
    if port is not None and port not in DEFAULT_PORTS.values():
        host = f"{host}:{port}"
    pairs = parse_qsl(parts.query, keep_blank_values=True)
    query = urlencode(sorted(pair for pair in pairs if not _is_tracking(pair[0])))
    return urlunsplit(("", host, parts.path.rstrip("/"), query, ""))


def _is_tracking(name: str) -> bool:
    return name.lower() in TRACKING or name.lower().startswith("utm_")


def merge_hits(lists: Iterable[Sequence[SearchHit]]) -> tuple[SearchHit, ...]:
    """One hit an address, at its best rank, with every engine that returned it.

    Ties go to the list that comes first. The result is ranked anew from 1; `engine` is the one
    that ranked the address best, `sources` names all, that one first, then in list order.
    """
    best: dict[str, SearchHit] = {}
    sources: dict[str, list[str]] = {}
    for hits in lists:
        for hit in hits:
            key = canonical_url(hit.url)
            sources.setdefault(key, []).extend(hit.sources or (hit.engine,))
            if key not in best or hit.rank < best[key].rank:
                best[key] = _completed(hit, best.get(key))
            else:
                best[key] = _completed(best[key], hit)
    ordered = sorted(best.items(), key=lambda item: item[1].rank)
    return tuple(
        replace(hit, rank=rank, sources=tuple(dict.fromkeys((hit.engine, *sources[key]))))
        for rank, (key, hit) in enumerate(ordered, start=1)
    )


def _completed(hit: SearchHit, other: SearchHit | None) -> SearchHit:
    """The hit, with a title or snippet that only the other one has."""
    if other is None:
        return hit
    return replace(hit, title=hit.title or other.title, snippet=hit.snippet or other.snippet)
