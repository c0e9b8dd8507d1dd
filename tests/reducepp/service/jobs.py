"""Jobs for workers: they echo, sleep, compute, go on regardless, or die."""

import os
import signal
import time

from reducepp.service.workers import HttpAnswer


def job(name: str, body: bytes) -> HttpAnswer:
    """Do what the name says."""
    if name == "sleep":
        time.sleep(float(body))
    elif name == "compute":
        while time.process_time() < 600:
            pass
    elif name == "stubborn":
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM, signal.SIGPROF})
        time.sleep(float(body))
    elif name == "swallow":
        try:
            time.sleep(float(body))
        except Exception:
            return 500, b"swallowed"
    elif name == "hoard":
        try:
            bytearray(3 << 30)
        except MemoryError:
            return 413, b""
    elif name == "die":
        os._exit(9)
    return 200, body
