"""The measured figures of the README: `python -m benchmarks [NAME...]`, all of them by default."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

NOT_ONE = ("data", "__main__", "__init__")


def names() -> list[str]:
    """Every benchmark: a module of this folder with a `main`."""
    return sorted(p.stem for p in Path(__file__).parent.glob("*.py") if p.stem not in NOT_ONE)


def run(wanted: list[str]) -> int:
    """Run the benchmarks named, or all."""
    unknown = [name for name in wanted if name not in names()]
    if unknown:
        print(f"no benchmark {unknown[0]!r}: there are {', '.join(names())}", file=sys.stderr)
        return 2
    for name in wanted or names():
        print(f"== {name}", flush=True)
        import_module(f"benchmarks.{name}").main()
        print(flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(run(sys.argv[1:]))
