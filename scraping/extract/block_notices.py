"""Detect pages that are nothing but a notice that their reader was blocked, or is being checked.

All sites behind one service send the same notice, so as pages they would be near-duplicates of
each other. A page is such a notice when its title and its few sentences are phrases of notices,
and hardly anything else: an article on captchas contains other sentences as well.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from reducepp.scraping.extract.blocks import Block
from reducepp.scraping.extract.vocabulary import compile_phrases

MAX_BODY_CHARS = 2000
"""A page with a longer body is no notice: the longest notice read, Cloudflare's, has 700."""
MAX_UNLINKED_CHARS = 4000
"""A page that displays more than this outside links is no notice."""
MIN_SHARE_OF_NOTICE = 0.75
"""Share of the words that must belong to phrases of notices."""
MAX_SENTENCE_WORDS = 40
_SENTENCE_END = re.compile(r"(?<=[.!?…؟])\s+|\n+")
_NOTICE = compile_phrases("block_notice")
_DETAILS = compile_phrases("block_notice_details")


def is_block_notice(title: str, body: str, blocks: Iterable[Block]) -> bool:
    """Whether title and body are a block notice, and the page displays not much more."""
    if len(body) > MAX_BODY_CHARS:
        return False
    if sum(b.length - b.link_length for b in blocks) > MAX_UNLINKED_CHARS:
        return False
    other_words = (1 - MIN_SHARE_OF_NOTICE) * len(f"{title} {body}".split())
    is_notice = False
    for sentence in map(_normalise, (title, *_SENTENCE_END.split(body))):
        words = len(sentence.split())
        if not any(map(str.isalpha, sentence)) or (words == 1 and "." in sentence.strip(".…")):
            continue
        matches = words <= MAX_SENTENCE_WORDS and bool(_NOTICE.search(sentence))
        is_notice = is_notice or matches
        if not matches and not (words <= MAX_SENTENCE_WORDS and _DETAILS.search(sentence)):
            other_words -= words
        if other_words < 0:
            return False
    return is_notice


def _normalise(text: str) -> str:
    """Lower case, plain apostrophes, no accents and no Arabic marks."""
    low = unicodedata.normalize("NFKD", text.strip().casefold().replace("…", "..."))
    return "".join(c for c in low if not unicodedata.combining(c)).replace("’", "'")
