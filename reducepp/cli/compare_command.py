"""Compare given pairs of pages or texts, one JSON line each."""

import sys
from argparse import Namespace
from itertools import islice
from typing import Any

from reducepp.api import ReduceOptions, compare_two
from reducepp.cli.command_input import options_of
from reducepp.cli.output import note
from reducepp.errors import InputError
from reducepp.inputs import read_one
from reducepp.io.bounded_reading import parse_json, text_lines
from reducepp.io.writers import json_lines
from reducepp.parallel import map_in_order

BATCH = 64


def run(args: Namespace) -> int:
    """Compare line by line, on all cores where there are many lines."""
    lines = (line for line in text_lines(args.input) if line.strip())
    batches = iter(lambda: list(islice(lines, BATCH)), [])
    count = wrong = 0
    for answers in map_in_order(compare_lines, batches, options_of(args), jobs=args.jobs):
        sys.stdout.write(json_lines(answers))
        count, wrong = count + len(answers), wrong + sum("error" in answer for answer in answers)
    if wrong:
        note(f"{wrong} of {count} lines are no pairs: their answers say why")
    return 0


def compare_lines(lines: list[str], options: ReduceOptions) -> list[dict[str, Any]]:
    """One answer per line."""
    answers = []
    for line in lines:
        try:
            pair = parse_json(line)
            if not isinstance(pair, dict) or "a" not in pair or "b" not in pair:
                raise InputError('not an object with "a" and "b"')
            a, b = (read_one(pair[name], name) for name in "ab")
        except ValueError as error:
            answers.append({"error": f"not JSON: {error}"})
        except InputError as error:
            answers.append({"error": str(error)})
        else:
            answers.append(compare_two(a, b, options))
    return answers
