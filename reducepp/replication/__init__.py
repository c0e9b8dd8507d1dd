"""What each of the five papers prints, on any data, beside the published numbers."""

import tomllib
from importlib.resources import files
from typing import Any

PUBLISHED: dict[str, Any] = tomllib.loads((files(__name__) / "published.toml").read_text("utf-8"))
"""What the papers print: `paper1` to `paper5`, then the table."""
