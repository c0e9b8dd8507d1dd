"""A script that completes commands, options and their values in your shell."""

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path

from reducepp.cli.options import make_parser, read_options

Options = dict[str, list[str]]
"""Word before the value (an option, the command, its action) to the values that are known."""


def run(args: argparse.Namespace) -> int:
    """Print the script: completion.SHELL with the commands and options filled in."""
    options = find_options()
    flags = {n: " ".join(o for o in found if o.startswith("--")) for n, found in options.items()}
    parts = {
        "flags": (f'    {name}) flags="{listed}";;' for name, listed in flags.items()),
        "values": (
            f'    "{name} {before}") values="{" ".join(listed)}";;'
            for name, found in options.items()
            for before, listed in found.items()
            if listed
        ),
        "commands": [" ".join(options)],
        "lines": _fish_lines(options),
    }
    script = Path(__file__).with_name(f"completion.{args.shell}").read_text("utf-8")
    for name, lines in parts.items():
        script = script.replace(f"@{name}@", "\n".join(lines))
    print(script, end="" if args.shell == "fish" else "\n")
    return 0


def find_options() -> dict[str, Options]:
    """Command to its long options and their values; under its or an action's name what follows."""
    commands = read_options()["summaries"]
    return {name: dict(sorted(_options(name, make_parser(name)))) for name in commands}


def _options(name: str, parser: argparse.ArgumentParser) -> Iterable[tuple[str, list[str]]]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for word, sub in action.choices.items():
                yield from _options(word, sub)
        listed = [option for option in action.option_strings if option.startswith("--")]
        yield from ((option, _values(option, action)) for option in listed)
        if not action.option_strings and (values := _values(f"--{action.dest}", action)):
            yield name, values


def _values(option: str, action: argparse.Action) -> list[str]:
    if option == "--profile":
        from reducepp.weights.profile import profile_names

        return profile_names()
    if option == "--engine":
        from reducepp.scraping.search import ENGINES

        return sorted(ENGINES)
    return sorted(filter(None, map(str, action.choices or ())))


def _fish_lines(options: dict[str, Options]) -> Iterator[str]:
    start = "complete -c reducepp -n"
    for name, text in read_options()["summaries"].items():
        quoted = "'" + text.replace("'", "\\'") + "'"
        yield f"{start} __fish_use_subcommand -f -a {name} -d {quoted}"
    for name, found in options.items():
        for before, listed in found.items():
            values = f" -a '{' '.join(listed)}'" if listed else ""
            if before.startswith("--"):
                needs = " -r" if before == "--profile" else " -x" if listed else ""
                yield f"{start} '__reducepp_at {name}' -l {before[2:]}{needs}{values}"
            else:
                yield f"{start} '__reducepp_at {name} {before}' -f{values}"
