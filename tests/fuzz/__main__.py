"""Tries mutated inputs on every parser and keeps those that find a mistake.

Each format runs in a process of its own, with coverage guidance where atheris is installed. An
input that takes too long, too much memory or the process with it is a find too, and the rest goes
on in a new process.
"""

from __future__ import annotations

import argparse
import hashlib
import logging
import os
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

MAX_SECONDS = 10
"""Processor time for one input, so that other work on the machine makes no find."""
MAX_WAITING_SECONDS = 120
"""By the clock, for an input that waits for something."""
MAX_MEMORY_BYTES = 1_500_000_000
"""For one input, beyond what the process starts with."""
MIN_LONGEST_INPUT = 4_000
"""Bytes that any input may have under coverage guidance; else twice the longest seed, as it grows
inputs without end and tries the fewer."""
MAX_ENDS = 20
"""Processes that may end early before a format is given up."""


def main() -> int:
    """Share the inputs among the formats, print a table, exit 1 if there are finds."""
    args = _arguments()
    if args.child:
        return _fuzz(args.child, args.inputs, args.seed, args.out)
    args.out.mkdir(parents=True, exist_ok=True)
    names = args.formats.split(",") if args.formats else _names()
    print(f"{'format':14}{'inputs':>8}{'finds':>7}{'seconds':>9}", flush=True)
    all_finds = 0
    for name in names:
        start = time.monotonic()
        tried, finds = _run_format(name, -(-args.inputs // len(names)), args)
        all_finds += finds
        print(f"{name:14}{tried:8}{finds:7}{time.monotonic() - start:9.0f}", flush=True)
    print(f"{all_finds} finds in {args.out}" if all_finds else "no finds")
    return 1 if all_finds else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--inputs", type=int, default=100_000, help="of all formats together")
    parser.add_argument("--formats", default="", help="names with commas; default: all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("build/fuzz"), help="folder of finds")
    parser.add_argument("--child", default="", help=argparse.SUPPRESS)
    return parser.parse_args()


def _names() -> list[str]:
    from tests.fuzz.targets import TARGETS

    return list(TARGETS)


def _run_format(name: str, inputs: int, args: argparse.Namespace) -> tuple[int, int]:
    """How many inputs were tried, and how many finds there are."""
    before = len(list(args.out.glob("*.txt")))
    tried = 0
    for end in range(MAX_ENDS):
        with tempfile.TemporaryDirectory() as folder:
            words = ["--child", name, "--inputs", str(inputs - tried), "--out", str(args.out)]
            words += ["--seed", str(args.seed + end)]
            done = subprocess.run(
                [sys.executable, "-m", "tests.fuzz", *words],
                env=os.environ | {"TMPDIR": folder},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                check=False,
            )
            count, _, last = _last_input(Path(folder)).partition(b"\n")
            tried += int(count or 0)
            if tried >= inputs:
                break
            reason = f"the process ended with {done.returncode}\n".encode() + done.stderr[-4_000:]
            _save(args.out, name, last, reason.decode("utf-8", "replace"), f"{name}{end}")
    return tried, len(list(args.out.glob("*.txt"))) - before


def _last_input(folder: Path) -> bytes:
    path = folder / "last"
    return path.read_bytes() if path.exists() else b""


def _save(out: Path, name: str, data: bytes, why: str, key: str) -> None:
    """A find under a name that is the same for the same mistake."""
    path = out / f"{name.replace(' ', '-')}-{hashlib.sha256(key.encode()).hexdigest()[:12]}"
    if not path.with_suffix(".txt").exists():
        path.with_suffix(".bin").write_bytes(data)
        path.with_suffix(".txt").write_text(why, "utf-8")


def _fuzz(name: str, inputs: int, seed: int, out: Path) -> int:
    """In a process of its own: with atheris where it is installed, else by mutation alone."""
    logging.disable(logging.CRITICAL)
    try:
        import atheris
    except ImportError:
        return _fuzz_by_mutation(name, inputs, seed, out)
    with atheris.instrument_imports(include=["reducepp"]):
        from tests.fuzz.targets import TARGETS
    from tests.fuzz.mutations import MAX_BYTES, mutate

    target = TARGETS[name]
    seeds = list(target.seeds())
    corpus = Path(tempfile.mkdtemp())
    for number, data in enumerate(seeds):
        (corpus / str(number)).write_bytes(data)
    try_one = _recorder(name, out, lambda data: _try(name, data))

    def change(data: bytes, most: int, seed: int) -> bytes:
        random = Random(seed)
        if random.random() < 0.3:
            return bytes(atheris.Mutate(data, most))
        return mutate(data, random, target.words, seeds)[:most]

    options = [f"-runs={inputs}", f"-timeout={MAX_WAITING_SECONDS}", f"-seed={seed}"]
    longest = min(MAX_BYTES, max(MIN_LONGEST_INPUT, 2 * max(map(len, seeds))))
    options += [f"-max_len={longest}", "-rss_limit_mb=4000"]
    options += [f"-artifact_prefix={corpus.parent}/", str(corpus)]
    _limit_memory()
    atheris.Setup(["fuzz", *options], try_one, custom_mutator=change)
    atheris.Fuzz()
    return 0


def _fuzz_by_mutation(name: str, inputs: int, seed: int, out: Path) -> int:
    from tests.fuzz.mutations import mutate
    from tests.fuzz.targets import TARGETS

    target = TARGETS[name]
    seeds = list(target.seeds())
    try_one = _recorder(name, out, lambda data: _try(name, data))
    _limit_memory()
    random = Random(seed)
    for _ in range(inputs):
        signal.alarm(MAX_WAITING_SECONDS)
        try_one(mutate(random.choice(seeds), random, target.words, seeds))
    return 0


def _try(name: str, data: bytes) -> None:
    from tests.fuzz.targets import TARGETS, try_input

    try_input(TARGETS[name], data)


def _limit_memory() -> None:
    from reducepp.sandbox_process import limit_memory

    limit_memory(MAX_MEMORY_BYTES)


def _recorder(name: str, out: Path, run: Callable[[bytes], Any]) -> Callable[[bytes], None]:
    """Runs an input, which stands in a file meanwhile, and saves it if it finds a mistake."""
    last = Path(tempfile.gettempdir()) / "last"
    tried = 0

    def try_one(data: bytes) -> None:
        nonlocal tried
        tried += 1
        last.write_bytes(b"%d\n%s" % (tried, data))
        signal.setitimer(signal.ITIMER_PROF, MAX_SECONDS)  # its default action ends the process
        try:
            run(data)
        except Exception as error:
            _save(out, name, data, traceback.format_exc(), _place(error))

    return try_one


def _place(error: BaseException) -> str:
    """Kind and line of an error: one mistake is found many times."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "/fuzz/" not in frame.filename][-1:]
    return f"{type(error).__name__} {[(frame.filename, frame.lineno) for frame in ours]}"


if __name__ == "__main__":
    sys.exit(main())
