"""A click log of a million result lists: time, memory, and whether the scores come back.

    python -m benchmarks clicks [--lists 1000000]

People are made up: of two redundant results they take the one on top, of others the one they
prefer. Prints the average score of pairs made redundant and of others, and the peak memory.
"""

import argparse
import json
import random
import resource
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from reducepp.similarity.click_log import LogNotes
from reducepp.similarity.click_scores import read_clicks

RESULTS, TAIL = 10, 0.5


def write_log(path: Path, lists: int, seed: int = 0) -> None:
    """Ten results a list, neighbours swapped at random; half of the queries are asked once."""
    rng = random.Random(seed)
    with path.open("w", encoding="utf-8") as file:
        for number in range(lists):
            rare = rng.random() < TAIL
            query = f"rare {number}" if rare else f"query {int(rng.paretovariate(0.9)) % 500}"
            order = list(range(RESULTS))
            at = rng.randrange(RESULTS - 1)
            order[at], order[at + 1] = order[at + 1], order[at]
            shown = [f"https://site{i}.example/{query.replace(' ', '-')}" for i in order]
            clicked = [shown[i] for i in _clicked(order, rng)]
            file.write(json.dumps({"query": query, "shown": shown, "clicked": clicked}) + "\n")


def _clicked(order: Sequence[int], rng: random.Random) -> Iterator[int]:
    """Of results 2k and 2k + 1, k even, the upper one is taken; of others the lower number."""
    at = rng.randrange(RESULTS - 1)
    top, bottom = order[at], order[at + 1]
    redundant = top // 2 == bottom // 2 and (top // 2) % 2 == 0
    if redundant:
        yield at if rng.random() < 0.9 else at + 1
    else:
        yield at if (top < bottom) == (rng.random() < 0.8) else at + 1


def main(argv: Sequence[str] = ()) -> int:
    """Write the log, read it, print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lists", type=int, default=1_000_000)
    args = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log.jsonl"
        write_log(path, args.lists)
        before, started, notes = _peak(), time.perf_counter(), LogNotes()
        scores: dict[bool, list[float]] = {True: [], False: []}
        for pair in read_clicks(str(path), notes=notes):
            u, v = (int(address[len("https://site")]) for address in (pair.u, pair.v))
            scores[u // 2 == v // 2 and (u // 2) % 2 == 0].append(pair.score)
        seconds = time.perf_counter() - started
        print(f"{notes.lists} lists, {path.stat().st_size >> 20} MiB, {seconds:.0f} s")
        print(f"peak memory {_peak()} MiB, of which {before} before reading")
        for redundant, found in scores.items():
            mean = sum(found) / max(len(found), 1)
            name = "redundant" if redundant else "others"
            print(f"{name:<10} {len(found):>7} pairs, mean {mean:.3f}")
    return 0


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
