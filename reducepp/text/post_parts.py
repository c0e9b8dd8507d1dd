"""A short post to its parts: words, tags, mentions, addresses, names, numbers.

Posts write what pages do not: hashtags of several words, mentions, shortened addresses, character
references that an application wrote out twice. Words come in one spelling: "U.S." is "us", "five"
is "5", "$7K" is "7 thousand", "#GoldenGlobes" is "golden globes".
"""

import html
import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

from reducepp.text.languages import LANGUAGES
from reducepp.text.tokenise import normalise, words

MAX_CACHED_CHARS = 1_000
"""Characters up to which a parsed text is kept for the next comparison."""
MAX_PARSED_CHARS = 20_000
"""Characters of a text that are parsed as a post."""
_REFERENCE = re.compile(r"&\s?(#?\w{1,10})\s?;")
_ADDRESS = re.compile(r"https?://\S*|\bwww\.\S+|\bpic\.twitter\.com/\S+|\bhttps?$", re.IGNORECASE)
_TAG = re.compile(r"(?<![\w&])[#＃](\w+)")
_MENTION = re.compile(r"(?<![\w@])[@＠](\w+)")
_TAG_OR_MENTION = re.compile(r"(?<![\w@&])[#＃@＠](\w+)")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_POSSESSIVE = re.compile(r"['’]s\b")
_INITIALS = re.compile(r"\b(?:[^\W\d_]\.){2,}")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")
_UNIT = re.compile(r"(?<=\d)(k|m|bn)\b")
_NOT = re.compile(r"n['’]t\b")
_WORD = re.compile(r"\d+(?:\.\d+)?|[^\W_]+")
_NAME = re.compile(r"(?<!\w)[^\W\d_][\w'’.-]*")

_NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve"
_SPELLINGS = {word: str(number) for number, word in enumerate(_NUMBERS.split())}
_SPELLINGS |= {"k": "thousand", "m": "million", "bn": "billion"}

TITLE_CASE = 0.6
"""From this share of capitalised words on, capitals mark no names."""
_VOICE = """
i my me im we our us you your this great must read wow lol omg thanks please via rt today piece
article interesting love so just
"""
VOICE = frozenset(_VOICE.split())
"""Words of personal comment, which reports of an event lack."""


@dataclass(frozen=True, eq=False)
class Post:
    """One text, read as a post; every part is worked out on first use."""

    text: str
    language: str

    @cached_property
    def clean(self) -> str:
        """The text with character references read and white space made even."""
        text = _REFERENCE.sub(r"&\1;", self.text[:MAX_PARSED_CHARS]).replace("&squot;", "'")
        return " ".join(html.unescape(html.unescape(text)).split())

    @cached_property
    def untagged(self) -> str:
        """The text without addresses, hashtags and mentions."""
        return " ".join(_TAG_OR_MENTION.sub(" ", _ADDRESS.sub(" ", self.clean)).split())

    @cached_property
    def core(self) -> str:
        """The words without addresses, hashtags and mentions, else all of them; one spelling."""
        return " ".join(words(self.untagged, digits=True) or words(self.clean, digits=True))

    @cached_property
    def addresses(self) -> tuple[str, ...]:
        """Addresses in the text."""
        return tuple(match.rstrip(".,;:!?)\"'") for match in _ADDRESS.findall(self.clean))

    @cached_property
    def hashtags(self) -> tuple[str, ...]:
        """Hashtags without their sign, in lower case."""
        return tuple(tag.lower() for tag in _TAG.findall(_ADDRESS.sub(" ", self.clean)))

    @cached_property
    def mentions(self) -> tuple[str, ...]:
        """Names of accounts without their sign, in lower case."""
        return tuple(name.lower() for name in _MENTION.findall(_ADDRESS.sub(" ", self.clean)))

    @cached_property
    def spoken(self) -> str:
        """The text as one would read it out: no addresses, tags and mentions as words."""
        text = _ADDRESS.sub(" ", self.clean)
        return _TAG_OR_MENTION.sub(lambda tag: f" {_HUMP.sub(' ', tag[1])} ", text)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Words and numbers in order, in one spelling."""
        text = _POSSESSIVE.sub("", self.spoken)
        text = _INITIALS.sub(lambda initials: initials[0].replace(".", "") + " ", text)
        text = _UNIT.sub(r" \1", _THOUSANDS.sub("", normalise(text)))
        found = _WORD.findall(_NOT.sub(" not", text))
        return tuple(_SPELLINGS.get(word, word) for word in found)

    @cached_property
    def lemmas(self) -> tuple[str, ...]:
        """Base forms of all words, in order."""
        language = LANGUAGES.get(self.language)
        known = language.lemmas(set(self.words)) if language else {}
        return tuple(known.get(word, word) for word in self.words)

    @property
    def stop_words(self) -> frozenset[str]:
        """Those of the post's language; none where it has no list."""
        language = LANGUAGES.get(self.language)
        return language.stop_words if language else frozenset()

    @cached_property
    def content(self) -> tuple[str, ...]:
        """Base forms without stop words, in order."""
        stop_words = self.stop_words
        return tuple(lemma for lemma in self.lemmas if lemma not in stop_words)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Capitalised words that are no stop words; none in a text that capitalises most words."""
        if is_title_case(self.spoken):
            return ()
        capital = [_POSSESSIVE.sub("", w) for w in _NAME.findall(self.spoken) if w[0].isupper()]
        plain = (normalise(word).replace(".", "").strip("'’-") for word in capital)
        stop_words = self.stop_words
        return tuple(word for word in plain if word and word not in stop_words)

    @cached_property
    def numbers(self) -> tuple[str, ...]:
        """Numbers, in one spelling."""
        return tuple(word for word in self.words if word[0].isdigit())

    @cached_property
    def voice(self) -> int:
        """How many words are personal comment."""
        return sum(word in VOICE for word in self.words)


def is_title_case(text: str) -> bool:
    """Whether most words are capitalised, so that capitals mark no names."""
    found = _NAME.findall(text)
    return bool(sum(word[0].isupper() for word in found) > TITLE_CASE * len(found))


def read_post(text: str, language: str) -> Post:
    """The post of a text; a short one is kept for the next time it is compared."""
    return _kept_post(text, language) if len(text) <= MAX_CACHED_CHARS else Post(text, language)


_kept_post = lru_cache(maxsize=8192)(Post)
