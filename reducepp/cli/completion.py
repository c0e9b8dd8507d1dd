"""A script that completes commands, options and their values in your shell.

example:
  reducepp completion bash > ~/.local/share/bash-completion/completions/reducepp
  reducepp completion zsh > ~/.zfunc/_reducepp
  reducepp completion fish > ~/.config/fish/completions/reducepp.fish
"""

import argparse
from collections.abc import Iterable

from reducepp.cli.options import make_parser

BASH = """_reducepp() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" words values=""
  if [ "$COMP_CWORD" -eq 1 ]; then words="{commands}"; else
    case "${{COMP_WORDS[1]}}" in
{cases}
    esac
    case "${{COMP_WORDS[1]}} ${{COMP_WORDS[COMP_CWORD-1]}}" in
{values}
    esac
  fi
  if [ "$COMP_CWORD" -eq 1 ] || [[ "$current" == -* ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  else
    COMPREPLY=($(compgen -W "$values" -- "$current") $(compgen -f -- "$current"))
  fi
}}
complete -o filenames -F _reducepp reducepp
"""

ZSH_HEAD = "#compdef reducepp\nautoload -U bashcompinit && bashcompinit\n"

Options = dict[str, list[str]]
"""Word that stands before the value, an option or the command itself, to what may follow it."""


def run(args: argparse.Namespace) -> int:
    """Print the script."""
    options = find_options()
    print(_fish(options) if args.shell == "fish" else _bash(options, zsh=args.shell == "zsh"))
    return 0


def find_options() -> dict[str, Options]:
    """Command to its long options and their values; under its own name what may follow it."""
    from reducepp.cli import COMMANDS

    return {name: dict(sorted(_options(name, make_parser(name)))) for name in COMMANDS}


def _options(name: str, parser: argparse.ArgumentParser) -> Iterable[tuple[str, list[str]]]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for sub in action.choices.values():
                yield from _options("", sub)
        listed = [option for option in action.option_strings if option.startswith("--")]
        yield from ((option, _values(option, action)) for option in listed)
        if name and not action.option_strings and action.choices:
            yield name, sorted(map(str, action.choices))


def _values(option: str, action: argparse.Action) -> list[str]:
    if option == "--profile":
        from reducepp.weights.profile import profile_names

        return profile_names()
    if option == "--engine":
        from reducepp.scraping.search import ENGINES

        return sorted(ENGINES)
    return sorted(filter(None, map(str, action.choices or ())))


def _bash(options: dict[str, Options], *, zsh: bool) -> str:
    def words(found: Options) -> str:
        return " ".join(option for option in found if option.startswith("--"))

    cases = (f'      {name}) words="{words(found)}";;' for name, found in options.items())
    values = (
        f'      "{name} {before}") values="{" ".join(listed)}";;'
        for name, found in options.items()
        for before, listed in found.items()
        if listed
    )
    commands = " ".join(options)
    script = BASH.format(commands=commands, cases="\n".join(cases), values="\n".join(values))
    return f"{ZSH_HEAD}{script}" if zsh else script


def _fish(options: dict[str, Options]) -> str:
    from reducepp.cli import COMMANDS

    start = "complete -c reducepp -n"
    lines = [
        f"{start} __fish_use_subcommand -f -a {name} -d {_quote(text)}"
        for name, text in COMMANDS.items()
    ]
    for name, found in options.items():
        for before, listed in found.items():
            flag = f" -l {before[2:]}" if before.startswith("--") else ""
            values = f" {'-r' if flag else ''} -a '{' '.join(listed)}'" if listed else ""
            lines.append(f"{start} '__fish_seen_subcommand_from {name}'{flag}{values}")
    return "\n".join(lines)


def _quote(text: str) -> str:
    return "'" + text.replace("'", "\\'") + "'"
