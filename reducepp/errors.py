"""What can go wrong, named by what the caller should do.

ReduceppError
├── UsageError            the call's own words are off: an unknown name, a value out of range
│   └── ProfileError      a profile names something unknown or breaks a rule
├── InputError            a file cannot be read as what it should be
├── MissingExtraError     an optional package is not installed; names the install line
├── LabelsError           labelled pairs are too few, of one kind, or name unknown pages
├── SandboxError          the work on one input took too much time or memory, or crashed
├── SplitError            one page cannot be split; becomes a Failure
│   └── NoticeError       the page is nothing but a notice that its reader was blocked
├── FetchError            one address cannot be fetched; becomes a Failure
│   ├── GuardError        the address is not one the user allowed
│   └── BlockedError      the site answered with a block, consent or captcha page
└── ParseError            a result page is none of: results, empty, blocked
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager


class ReduceppError(Exception):
    """Root of everything this package raises on purpose; its text is one plain line."""


class UsageError(ReduceppError):
    """The call's own words are off."""


class ProfileError(UsageError):
    """A profile names something unknown or breaks a rule."""


class InputError(ReduceppError):
    """A file cannot be read as what it should be."""


class MissingExtraError(ReduceppError, ImportError):
    """An optional package is not installed; an ImportError for those who try and go without."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs an optional package: pip install 'reducepp[{extra}]'")


@contextmanager
def needs_extra(what: str, extra: str) -> Iterator[None]:
    """Around imports of optional packages: MissingExtraError where one is not installed."""
    try:
        yield
    except ImportError:
        raise MissingExtraError(what, extra) from None


@contextmanager
def errors_as(raised: type[ReduceppError], text: str, *kinds: type[Exception]) -> Iterator[None]:
    """Errors of these kinds as one of ours: the text, a colon, and what the error itself says."""
    try:
        yield
    except kinds as error:
        said = getattr(error, "strerror", None) or getattr(error, "reason", None) or error
        raise raised(f"{text}: {said}") from None


class LabelsError(ReduceppError):
    """Labelled pairs are too few, of one kind, or name unknown pages."""


class SandboxError(ReduceppError):
    """The work on one input took too much time or memory, or crashed its worker process."""


class SplitError(ReduceppError):
    """One page cannot be split."""


class NoticeError(SplitError):
    """The page is nothing but a notice that its reader was blocked."""


class FetchError(ReduceppError):
    """One address cannot be fetched."""


class GuardError(FetchError):
    """The address is not one the user allowed."""


class BlockedError(FetchError):
    """The site answered with a block, consent or captcha page."""


class ParseError(ReduceppError):
    """A result page is none of: results, empty, blocked."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The end of a message that names what was likely meant; "" where nothing is near."""
    from difflib import get_close_matches

    names = {name.lstrip("-"): name for name in known}
    near = get_close_matches(word.lstrip("-"), names, n=1)
    return f"; did you mean {names[near[0]]}?" if near else ""


def check_choice(
    what: str, value: str, allowed: Iterable[str], raised: type[ReduceppError] = UsageError
) -> None:
    """Raise where a value is not allowed; the message lists what is, and what was likely meant."""
    names = list(allowed)
    if value not in names:
        known = list(filter(None, names))
        near = did_you_mean(str(value), known)
        raise raised(f"{what} {value!r}: use one of {', '.join(known)}{near}")


def first_line(error: BaseException) -> str:
    """What an error says, in one line of at most 200 characters."""
    text = getattr(error, "msg", None) or str(error)
    return (str(text).strip().splitlines() or [type(error).__name__])[0][:200]
