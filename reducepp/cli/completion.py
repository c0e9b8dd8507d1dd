"""A script that completes commands and options in your shell.

example:
  reducepp completion bash > ~/.local/share/bash-completion/completions/reducepp
  reducepp completion zsh > ~/.zfunc/_reducepp
  reducepp completion fish > ~/.config/fish/completions/reducepp.fish
"""

from __future__ import annotations

import argparse

from reducepp.cli.options import make_parser

BASH = """_reducepp() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" words
  if [ "$COMP_CWORD" -eq 1 ]; then words="{commands}"; else
    case "${{COMP_WORDS[1]}}" in
{cases}
    esac
  fi
  if [ "$COMP_CWORD" -eq 1 ] || [[ "$current" == -* ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  else
    COMPREPLY=($(compgen -f -- "$current"))
  fi
}}
complete -o filenames -F _reducepp reducepp
"""

ZSH_HEAD = "#compdef reducepp\nautoload -U bashcompinit && bashcompinit\n"


def run(args: argparse.Namespace) -> int:
    """Print the script."""
    options = find_options()
    print(_fish(options) if args.shell == "fish" else _bash(options, zsh=args.shell == "zsh"))
    return 0


def find_options() -> dict[str, list[str]]:
    """Command to its long options."""
    from reducepp.cli import COMMANDS

    found = {}
    for name in COMMANDS:
        listed = [option for a in make_parser(name)._actions for option in a.option_strings]
        found[name] = sorted(option for option in listed if option.startswith("--"))
    return found


def _bash(options: dict[str, list[str]], *, zsh: bool) -> str:
    cases = "\n".join(f'      {name}) words="{" ".join(o)}";;' for name, o in options.items())
    script = BASH.format(commands=" ".join(options), cases=cases)
    return f"{ZSH_HEAD}{script}" if zsh else script


def _fish(options: dict[str, list[str]]) -> str:
    from reducepp.cli import COMMANDS

    start = "complete -c reducepp -n __fish_use_subcommand -f -a"
    lines = [f"{start} {name} -d {_quote(text)}" for name, text in COMMANDS.items()]
    lines += [
        f"complete -c reducepp -n '__fish_seen_subcommand_from {name}' -l {option[2:]}"
        for name, listed in options.items()
        for option in listed
    ]
    return "\n".join(lines)


def _quote(text: str) -> str:
    return "'" + text.replace("'", "\\'") + "'"
