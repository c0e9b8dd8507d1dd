"""Normalised values of facts, and whether two of them say the same.

Numbers agree when they are equal, when the coarser one is the finer one rounded as coarsely as
it is written, or when an approximator ("nearly", "plus de") allows for the difference.
"""

import math
import re
from dataclasses import dataclass

LARGEST_ROUNDING = 0.065
"""Relative error up to which a number with fewer digits is the other rounded: 3 for 3.2 million."""
LARGEST_ROUNDING_OF_INTEGERS = 0.02
"""The same for whole numbers without a magnitude word: 1,000 for 987, not 100 for 95."""
LEAST_ROUNDING = 100
"""Whole numbers are rounded to hundreds and more: 1,200 for 1,213, not 50 for 51."""
LARGEST_APPROXIMATION = 0.15
"""The same after an approximator."""
CONVERSION_ERROR = 0.07
"""Relative error of amounts in two units of one dimension: 1 mile, 1.5 km; 2 weeks, 15 days."""

_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:\.\d{3})+(?:,\d+)?")
_GROUPED_IN_ANOTHER_WAY = re.compile(r"\d{1,3}(?:[' ]\d{3})+(?:[.,]\d+)?|\d+[.,]\d+|\d+")
LONGEST_COUNTRY_CODE = 3
"""Digits, as in +353."""
MAX_DIGITS = 15
"""More digits than a float holds are a code, not a number."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its unit; `step` is the value of the last digit written."""

    number: float
    step: float = 1.0
    dimension: str = ""
    unit: str = ""
    factor: float = 1.0
    exact: bool = False
    """Never rounded: a year, a house number with letters, a number that is a name."""

    @property
    def base(self) -> float:
        """The number in the dimension's base unit."""
        if self.unit == "F":
            return (self.number - 32) / 1.8
        return self.number * self.factor

    def __str__(self) -> str:
        number = f"{self.number:.12g}"
        return f"{number} {self.unit}" if self.unit else number


@dataclass(frozen=True, slots=True)
class Day:
    """A date; 0 is a part that is not said. Dates of another calendar are never compared."""

    year: int
    month: int
    day: int
    calendar: str = ""
    ambiguous: bool = False
    """Day and month could be the other way round."""

    def __str__(self) -> str:
        year = f"{self.year:04}" if self.year else "-"
        return "-".join([year, f"{self.month:02}", *([f"{self.day:02}"] if self.day else [])])


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day in seconds; `marked` where it is certain which half of the day it is in."""

    seconds: int
    marked: bool
    zone: str = ""

    def __str__(self) -> str:
        return f"{self.seconds // 3600:02}:{self.seconds // 60 % 60:02}"


@dataclass(frozen=True, slots=True)
class Code:
    """A version, a telephone or an article number: equal or not."""

    text: str
    is_phone: bool = False
    """Digits without zeros before them; one of two may begin with the code of a country."""

    def __str__(self) -> str:
        return self.text


Value = Quantity | Day | Clock | Code


def read_figures(written: str) -> tuple[tuple[float, float], ...]:
    """(number, step) for each way to read figures with separators; none for no number.

    "1,234" is read as 1234 and as 1.234, with the likelier one first.
    """
    if sum(character.isdigit() for character in written) > MAX_DIGITS:
        return ()
    readings = []
    if _GROUPED.fullmatch(written):
        comma = written.find(",") if "," in written else len(written)
        point = written.find(".") if "." in written else len(written)
        group, decimal = (",", ".") if comma < point else (".", ",")
        readings.append(_number(written.replace(group, "").replace(decimal, ".")))
    if _GROUPED_IN_ANOTHER_WAY.fullmatch(written):
        plain = written.replace("'", "").replace(" ", "").replace(",", ".")
        readings.append(_number(plain))
    if len(readings) == 2 and written[0] == "0":  # 0,125 groups nothing
        return (readings[1],)
    if len(readings) == 2 and written.endswith("000"):  # 1,000 is no 1 to three places
        return (readings[0],)
    return tuple(readings)


def _number(written: str) -> tuple[float, float]:
    decimals = len(written.partition(".")[2])
    return float(written), 10.0**-decimals


def agree(a: Value, b: Value, approximate: str = "", approximate_b: str = "") -> bool | None:
    """Whether two values say the same; None where they cannot be compared.

    `approximate` and `approximate_b` are the approximators before them, "" for none.
    """
    if isinstance(a, Quantity) and isinstance(b, Quantity):
        return _quantities_agree(a, b, approximate, approximate_b)
    if isinstance(a, Day) and isinstance(b, Day):
        return _days_agree(a, b)
    if isinstance(a, Clock) and isinstance(b, Clock):
        return _clocks_agree(a, b)
    if isinstance(a, Code) and isinstance(b, Code):
        return a.text == b.text or (a.is_phone and b.is_phone and _phones_agree(a.text, b.text))
    if isinstance(a, Quantity) and isinstance(b, Day):
        return (a.exact and a.number == b.year) or None
    if isinstance(a, Day) and isinstance(b, Quantity):
        return agree(b, a)
    return None


def _phones_agree(a: str, b: str) -> bool:
    shorter, longer = sorted((a, b), key=len)
    return len(longer) - len(shorter) <= LONGEST_COUNTRY_CODE and longer.endswith(shorter)


def _days_agree(a: Day, b: Day) -> bool | None:
    """Parts that both say decide; dates without a common part are not compared."""
    if a.calendar != b.calendar:
        return None
    one, other = ((day.year, day.month, day.day) for day in (a, b))
    equal = [x == y for x, y in zip(one, other, strict=True) if x and y]
    if all(equal):
        return True if equal else None
    return a.ambiguous != b.ambiguous and one == (b.year, b.day, b.month)


def _clocks_agree(a: Clock, b: Clock) -> bool | None:
    if a.zone != b.zone and a.zone and b.zone:
        return None
    if a.marked == b.marked:
        return a.seconds == b.seconds
    half_day = 12 * 3600
    return a.seconds % half_day == b.seconds % half_day


def _quantities_agree(a: Quantity, b: Quantity, *approximate: str) -> bool | None:
    # The currencies of several countries have one name: then only the amounts are compared.
    any_currency = a.dimension == "money" and (a.unit.islower() or b.unit.islower())
    if a.dimension != b.dimension or (a.unit != b.unit and not any_currency):
        return _other_units_agree(a, b)
    if a.number == b.number or _is_decade_of(a, b) or _is_decade_of(b, a):
        return True
    largest = max(abs(a.number), abs(b.number))
    if a.exact or b.exact or abs(a.number - b.number) > LARGEST_APPROXIMATION * largest:
        return False
    return _rounds_to(a, b) or _within(a, b, approximate)


def _is_decade_of(a: Quantity, b: Quantity) -> bool:
    """The 90s and the 1990s."""
    return a.exact and not b.exact and a.number % 10 == 0 and a.number == 1900 + b.number


def _other_units_agree(a: Quantity, b: Quantity) -> bool | None:
    """Converted where that is possible; else the same number in another currency differs."""
    if a.dimension == b.dimension == "money":
        return False if a.number == b.number else None
    if a.dimension == b.dimension:
        return math.isclose(a.base, b.base, rel_tol=CONVERSION_ERROR, abs_tol=1e-12)
    if not a.dimension or not b.dimension:  # "12 to 15 %": one of the two units is left out
        return a.number == b.number or None
    return None


def _rounds_to(a: Quantity, b: Quantity) -> bool:
    """Whether the coarser number is the finer one rounded."""
    coarse, fine = sorted((a, b), key=_precision, reverse=True)
    if _precision(coarse) == _precision(fine):
        return False
    error = abs(coarse.number - fine.number)
    whole = coarse.step == 1 and fine.step == 1
    allowed = LARGEST_ROUNDING_OF_INTEGERS if whole else LARGEST_ROUNDING
    half = _precision(coarse) / 2
    return error <= half * (1 + 1e-9) and error <= allowed * abs(fine.number)


def _precision(quantity: Quantity) -> float:
    """The value of the last digit that is stated: zeros of 1,200 may be none, those of 0.8570 are.

    Zeros at the end of a smaller whole number are digits as any other: 50 is not 51 rounded.
    """
    coarse = _coarseness(quantity)
    return coarse if quantity.step == 1 and coarse >= LEAST_ROUNDING else quantity.step


def _coarseness(quantity: Quantity) -> float:
    """The value of the last digit that is not a trailing zero: 1,200 is written to hundreds."""
    step, number = quantity.step, quantity.number
    digits = round(abs(number) / step)
    while digits and digits % 10 == 0:
        digits //= 10
        step *= 10
    return step


def _within(a: Quantity, b: Quantity, approximate: tuple[str, ...]) -> bool:
    """Whether an approximator before one number leaves room for the other."""
    for kind, said, other in ((approximate[0], a, b), (approximate[1], b, a)):
        above = other.number - said.number
        allowed = min(_coarseness(said), LARGEST_APPROXIMATION * abs(said.number))
        if kind == "above" and 0 < above < allowed:
            return True
        if kind == "below" and 0 < -above < allowed:
            return True
        if kind == "near" and abs(above) <= allowed / 2:
            return True
    return False
