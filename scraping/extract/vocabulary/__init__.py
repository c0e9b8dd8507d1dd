"""Word lists of extraction, kept as TOML files with their provenance beside this module."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any


@cache
def read_vocabulary(name: str) -> dict[str, Any]:
    """The tables of `NAME.toml`; each file is read once per process."""
    with (Path(__file__).parent / f"{name}.toml").open("rb") as file:
        return tomllib.load(file)


def read_words(name: str, key: str) -> list[str]:
    """The words of one list."""
    return str(read_vocabulary(name)[key]).split()


def compile_phrases(
    key: str, flags: re.RegexFlag = re.NOFLAG, *, form: str = "{}"
) -> re.Pattern[str]:
    """The phrases of one table of phrases.toml as one pattern, put into `form`."""
    texts = (text for text in read_vocabulary("phrases")[key].values() if isinstance(text, str))
    lines = (line for text in texts for line in text.strip().splitlines())
    return re.compile(form.replace("{}", "|".join(lines)), flags)
