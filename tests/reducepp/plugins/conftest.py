"""Tests call nobody: Haystack would report its use to its makers."""

from __future__ import annotations

import os

os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"
