"""Tests call nobody: Haystack would report its use to its makers."""

import os

os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"
