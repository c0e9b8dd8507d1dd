"""Mutation testing of the engine: `make mutation`.

cosmic-ray changes one place of a module at a time, in a copy of the repository; a sample of the
changes is tried on the module's tests, and those that no test notices are printed.
"""

import argparse
import json
import re
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random

ROOT = Path(__file__).parent.parent
CLUSTERING = "tests/reducepp/clustering"
SIMILARITY = "tests/reducepp/similarity"
PIPELINE = "tests/reducepp/test_pipeline.py"
TESTS = {
    "reducepp/clustering/tree.py": f"{CLUSTERING} {SIMILARITY}/test_candidates.py",
    "reducepp/clustering/linkage.py": CLUSTERING,
    "reducepp/clustering/levels.py": CLUSTERING,
    "reducepp/clustering/representatives.py": f"{CLUSTERING} {PIPELINE}",
    "reducepp/similarity/combine.py": f"{SIMILARITY}/test_models.py {PIPELINE}",
    "reducepp/similarity/measures": f"{SIMILARITY} tests/test_core.py",
    "reducepp/similarity/models/log_odds.py": f"{SIMILARITY}/test_log_odds.py tests/test_core.py",
    "reducepp/evidence/facts": "tests/reducepp/evidence",
    "benchmarks/log_odds_fit.py": "tests/test_log_odds_fit.py",
}
"""A module or folder, and the tests that should notice a change of it."""
SECONDS = 300.0
"""For the tests of one change."""


def main() -> int:
    """Print the changes that survive, then how many were tried and noticed."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("--sample", type=int, default=20, help="changes per module; default: 20")
    parser.add_argument("--only", default="", help="modules whose path contains this")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    for module in (name for name in TESTS if args.only in name):
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "copy"
            subprocess.run(["git", "clone", "--quiet", str(ROOT), str(copy)], check=True)
            try_module(module, copy, args.sample, Random(args.seed))
    return 0


def try_module(module: str, copy: Path, sample: int, random: Random) -> None:
    """Try a sample of the changes of one module in a copy of the repository."""
    command = f"{sys.executable} -m pytest -x -q -p no:cacheprovider {TESTS[module]}"
    lines = {"module-path": module, "timeout": SECONDS, "test-command": command}
    lines["excluded-modules"] = []
    settings = "".join(f"{name} = {json.dumps(value)}\n" for name, value in lines.items())
    (copy / "mutation.toml").write_text(
        f'[cosmic-ray]\n{settings}[cosmic-ray.distributor]\nname = "local"\n', "utf-8"
    )
    words = [str(Path(sys.executable).with_name("cosmic-ray"))]
    subprocess.run([*words, "init", "mutation.toml", "session"], cwd=copy, check=True)
    with sqlite3.connect(copy / "session") as session:
        jobs = [job for (job,) in session.execute("SELECT job_id FROM work_items ORDER BY job_id")]
        left_out = set(jobs) - set(random.sample(jobs, min(sample, len(jobs))))
        for table in ("mutation_specs", "work_items"):
            session.executemany(f"DELETE FROM {table} WHERE job_id = ?", [(j,) for j in left_out])
    session.close()
    subprocess.run([*words, "exec", "mutation.toml", "session"], cwd=copy, check=True)
    report(module, len(jobs), copy / "session")


def report(module: str, possible: int, session: Path) -> None:
    """One line for the module, and the place and change of each survivor."""
    with sqlite3.connect(session) as database:
        rows = database.execute(
            "SELECT lower(test_outcome), start_pos_row, operator_name, diff FROM work_results "
            "JOIN mutation_specs USING (job_id) ORDER BY 2"
        ).fetchall()
    survived = [row for row in rows if "survived" in row[0]]
    print(f"{module}: {len(rows)} of {possible} changes, {len(survived)} survived", flush=True)
    for _, line, operator, diff in survived:
        changed = re.findall(r"^[+-](?![+-]{2} ).*", diff or "", re.MULTILINE)
        print(f"  line {line}, {operator}: {' => '.join(changed)}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
