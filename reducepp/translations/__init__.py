"""Texts of the report, the service's page and the plug-ins in the reader's language.

One JSON file per language: the English text is the key, `{name}` is replaced by a value. A text
with `{n}` may have plural forms by the categories of Unicode CLDR (`one`, `two`, `few`, `many`,
`other`). A translator adds a file; a missing text is shown in English.
"""

import json
from functools import cache
from importlib.resources import files
from typing import Any

Catalogue = dict[str, str | dict[str, str]]


@cache
def catalogues() -> dict[str, Catalogue]:
    """Language code → catalogue, of every file here."""
    found = (file for file in files(__name__).iterdir() if file.name.endswith(".json"))
    by_name = sorted(found, key=lambda file: file.name)
    return {f.name.removesuffix(".json"): json.loads(f.read_text("utf-8")) for f in by_name}


def translate(text: str, language: str = "en", **values: Any) -> str:
    """The text in a language (`fr`, `fr-CA`), with its values; English where there is none."""
    code = language.lower().replace("_", "-").split("-")[0]
    known = catalogues()
    entry = known.get(code, {}).get(text) or known["en"].get(text, text)
    if isinstance(entry, dict):
        entry = entry.get(plural_category(code, values.get("n", 0)), entry["other"])
    for name, value in values.items():
        entry = entry.replace(f"{{{name}}}", str(value))
    return entry


def plural_category(code: str, n: int) -> str:
    """Category of a count by CLDR's rules for English, French and Arabic; `other` elsewhere."""
    if code == "ar":
        if n in (0, 1, 2):
            return ("zero", "one", "two")[n]
        return "few" if 3 <= n % 100 <= 10 else "many" if n % 100 >= 11 else "other"
    if code == "fr":
        return "one" if n in (0, 1) else "other"
    return "one" if code == "en" and n == 1 else "other"
