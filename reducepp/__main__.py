"""`python -m reducepp` and the console script."""

import atexit
import os
import sys

from reducepp.cli import main


def run() -> int:
    """Run one command and leave at once when it is done.

    To take down numpy and our modules one by one would be a tenth of the time of a small command.
    """
    _open_closed_streams()
    status: list[int] = []
    atexit.register(_leave, status)  # the first registered is called last, after all others
    status.append(main())
    return status[0]


def _open_closed_streams() -> None:
    """Where the caller closed a standard stream (`>&-`), what it would take or give is nothing."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode))


def _leave(status: list[int]) -> None:
    """End the process where a command came to its end; an exception leaves as Python does."""
    if status:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status[0])


if __name__ == "__main__":
    raise SystemExit(run())
