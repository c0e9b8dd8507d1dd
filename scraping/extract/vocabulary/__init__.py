"""Word lists of extraction, kept as TOML files with their provenance beside this module.

`classify_names` classifies a part of a page by the words in its class, id, role and itemprop.
"""

import re
import tomllib
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

MAIN_TEXT, TEMPLATE, ASIDE, COMMENTS, HIDDEN, THREAD = (1 << bit for bit in range(6))
"""Flags; class_names.toml describes and lists the names of each."""
MAX_NAMES = 20
"""Names of one element that are read; utility frameworks set dozens that describe its style."""
MAX_NAME_CHARS = 80
"""99 of 100 of the 538 labelled HTML pages have no longer class name; those are generated."""
_FLAGS = {
    "main_text": MAIN_TEXT,
    "template": TEMPLATE,
    "aside": ASIDE,
    "comments": COMMENTS,
    "hidden": HIDDEN,
    "thread": THREAD,
}


@cache
def read_vocabulary(name: str) -> dict[str, Any]:
    """The tables of `NAME.toml`; each file is read once per process."""
    with (Path(__file__).parent / f"{name}.toml").open("rb") as file:
        return tomllib.load(file)


def read_words(name: str, key: str) -> list[str]:
    """The words of one list."""
    return str(read_vocabulary(name)[key]).split()


def alternatives(name: str, key: str) -> str:
    """The lines of one list as alternatives of a regular expression."""
    return "|".join(str(read_vocabulary(name)[key]).strip().splitlines())


@cache
def compile_phrases(
    key: str, flags: re.RegexFlag = re.NOFLAG, *, form: str = "{}"
) -> re.Pattern[str]:
    """The phrases of one table of phrases.toml as one pattern, put into `form`."""
    texts = (text for text in read_vocabulary("phrases")[key].values() if isinstance(text, str))
    lines = (line for text in texts for line in text.strip().splitlines())
    return re.compile(form.replace("{}", "|".join(lines)), flags)


@cache
def compile_marks() -> re.Pattern[str]:
    """The marks in markup of walls.toml as one pattern, whatever their case."""
    marks = sorted(" ".join(read_vocabulary("walls")["markup"].values()).split())
    return re.compile("|".join(map(re.escape, marks)), re.IGNORECASE)


@cache
def _flags_by_word() -> dict[str, int]:
    flags: dict[str, int] = {}
    for key, words in read_vocabulary("class_names").items():
        for word in words.split():
            flags[word] = flags.get(word, 0) | _FLAGS[key]
    return flags


_WORD = re.compile(r"[a-z]+|[A-Z]+(?![a-z])|[A-Z][a-z]+|[\u0620-\u064a]+")
_STYLING = re.compile(
    r"(?:has|with|no|without|js|is|not|tag|category|cat|author|postid|type|status|format|post_tag"
    r"|topic|user|product_cat|product_tag|channel|section|keyword|layout|grid|col|row|min|max|flex|theme|template|page"
    r"|single|wp-block|wp-singular|elementor|et_pb|vc)[-:_].*|.*[:\[/].*|.*(?:-open|-active|-enabled|-loaded|-wide)",
    re.IGNORECASE,
)
"""Names of layout, state and spacing, which do not describe the element's content."""


@lru_cache(maxsize=50_000)
def classify_names(names: str) -> int:
    """Flags of an attribute's value: names separated by spaces."""
    flags = 0
    for name in names.split()[:MAX_NAMES]:
        flags |= _classify_name(name)
    return flags


@lru_cache(maxsize=50_000)
def _classify_name(name: str) -> int:
    if len(name) > MAX_NAME_CHARS or _STYLING.fullmatch(name):
        return 0
    words = [word.lower() for word in _WORD.findall(name)]
    flags = 0
    for word in (*words, *(left + right for left, right in pairwise(words))):
        flags |= _flags_by_word().get(word, 0)
    return flags
