"""What holds for every test."""

from __future__ import annotations

import signal

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts background jobs deaf to Ctrl-C, and every command a test starts would be too.
    signal.signal(signal.SIGINT, signal.default_int_handler)
