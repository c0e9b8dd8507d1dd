"""py3langid's n-gram model, kept unpacked in the user's cache folder.

The package holds it compressed: unpacking takes half a second of every process that needs it,
reading the 68 MB of the unpacked file a tenth of that.
"""

import os
import zlib
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

_PACKED = ".npz.xz"
"""How the name of a model ends whose arrays can be kept."""


def load_identifier() -> Any:
    """py3langid, or an identifier of its own arrays from the cache: each has `rank`."""
    import py3langid
    from py3langid import langid

    packed = Path(langid.MODEL_DIR, langid.MODEL_FILE)
    if packed.name.endswith(_PACKED):
        try:
            return _read(_unpacked(packed))
        except (OSError, EOFError, BadZipFile, ValueError, KeyError, TypeError):
            pass  # a folder that cannot be written, a damaged file, another layout
    py3langid.rank("")  # loads the model
    return py3langid


def _unpacked(packed: Path) -> Path:
    """The model's file in the cache, named by its contents and written where there is none."""
    import lzma

    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    content = packed.read_bytes()
    path = Path(home, "reducepp", f"ngrams-{zlib.crc32(content):08x}.npz")
    if not path.exists():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        aside = path.with_suffix(f".{os.getpid()}.part")  # what a power cut damages has a wrong sum
        try:
            aside.write_bytes(lzma.decompress(content))
            aside.replace(path)
        finally:
            aside.unlink(missing_ok=True)
    return path


def _read(path: Path) -> Any:
    import numpy as np
    from py3langid.langid import LanguageIdentifier

    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as model:
            return LanguageIdentifier(
                model["ptc"],
                model["pc"],
                model["classes"].tolist(),
                memoryview(model["nextmove"]),  # its items are numbers of Python, which are faster
                model["out_feat"].tolist(),
                tk_row=model["nextmove_row"].tolist(),
            )
    except (BadZipFile, ValueError, EOFError):
        path.unlink(missing_ok=True)  # damaged: written anew by the next process
        raise
