"""Amounts among the tokens of a text: a number with its unit, currency or per cent sign."""

import re

from reducepp.evidence.facts.fact_tokens import CODE, PHONE, Parsed, Tokens, found
from reducepp.evidence.facts.fact_values import Code, Quantity, read_figures
from reducepp.evidence.facts.fact_words import Unit, fact_words
from reducepp.evidence.facts.number_words import Number, read_number

_GAP = re.compile(r"[ \t]{0,2}|-| ?/ ?")
_SYMBOL_AFTER = re.compile(r"[ \t]?([%°]|[^\w\s])(?!\d)(?:[ \t]?([cf])(?![^\W_]))?")
_SYMBOL_BEFORE = re.compile(r"(?<!\d)(?<!\d[ \t])([^\w\s])[ \t]?\Z|([^\w\s])\Z")
_SIGN_BEFORE = re.compile(r"(?:^|[\s(\[:=])([-+])\Z")
_VERSION = re.compile(r"(?<!\d)\d++(?:\.\d++){2,}+")
PERCENT: Unit = ("percent", "%", 1.0)
NO_UNIT: Unit = ("", "", 1.0)


def read_amount(tokens: Tokens, i: int, free: int) -> Parsed | None:
    """The amount at token i; tokens before `free` belong to another fact.

    None for a word that is no number; figures that are no number are a code.
    """
    if i in tokens.figures and _is_code(tokens, i):
        return read_code(tokens, i)
    number = read_number(tokens, i)
    if number is None:
        return read_code(tokens, i) if i in tokens.figures else None
    return _with_unit(tokens, i, _with_letter(tokens, number), free)


def read_code(tokens: Tokens, i: int) -> Parsed:
    """A telephone number, a version, an article number: equal to another or not."""
    written = tokens.words[i]
    if tokens.figures[i] == PHONE:
        return found(tokens, i, i, Code(re.sub(r"\D", "", written).lstrip("0"), is_phone=True))
    if tokens.figures[i] == CODE:
        written = written.replace("-", "")  # N-95 and N95
    return found(tokens, i, i, Code(written))


def _is_code(tokens: Tokens, i: int) -> bool:
    """A version, or figures that begin with a zero, as in 00123."""
    written = tokens.words[i]
    if written[0] == "0" and written[1:2].isdecimal():
        return True
    if _VERSION.fullmatch(written) and not read_figures(written):
        return True
    return tokens.word(i - 1) in fact_words().versions and tokens.joins(i - 1, _GAP)


def _with_letter(tokens: Tokens, number: Number) -> Number:
    """With the letter that multiplies it: 12k, $3m, 3 M€."""
    last, following = number.last, tokens.word(number.last + 1)
    touching = fact_words().touching
    if following not in touching or not tokens.joins(last, _GAP):
        return number
    is_money = _symbol_unit(tokens, last + 1)[0] or _unit_before(tokens, last, 0)[0]
    if is_money or (not tokens.between(last) and following != "m"):
        return number.times(touching[following], last + 1)
    return number


def _with_unit(tokens: Tokens, i: int, number: Number, free: int) -> Parsed:
    before, width, first = _unit_before(tokens, i, free)
    after, last, end = _unit_after(tokens, number)
    unit, start, written = after or before or NO_UNIT, tokens.start(i), tokens.words[i]
    if before and (not after or before == after):
        start -= width
    else:
        first = i
    sign = _SIGN_BEFORE.search(tokens.plain, max(0, start - 2), start)
    factor = -1.0 if sign and sign[1] == "-" else 1.0
    is_year = len(written) == 4 and written.isdecimal() and 1900 <= int(written) < 2100
    exact = unit == NO_UNIT and number.last == i and is_year
    found = [Quantity(factor * n, step, *unit, exact=exact) for n, step in number.readings]
    touches = last == number.last + 1 and not tokens.between(number.last)
    if touches and tokens.words[last] == "m" and not number.has_magnitude:
        # 3m is three metres or three million.
        found += [Quantity(n * 1e6, step * 1e6) for n, step in number.readings]
    return Parsed(first, last, start - bool(sign), end, tuple(found))


def _unit_after(tokens: Tokens, number: Number) -> tuple[Unit | None, int, int]:
    """Unit after the number with its last token and its end; None for none."""
    last = number.last
    end = tokens.end(last)
    unit, width = _symbol_unit(tokens, last)
    if unit:
        return unit, last + (width > 1 and tokens.plain[end + width - 1].isalpha()), end + width
    if not tokens.between(last) and tokens.word(last + 1) in ("s", *fact_words().ordinals):
        return None, last + 1, tokens.end(last + 1)  # 1990s, 3rd
    if number.has_magnitude and tokens.word(last + 1) in ("d", "de", "of"):
        last += 1  # 3 millions d'euros
    unit, length = _unit_words(tokens, last)
    if unit:
        return unit, last + length, tokens.end(last + length)
    return None, number.last, end


def _symbol_unit(tokens: Tokens, i: int) -> tuple[Unit | None, int]:
    """Unit of the sign after token i, and how far it reaches: %, €, °C."""
    sign = _SYMBOL_AFTER.match(tokens.plain, tokens.end(i))
    if not sign:
        return None, 0
    if sign[1] == "%":
        return PERCENT, sign.end(1) - sign.start()
    if sign[1] == "°":
        return fact_words().units["°f" if sign[2] == "f" else "°c"], len(sign[0])
    unit = fact_words().units.get(sign[1]) if sign[1] in fact_words().symbols else None
    return (unit, sign.end(1) - sign.start()) if unit else (None, 0)


def _unit_words(tokens: Tokens, i: int) -> tuple[Unit | None, int]:
    """Unit in the one or two words after token i, and how many they are."""
    if not (tokens.joins(i, _GAP) or tokens.between(i) == "'"):
        return None, 0
    lists, one, two = fact_words(), tokens.words[i + 1], tokens.word(i + 2)
    if tokens.joins(i + 1, _GAP) and (unit := lists.units.get(f"{one} {two}")):
        return unit, 2
    if unit := lists.units.get(one):
        return unit, 1
    written = tokens.text[tokens.start(i + 1) : tokens.end(i + 1)]
    unit = lists.capitals.get(written)
    return unit, int(unit is not None)


def _unit_before(tokens: Tokens, i: int, free: int) -> tuple[Unit | None, int, int]:
    """Unit before token i, how many characters it and its gap take, and the first token."""
    start, lists = tokens.start(i), fact_words()
    lowest = tokens.end(i - 1) if i else 0
    sign = _SYMBOL_BEFORE.search(tokens.plain, max(lowest, start - 2), start)
    symbol = (sign[1] or sign[2]) if sign else ""
    if symbol == "%" or (symbol in lists.symbols and symbol != "°"):
        return PERCENT if symbol == "%" else lists.units[symbol], len(sign[0]) if sign else 0, i
    if i - 1 >= free and tokens.joins(i - 1, _GAP):
        written = tokens.text[tokens.start(i - 1) : tokens.end(i - 1)]
        if currency := lists.capitals.get(written):
            return currency, start - tokens.start(i - 1), i - 1
    return None, 0, i
