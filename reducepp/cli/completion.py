"""A script that completes commands, options and their values in your shell.

example:
  reducepp completion bash > ~/.local/share/bash-completion/completions/reducepp
  reducepp completion zsh > ~/.zfunc/_reducepp
  reducepp completion fish > ~/.config/fish/completions/reducepp.fish
"""

import argparse
from collections.abc import Iterable

from reducepp.cli.options import make_parser

CASES = """  case "$command" in
{flags}
  esac
  case "$command $previous" in
{values}
  esac
  [ -n "$command" ] || values="{commands}"
"""

BASH = """_reducepp() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" previous="${{COMP_WORDS[COMP_CWORD-1]}}"
  local command="" flags="" values=""
  [ "$COMP_CWORD" -eq 1 ] || command="${{COMP_WORDS[1]}}"
  [ "$previous" != = ] || previous="${{COMP_WORDS[COMP_CWORD-2]}}"
  [ "$current" != = ] || current=""
{cases}
  if [[ "$current" == -* ]]; then values="$flags"; fi
  COMPREPLY=($(compgen -W "$values" -- "$current"))
  if [ ${{#COMPREPLY[@]}} -eq 0 ] || [ "$previous" = --profile ]; then
    COMPREPLY+=($(compgen -f -- "$current"))
  fi
}}
complete -o filenames -F _reducepp reducepp
"""

ZSH = """#compdef reducepp
_reducepp() {{
  local current="${{words[CURRENT]}}" previous="${{words[CURRENT-1]}}" command="" flags="" values=""
  (( CURRENT == 2 )) || command="${{words[2]}}"
  if [[ "$current" == --*=* ]]; then previous="${{current%%=*}}"; compset -P '*='; current=""; fi
{cases}
  if [[ "$current" == -* ]]; then values="$flags"; fi
  compadd -- ${{=values}} && [[ "$previous" != --profile ]] || _files
}}
if [[ "${{zsh_eval_context[-1]}}" == loadautofunc ]]; then _reducepp "$@"
else compdef _reducepp reducepp; fi
"""

FISH = """function __reducepp_at
  set -l typed (commandline -opc)
  test "$typed[2]" = "$argv[1]"; and test -z "$argv[2]" -o "$typed[-1]" = "$argv[2]"
end
"""

Options = dict[str, list[str]]
"""Word before the value (an option, the command, its action) to the values that are known."""


def run(args: argparse.Namespace) -> int:
    """Print the script."""
    options = find_options()
    print(_fish(options) if args.shell == "fish" else _script(options, args.shell))
    return 0


def find_options() -> dict[str, Options]:
    """Command to its long options and their values; under its or an action's name what follows."""
    from reducepp.cli import COMMANDS

    return {name: dict(sorted(_options(name, make_parser(name)))) for name in COMMANDS}


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


def _script(options: dict[str, Options], shell: str) -> str:
    """The script of bash or zsh, which differ in how they name what is typed."""

    def flags(found: Options) -> str:
        return " ".join(option for option in found if option.startswith("--"))

    values = (
        f'    "{name} {before}") values="{" ".join(listed)}";;'
        for name, found in options.items()
        for before, listed in found.items()
        if listed
    )
    cases = CASES.format(
        flags="\n".join(f'    {name}) flags="{flags(found)}";;' for name, found in options.items()),
        values="\n".join(values),
        commands=" ".join(options),
    )
    return (ZSH if shell == "zsh" else BASH).format(cases=cases)


def _fish(options: dict[str, Options]) -> str:
    from reducepp.cli import COMMANDS

    start = "complete -c reducepp -n"
    lines = [
        f"{start} __fish_use_subcommand -f -a {name} -d {_quote(text)}"
        for name, text in COMMANDS.items()
    ]
    for name, found in options.items():
        for before, listed in found.items():
            values = f" -a '{' '.join(listed)}'" if listed else ""
            if before.startswith("--"):
                needs = " -r" if before == "--profile" else " -x" if listed else ""
                lines.append(f"{start} '__reducepp_at {name}' -l {before[2:]}{needs}{values}")
            else:
                lines.append(f"{start} '__reducepp_at {name} {before}' -f{values}")
    return FISH + "\n".join(lines)


def _quote(text: str) -> str:
    return "'" + text.replace("'", "\\'") + "'"
