"""Every regular expression of the package takes time linear in its input, whatever the input is.

Each pattern is searched in runs made of the characters and words that it mentions. A run of four
times the length may take about four times as long; where it takes much more, a hostile page could
stop the program with a few kilobytes.
"""

import ast
import importlib
import inspect
import re
import re._constants as sre
import re._parser as parser
import time
import warnings
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

from reducepp.scraping.extract.vocabulary import compile_phrases

ROOT = Path(__file__).parent.parent
PACKAGES = ("reducepp", "scraping", "weights", "evaluation")
SHORT, LONG = 1_000, 8_000
"""Characters of the two runs that are compared."""
FAST = 0.004
"""Seconds for the long run below which nothing is compared: too little to be measured."""
MAX_RATIO = 22.0
"""Between the times of the two runs: 8 is linear, 64 quadratic."""
MAX_CHARACTERS, MAX_WORDS = 30, 12
"""Characters and words of one pattern that are tried."""
CATEGORIES = {
    sre.CATEGORY_DIGIT: "1",
    sre.CATEGORY_SPACE: " ",
    sre.CATEGORY_WORD: "a",
    sre.CATEGORY_NOT_DIGIT: "x",
    sre.CATEGORY_NOT_SPACE: "x",
    sre.CATEGORY_NOT_WORD: ".",
}
FUNCTIONS = {"compile", "search", "match", "fullmatch", "findall", "finditer", "sub", "split"}

AnyPattern = re.Pattern[Any]


def module_names() -> Iterator[tuple[str, Path]]:
    for package in PACKAGES:
        for path in sorted((ROOT / package).glob("**/*.py")):
            inside = path.relative_to(ROOT)
            if not any(p.is_symlink() for p in (path, *path.parents)) and path.stem != "__main__":
                parts = inside.with_suffix("").parts
                parts = parts if parts[0] == "reducepp" else ("reducepp", *parts)
                yield ".".join(part for part in parts if part != "__init__"), path


def patterns_in(value: object, depth: int = 3) -> Iterator[AnyPattern]:
    """Compiled patterns in a module's variable, also inside containers and classes."""
    if isinstance(value, re.Pattern):
        yield value
    elif hasattr(value, "cache_info"):
        yield from compiled_by(value)
    elif depth and isinstance(value, type) and value.__module__.startswith("reducepp."):
        yield from patterns_in(list(vars(value).values()), depth - 1)
    elif depth and isinstance(value, dict):
        for item in value.values():
            yield from patterns_in(item, depth - 1)
    elif depth and isinstance(value, list | tuple | set | frozenset):
        for item in value:
            yield from patterns_in(item, depth - 1)


def compiled_by(function: Any) -> Iterator[AnyPattern]:
    """Patterns that are compiled on first use: by a function of switches, if any."""
    signature = inspect.signature(function)
    switches = all(p.annotation is bool for p in signature.parameters.values())
    if signature.return_annotation == re.Pattern[str] and switches:
        yield from (
            function(*args) for args in product((False, True), repeat=len(signature.parameters))
        )


def literal_patterns(path: Path, variables: dict[str, Any]) -> Iterator[AnyPattern]:
    """Patterns compiled inside functions: `re.sub("...", ...)`, `re.sub(NAME, ...)`."""
    tree = ast.parse(path.read_text("utf-8"))
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    for node in (inner for function in functions for inner in ast.walk(function)):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        module, _, function = ast.unparse(node.func).rpartition(".")
        if (module == "re" and function in FUNCTIONS) or function == "_pattern":
            given = node.args[0]
            text = given.value if isinstance(given, ast.Constant) else None
            text = variables.get(given.id) if isinstance(given, ast.Name) else text
            if isinstance(text, str | bytes):
                yield re.compile(text)


def anchored_names(sources: Iterable[str]) -> set[str]:
    """Variables of which no method is called but those that match from the start of a text."""
    used: dict[str, set[str]] = {}
    for source in sources:
        for variable, method in re.findall(r"\b(\w+)\.(\w+)\(", source):
            used.setdefault(variable, set()).add(method)
    return {name for name, methods in used.items() if methods <= {"match", "fullmatch"}}


def all_patterns() -> dict[tuple[str | bytes, int], str]:
    """Pattern and flags of every regular expression, with one module that has it.

    Patterns that are only matched from the start get the anchor that says so.
    """
    found: dict[tuple[str | bytes, int], str] = {}
    modules = dict(module_names())
    anchored = anchored_names(path.read_text("utf-8") for path in modules.values())
    for name, path in modules.items():
        try:
            variables = vars(importlib.import_module(name))
        except Exception:  # an extra that is not installed: what is written in it still counts
            variables = {}
        for variable, value in variables.items():
            for pattern in patterns_in(value):
                key: tuple[str | bytes, int] = (pattern.pattern, pattern.flags)
                if isinstance(value, re.Pattern) and variable in anchored:
                    whole = pattern.pattern
                    bytes_or_text = rb"\A(?:" + whole + rb")" if isinstance(whole, bytes) else ""
                    key = (bytes_or_text or rf"\A(?:{whole})", pattern.flags)
                found.setdefault(key, name)
        for pattern in literal_patterns(path, variables):
            found.setdefault((pattern.pattern, pattern.flags), name)
    for key in ("robot", "error", "login"):  # only ever matched from the start
        found[rf"\A(?:{compile_phrases(key).pattern})", re.UNICODE] = compile_phrases.__module__
    found[compile_phrases("documents").pattern, re.UNICODE] = compile_phrases.__module__
    return found


def mentioned(items: Any, characters: set[str], words: set[str]) -> None:
    """Collect one character of every class, and every literal word, of a parsed pattern."""
    word = ""
    for code, argument in items:
        if code is sre.LITERAL:
            word += chr(argument)
            characters.add(chr(argument))
            continue
        words.add(word)
        word = ""
        if code is sre.NOT_LITERAL:
            characters |= {chr(argument), "x"}
        elif code is sre.ANY:
            characters.add("x")
        elif code is sre.IN:
            characters |= set(members(argument))
        else:
            for part in parts_of(argument):
                mentioned(part, characters, words)
    words.add(word)


def parts_of(argument: Any) -> Iterator[parser.SubPattern]:
    """The patterns inside a group, a repetition or alternatives."""
    if isinstance(argument, parser.SubPattern):
        yield argument
    elif isinstance(argument, tuple | list):
        for item in argument:
            yield from parts_of(item)


def members(items: list[Any]) -> Iterator[str]:
    for code, argument in items:
        if code is sre.LITERAL:
            yield chr(argument)
        elif code is sre.RANGE:
            yield chr(argument[0])
        elif code is sre.CATEGORY:
            yield CATEGORIES.get(argument, "x")
        elif code is sre.NEGATE:
            yield "x"


def inputs(pattern: AnyPattern) -> Iterator[tuple[str, str]]:
    """What stands first, and what is repeated after it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        parsed = parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG)
    if not repeats_without_limit(parsed):
        return
    characters: set[str] = set()
    words: set[str] = set()
    mentioned(parsed, characters, words)
    long_words = sorted((w for w in words if len(w) > 1), key=lambda w: (len(w), w))[:MAX_WORDS]
    single = sorted(characters)[:MAX_CHARACTERS]
    fillers = [c for c in (" ", "a", "1", "x") if c in characters][:2]
    yield from (("", unit) for unit in (*single, *long_words))
    yield from (("", start + filler) for start in (*single, *long_words) for filler in fillers)
    yield from ((word, filler) for word in long_words for filler in fillers)


def repeats_without_limit(items: Any) -> bool:
    """Whether a pattern has a repetition without an upper limit: others are linear."""
    return any(
        (code in (sre.MAX_REPEAT, sre.MIN_REPEAT) and argument[1] is sre.MAXREPEAT)
        or any(repeats_without_limit(part) for part in parts_of(argument))
        for code, argument in items
    )


def seconds(pattern: AnyPattern, text: Any) -> float:
    start = time.process_time()
    pattern.search(text)
    return time.process_time() - start


def is_superlinear(pattern: AnyPattern, head: str, unit: str) -> bool:
    def text(size: int) -> Any:
        run = head + unit * (size // len(unit)) + "\x00"
        return run if isinstance(pattern.pattern, str) else run.encode("utf-8")

    if seconds(pattern, text(LONG)) < FAST:
        return False
    short, long = (min(seconds(pattern, text(n)) for _ in range(7)) for n in (SHORT, LONG))
    return long > FAST and long > MAX_RATIO * short


def test_a_quadratic_pattern_is_detected() -> None:
    assert is_superlinear(re.compile(r"a*b"), "", "a")
    assert not is_superlinear(re.compile(r"a*+c|b"), "", "b")


def slow_input(pattern: AnyPattern) -> str:
    """The first input that takes more than linear time; "" for none."""
    found = (f"{h!r} + {u!r} * n" for h, u in inputs(pattern) if is_superlinear(pattern, h, u))
    return next(found, "")


def test_patterns_are_linear() -> None:
    patterns = all_patterns()
    assert len(patterns) > 140
    folders = {name.split(".")[1] for name in patterns.values() if "." in name}
    assert folders >= {"scraping", "text", "evaluation"}
    found = {key: slow_input(re.compile(*key)) for key in patterns}
    slow = [f"{patterns[key]}: {key[0]!r}: {run}" for key, run in found.items() if run]
    assert not slow, "\n".join(slow)
