"""The command line: each command is a module with `run(args)`; its options are in
command_options/.

Only the module of the command that was named is imported, so that help stays quick.
"""

import errno
import gc
import io
import os
import signal
import sys
import threading
import time
from collections.abc import Sequence
from importlib import import_module
from itertools import takewhile

from reducepp import __version__
from reducepp.cli.options import CommandParser, make_parser, read_options
from reducepp.cli.output import check_outputs, check_packages, detail, set_verbosity
from reducepp.cli.settings import apply, describe, read_settings, relax
from reducepp.errors import ReduceppError, UsageError
from reducepp.io.escaping import escape_controls, safe_terminal
from reducepp.parallel import memory_limit

COMMANDS: dict[str, str] = read_options()["summaries"]
"""Command name to its line in `reducepp --help`; the module is `reducepp.cli.<name>_command`."""
MAX_MESSAGE_CHARS = 600

ALLOCATIONS_BETWEEN_COLLECTIONS = 50_000
"""Python's own 700 makes it look for cycles, of which pages have none, for a twentieth of the CPU
time of 10,000 pages."""
ONE_THREAD = ("OPENBLAS_NUM_THREADS", "1")
"""Set before numpy is imported, where the environment does not: threads of its linear algebra wait
for work in a loop, which takes more CPU time than they save on 2 to 1,500 pages."""
SHOW = "--show-config"
FOR_EVERY_COMMAND = ("-q", "--quiet", "-v", "--verbose", SHOW)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command: 0 done, 1 failed (one line on stderr says why), 2 wrong usage."""
    os.environ.setdefault(*ONE_THREAD)
    gc.set_threshold(ALLOCATIONS_BETWEEN_COLLECTIONS)
    words = _command_first(list(sys.argv[1:] if argv is None else argv))
    program = f"reducepp {words[0]}" if words and words[0] in COMMANDS else "reducepp"
    _write_utf8()
    try:
        if program == "reducepp":
            _top_parser().parse_args(words or ["--help"])  # prints and leaves
        _leave_on_sigterm(words[0])
        with safe_terminal():
            return _run_command(words[0], words[1:])
    except ReduceppError as error:
        # It may quote a hostile file: nothing that moves the cursor, no endless line.
        line = "".join(c if c.isprintable() else " " for c in escape_controls(str(error)))
        short = line if len(line) <= MAX_MESSAGE_CHARS else line[: MAX_MESSAGE_CHARS - 1] + "…"
        print(f"{program}: {short}", file=sys.stderr)
        return 2 if isinstance(error, UsageError) else 1
    except OSError as error:
        is_pipe = isinstance(error, BrokenPipeError)
        if not is_pipe and error.errno not in (errno.ENOSPC, errno.EIO, errno.EDQUOT):
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if is_pipe:
            return 0
        print(f"{program}: cannot write: {error.strerror}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"{program}: interrupted", file=sys.stderr)
        return 130


def _command_first(words: list[str]) -> list[str]:
    """The command, the options that every command has, wherever they are, and the rest."""
    options = list(takewhile(lambda word: word != "--", words))
    flags = [word for word in options if word in FOR_EVERY_COMMAND]
    rest = [word for word in options if word not in FOR_EVERY_COMMAND] + words[len(options) :]
    return rest[:1] + flags + rest[1:]


def _leave_on_sigterm(command: str) -> None:
    """End by SystemExit, so that half-written files are removed; `collect` resumes from any end."""
    is_default = signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    is_main = threading.current_thread() is threading.main_thread()
    if command != "collect" and is_default and is_main:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))


def _run_command(name: str, words: list[str]) -> int:
    parser = make_parser(name)
    settings = read_settings(list(COMMANDS))
    apply(settings, parser, name)
    if SHOW in words:
        relax(parser)
        words = [word for word in words if word != SHOW]
        sys.stdout.write(describe(settings, parser, parser.parse_args(words), words))
        return 0
    args = parser.parse_args(words)
    set_verbosity(quiet=args.quiet, verbose=args.verbose)
    detail(f"settings: {settings.path or 'no file'}; {len(settings.origins)} set")
    check_outputs(args)
    check_packages(args)
    started = time.monotonic()
    module = import_module(f"reducepp.cli.{name}_command")
    run = module.ACTIONS[args.action] if "action" in args else module.run
    limit = 0 if name == "reduce" else getattr(args, "memory", 0)  # it divides it among processes
    if limit:
        args.jobs = 1
    gc.freeze()
    with memory_limit(limit):
        status: int = run(args)
    sys.stdout.flush()
    detail(f"{name}: {time.monotonic() - started:.1f} s")
    return status


def _write_utf8() -> None:
    """Files and pipes get UTF-8 whatever the locale; a terminal what it can show, else \\u."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.encoding.lower() != "utf-8":
            if stream.isatty():
                stream.reconfigure(errors="backslashreplace")
            else:
                stream.reconfigure(encoding="utf-8")


def _top_parser() -> CommandParser:
    width = max((len(name) for name in COMMANDS), default=0)
    lines = "\n".join(f"  {name:<{width}}  {text}" for name, text in COMMANDS.items())
    parser = CommandParser(
        prog="reducepp",
        description="De-duplicate web search results: which page was dropped in favour of "
        "which, why, and what was lost.",
        epilog=f"commands:\n{lines}\n\n'reducepp COMMAND --help' shows a command with an example.",
    )
    parser.add_argument("-V", "--version", action="version", version=f"reducepp {__version__}")
    parser.add_argument("command", choices=COMMANDS, metavar="COMMAND", help="one of those below")
    return parser
