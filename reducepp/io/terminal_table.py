"""A reduction for a terminal: as wide as it is, in colour; whole addresses in a pipe."""

import math
import os
import shutil
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from textwrap import wrap

from reducepp.io.escaping import escape_controls
from reducepp.types import Dropped, Match, Page, Passage, Reduction

BOLD, DIM, GREEN, YELLOW = "1", "2", "32", "33"
INDENT, DROPPED_INDENT = 6, 14
MIN_WIDTH = 60
MAX_TITLE = 120
"""Characters of a title where the width is not limited."""
MAX_SHARED_BEGINNING, WORDS_BEFORE = 60, 3
"""Characters of a lost sentence that both pages say before the rest of it is shown, after so many
words: a line has room for 90."""


@dataclass(frozen=True, slots=True)
class Screen:
    """How wide lines may be, 0 for any width, and whether they have colours."""

    width: int = 0
    colour: bool = False

    def paint(self, text: str, code: str) -> str:
        """The text in a colour, where there are colours."""
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour else text


def find_screen() -> Screen:
    """The terminal of standard output; a pipe or file is of any width.

    `NO_COLOR` (https://no-color.org) takes colours away, `FORCE_COLOR` gives them to a pipe.
    """
    is_terminal = sys.stdout.isatty()
    width = max(shutil.get_terminal_size().columns, MIN_WIDTH) if is_terminal else 0
    wanted = is_terminal and os.environ.get("TERM") != "dumb"
    colour = not os.environ.get("NO_COLOR") and (wanted or bool(os.environ.get("FORCE_COLOR")))
    return Screen(width, colour)


def table_of(reduction: Reduction, *, explain: bool = False, screen: Screen | None = None) -> str:
    """The results shown, and the dropped ones where the mode puts them."""
    return "\n".join(_lines(reduction, explain, screen or Screen())) + "\n"


def headline(reduction: Reduction) -> str:
    """Query, pages before, after and failed, and how they were compared, in one line."""
    pages = "1 page" if reduction.before == 1 else f"{reduction.before} pages"
    failed = f", {len(reduction.failures)} failed" if reduction.failures else ""
    return (
        f"{clip(reduction.query or '(no query)', 60)}: {pages}, {reduction.after} shown, "
        f"{reduction.reduction:.0%} fewer{failed} (profile {reduction.profile}, "
        f"threshold {reduction.threshold:g}, mode {reduction.mode})"
    )


def _lines(reduction: Reduction, explain: bool, screen: Screen) -> Iterable[str]:
    pages = {page.id: page for page in reduction.pages}
    dropped = {d.id: d for d in reduction.dropped}
    yield screen.paint(headline(reduction), BOLD)
    yield from (screen.paint(f"  ! {warning}", YELLOW) for warning in reduction.warnings)
    for kept, listed in reduction.listed.items():
        page = pages[kept]
        yield f"  {page.rank:>4}  {_result(page, screen, INDENT + 2)}"
        for member in listed:
            yield from _dropped_lines(dropped.pop(member), pages[member], explain, screen)
    if dropped and (explain or reduction.mode == "demote"):
        yield "demoted:" if reduction.mode == "demote" else "dropped:"
        for found in dropped.values():
            yield from _dropped_lines(found, pages[found.id], explain, screen)
    yield from (f"   cut  {_result(pages[i], screen, INDENT + 2)}" for i in reduction.cut)
    for seen in reduction.seen:
        yield f"  seen  {_result(seen.page, screen, INDENT + 2)}"
        yield f"        {seen.match.score:.3f} {shown_where(seen.match)}"
        reasons = [differs_from_shown(seen.match), seen.match.level if explain else ""]
        yield from _indent(filter(None, reasons), screen)
    for failure in reduction.failures:
        yield f"  failed: {clip(failure.url, 60)}: {clip(failure.reason, 80)}"


def shown_where(match: Match) -> str:
    """On which day, for which query and under which address a page was shown."""
    day = match.shown_at[:10] if match.shown_at[10:11] == "T" else match.shown_at
    at = f" on {clip(day, 30)}" if day else ""
    query = f" for “{clip(match.query, 40)}”" if match.query else ""
    return f"shown{at}{query} as {escape_controls(match.url or match.id)}"


def differs_from_shown(match: Match) -> str:
    """Facts in which a page differs from the one shown before, "" for none."""
    summary = match.facts.get("summary")
    return f"{summary} (now / shown before)" if summary else ""


def _dropped_lines(dropped: Dropped, page: Page, explain: bool, screen: Screen) -> Iterable[str]:
    score = screen.paint(f"{dropped.score:.3f}", GREEN)
    yield f"        {score} {_result(page, screen, DROPPED_INDENT)}"
    if explain:
        yield from _indent(reasons_of(dropped), screen)


def _indent(reasons: Iterable[str], screen: Screen) -> Iterable[str]:
    for reason in reasons:
        lines = wrap(reason, screen.width - DROPPED_INDENT) if screen.width else [reason]
        yield from (f"{'':{DROPPED_INDENT}}{line}" for line in lines)


def _result(page: Page, screen: Screen, indent: int) -> str:
    """Title and address; on a terminal two thirds of the line for the title."""
    room = screen.width - indent - 4 if screen.width else 0
    title = clip(title_text(page), room * 2 // 3 if room else MAX_TITLE)
    address = escape_controls(page.url or page.id)
    if room:
        address = clip(address, room - _cells(title))
    return f"{title}  {screen.paint(f'[{address}]', DIM)}"


def title_text(page: Page) -> str:
    """What names a page: its title, else its text."""
    return page.page_title or page.body or page.snippet or "(no title)"


def title_of(page: Page, width: int = MAX_TITLE) -> str:
    """Title and whole address in one line."""
    return f"{clip(title_text(page), width)}  [{escape_controls(page.url or page.id)}]"


def clip(text: str, width: int) -> str:
    """One line of at most that many cells of a terminal, without control characters."""
    line = escape_controls(" ".join(text[: 8 * width].split()))
    if _cells(line) <= width:
        return line
    while _cells(line) > width - 1:
        line = line[:-1]
    return line + "…"


def _cells(text: str) -> int:
    """Columns that a terminal needs: wide signs take two, combining ones none."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(map(bool, map(unicodedata.combining, text)))


def _from_difference(text: str, passages: Sequence[Passage]) -> str:
    """A lost sentence from shortly before the first word that no shared passage has on, where all
    that has room in a line is in one."""
    words, length = text.split(), 0
    for said in (" ".join(passage.text.lower().split()) for passage in passages):
        while length < len(words) and _begin(words, length + 1) in said:
            length += 1
    if length == len(words) or len(" ".join(words[:length])) < MAX_SHARED_BEGINNING:
        return text
    return "… " + " ".join(words[length - WORDS_BEFORE :])


def _begin(words: Sequence[str], count: int) -> str:
    return " ".join(words[:count]).lower().lstrip("\"'«“‘„")


def readable(text: str, names: Iterable[str]) -> str:
    """The text with names of signals in plain words: "page title" for "page_title"."""
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, name.replace("_", " "))
    return text


def reasons_of(dropped: Dropped) -> Iterable[str]:
    """Why a page is dropped and what is lost with it, in lines."""
    given = sorted(dropped.by_signal.items(), key=lambda item: -item[1].contribution)
    parts = ", ".join(
        f"{name} {share.similarity:.2f} × {share.weight:.0%} = {share.contribution:.3f}"
        for name, share in given
        if not math.isnan(share.similarity)
    )
    if dropped.facts.get("summary"):
        yield f"{dropped.facts['summary']} (dropped / kept)"
    yield f"{dropped.level}: {readable('; '.join(dropped.tests) or parts, dropped.by_signal)}"
    if len(dropped.chain) > 1 and dropped.weakest_step:
        names = [dropped.chain[0].a, *(edge.b for edge in dropped.chain)]
        steps = " → ".join(map(escape_controls, names))
        yield f"linked through {steps} (weakest step {dropped.weakest_step.score:.3f})"
    for passage in dropped.passages[:2]:
        yield f"both say ({passage.words} words): “{clip(passage.text, 90)}”"
    if dropped.lost:
        lost = (_from_difference(text, dropped.passages) for text in dropped.lost.texts[:2])
        texts = " ".join(f"“{clip(text, 90)}”" for text in lost)
        total = "1 sentence" if dropped.lost.total == 1 else f"{dropped.lost.total} sentences"
        count = f"{dropped.lost.count} of {total}"
        yield f"lost: {count}: {texts}" if texts else f"lost: {count}"
