"""Amounts among the tokens of a text: a number with its unit, currency or per cent sign."""

import re
from dataclasses import replace

from reducepp.evidence.facts.fact_tokens import CODE, PHONE, Parsed, Tokens, found
from reducepp.evidence.facts.fact_values import Code, Quantity, read_figures
from reducepp.evidence.facts.fact_words import Unit, fact_words
from reducepp.evidence.facts.number_words import Number, half_after, read_number, without_and

_GAP = re.compile(r"[ \t]{0,2}|-| ?/ ?")
_UNIT_GAP = re.compile(r"[ \t]{0,2}|-| ?/ ?|'|\. ?")
_SYMBOL_AFTER = re.compile(r"[ \t]?([%°]|[^\w\s])(?!\d)(?:[ \t]?([cf])(?![^\W_]))?")
_SYMBOL_BEFORE = re.compile(r"(?<!\d)(?<!\d[ \t])([^\w\s])[ \t]?\Z|([^\w\s])\Z")
_SIGN_BEFORE = re.compile(r"(?:^|[\s(\[:=])([-+])\Z")
_VERSION = re.compile(r"(?<!\d)\d++(?:\.\d++){2,}+")
ARABIC_ARTICLE = "ال"
COMPOUND = ("duration", "length", "mass")
"""Dimensions of which an amount may be in two units."""
PERCENT: Unit = ("percent", "%", 1.0)
NO_UNIT: Unit = ("", "", 1.0)


def read_amount(tokens: Tokens, i: int, free: int) -> Parsed | None:
    """The amount at token i; tokens before `free` belong to another fact.

    None for a word that is no number; figures that are no number are a code.
    """
    if i in tokens.figures and _is_code(tokens, i):
        return read_code(tokens, i)
    if unit := fact_words().duals.get(without_and(tokens.words[i])):
        return found(tokens, i, i, Quantity(2.0, 1.0, *unit))
    number = read_number(tokens, i)
    if number is None:
        return read_code(tokens, i) if i in tokens.figures else None
    return _with_smaller_unit(tokens, _with_unit(tokens, i, _with_letter(tokens, number), free))


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
    number, last, end = _with_half(tokens, number, last, end) if after else (number, last, end)
    sign = _SIGN_BEFORE.search(tokens.plain, max(0, start - 2), start)
    factor = -1.0 if sign and sign[1] == "-" else 1.0
    if unit[0] == "temperature" and not sign:
        before_zero, first, last = _below_zero(tokens, first, last, free)
        start, end = min(start, tokens.start(first)), max(end, tokens.end(last))
        factor = -1.0 if before_zero else 1.0
    is_year = len(written) == 4 and written.isdecimal() and 1900 <= int(written) < 2100
    exact = unit == NO_UNIT and number.last == i and is_year
    found = [Quantity(factor * n, step, *unit, exact=exact) for n, step in number.readings]
    touches = last == number.last + 1 and not tokens.between(number.last)
    if touches and tokens.words[last] == "m" and not number.has_magnitude:
        # 3m is three metres or three million.
        found += [Quantity(n * 1e6, step * 1e6) for n, step in number.readings]
    return Parsed(first, last, start - bool(sign), end, tuple(found))


def _with_smaller_unit(tokens: Tokens, fact: Parsed) -> Parsed:
    """With the amount in a smaller unit behind it: 4 hours and 30 minutes, 6 ft 2 inches."""
    value, at = fact.readings[0], fact.last + 1
    if not isinstance(value, Quantity) or value.dimension not in COMPOUND:
        return fact
    at += tokens.word(at) in fact_words().conjunctions
    number = read_number(tokens, at) if tokens.joins(at - 1, _GAP) else None
    rest = _with_unit(tokens, at, number, at) if number else None
    smaller = rest.readings[0] if rest else None
    if not rest or not isinstance(smaller, Quantity) or smaller.dimension != value.dimension:
        return fact
    if not 0 < smaller.base < value.factor:
        return fact
    factor = smaller.factor / value.factor
    whole = replace(value, number=value.number + smaller.number * factor, step=factor)
    return Parsed(fact.first, rest.last, fact.start, rest.end, (whole,))


def _with_half(tokens: Tokens, number: Number, last: int, end: int) -> tuple[Number, int, int]:
    """With the half behind the unit: un litre et demi, أربع ساعات ونصف الساعة."""
    half = half_after(tokens, last)
    if half == last:
        return number, last, end
    readings = tuple((n + 0.5, 0.5) for n, _ in number.readings)
    again = tokens.word(half + 1).removeprefix(ARABIC_ARTICLE)
    half += again != tokens.word(half + 1) and again in fact_words().units
    return Number(readings, number.last, number.has_magnitude), half, tokens.end(half)


def _below_zero(tokens: Tokens, first: int, last: int, free: int) -> tuple[bool, int, int]:
    """Whether words say that a temperature is negative; first and last token with them."""
    lists = fact_words()
    if first > free and tokens.word(first - 1) in lists.minus and tokens.joins(first - 1, _GAP):
        return True, first - 1, last
    if f"{tokens.word(last + 1)} {tokens.word(last + 2)}" in lists.below_zero:
        return True, first, last + 2
    return False, first, last


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
    """Unit in the words after token i, as many as possible, and how many they are."""
    if not (tokens.joins(i, _GAP) or tokens.between(i) == "'"):
        return None, 0
    lists, one = fact_words(), tokens.words[i + 1]
    for length in range(lists.unit_lengths.get(one, 1), 1, -1):
        joined = all(tokens.joins(k, _UNIT_GAP) for k in range(i + 1, i + length))
        if joined and (unit := lists.units.get(" ".join(tokens.words[i + 1 : i + length + 1]))):
            return unit, length
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
