"""Closes cookie and consent banners: refuses where there is a button for it, agrees otherwise."""

import json
import tomllib
from pathlib import Path


def _read_script() -> str:
    """`consent.js` with the selectors and patterns of `consent.toml` in it."""
    lists = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    texts = ["|".join(lists[name]) for name in ("refuse_texts", "agree_texts")]
    values = (lists["refuse"], lists["agree"], texts, lists["banner_names"], lists["dialog_text"])
    script = Path(__file__).with_suffix(".js").read_text("utf-8")
    return script.replace("CONSENT", json.dumps(values))


CLOSE_BANNERS = _read_script()
"""Script: clicks the closing button if there is one, then removes banners that are still shown."""
