"""The measured figures: `python -m benchmarks [NAME...]`, all of them by default.

python -m benchmarks kernel speed
python -m benchmarks clicks --lists 1000    # options go to the one benchmark named
"""

import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path


def names() -> list[str]:
    """Every benchmark: a module of this folder with a `main`."""
    files = Path(__file__).parent.glob("[!_]*.py")
    return sorted(file.stem for file in files if "\ndef main(" in file.read_text("utf-8"))


def run(arguments: Sequence[str]) -> int:
    """Run the benchmarks named, or all; options go to a benchmark named alone."""
    at = next((i for i, word in enumerate(arguments) if word.startswith("-")), len(arguments))
    wanted, options = arguments[:at], arguments[at:]
    unknown = [name for name in wanted if name not in names()]
    if unknown:
        print(f"no benchmark {unknown[0]!r}: there are {', '.join(names())}", file=sys.stderr)
        return 2
    if options and len(wanted) != 1:
        print("options need one benchmark: python -m benchmarks NAME --option", file=sys.stderr)
        return 2
    status = 0
    for name in wanted or names():
        print(f"== {name}", flush=True)
        main = import_module(f"benchmarks.{name}").main
        status |= (main(options) if options else main()) or 0
        print(flush=True)
    return status


if __name__ == "__main__":
    raise SystemExit(run(sys.argv[1:]))
