"""A folder is a layer: what each may import, no import cycles, and what a plain import may load."""

import ast
import sys
from collections import Counter
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.programs import run_program

ROOT = Path(__file__).parent.parent
PACKAGES = ("reducepp", "scraping", "weights", "evaluation")

LAYERS: tuple[tuple[str, ...], ...] = (
    ("types", "errors", "translations"),
    ("parallel",),
    ("sandbox_process",),
    ("sandbox",),
    ("text",),
    ("io",),
    ("similarity",),
    ("clustering",),
    ("evidence",),
    ("labelled",),
    ("comparison",),
    ("pipeline",),
    ("scraping.decode",),
    ("scraping.extract",),
    ("scraping.search",),
    ("scraping.fetch",),
    ("scraping.store",),
    ("scraping", "weights", "evaluation"),
    ("replication",),
    ("inputs", "input_kinds"),
    ("api",),
    ("index",),
    ("cluster",),
    ("filtering",),
    ("demo",),
    ("plugins",),
    ("service",),
    ("cli",),
)
"""From the bottom up. A module imports its own folder and the layers below it; folders of one
layer do not import each other."""


def module_name(path: Path) -> str:
    """Name inside the package: `scraping.fetch.http` for scraping/fetch/http.py."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    parts = parts[1:] if parts[0] == "reducepp" else parts
    return ".".join(part for part in parts if part != "__init__")


def source_files() -> dict[str, Path]:
    files = (path for package in PACKAGES for path in (ROOT / package).glob("**/*.py"))
    return {module_name(path): path for path in files if not path.is_symlink()}


MODULES = source_files()


def imports_of(path: Path) -> set[str]:
    """Modules of ours that a file imports anywhere, also inside functions."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    own = {name.removeprefix("reducepp.") for name in found if name.startswith("reducepp.")}
    return {name for name in own if name in MODULES}


def layer_of(module: str) -> tuple[int, str]:
    """Number of the layer and the folder in it; the public names of `reducepp` are on top."""
    known = {folder: number for number, layer in enumerate(LAYERS) for folder in layer}
    parts = module.split(".")
    for end in range(len(parts), 0, -1):
        if (folder := ".".join(parts[:end])) in known:
            return known[folder], folder
    return len(LAYERS), ""


def cycle_of(graph: dict[str, set[str]]) -> list[str]:
    """Modules that import each other in turn; empty where none do."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


@pytest.mark.parametrize("module", sorted(MODULES))
def test_a_module_imports_only_layers_below_its_own(module: str) -> None:
    number, folder = layer_of(module)
    for imported in imports_of(MODULES[module]):
        below, its_folder = layer_of(imported)
        assert below < number or its_folder == folder, f"{module} imports {imported}"


def test_no_module_imports_itself_through_others() -> None:
    graph = {
        name: {other for other in imports_of(path) if not name.startswith(other + ".")} - {name}
        for name, path in MODULES.items()
    }
    assert cycle_of(graph) == []
    assert cycle_of({"a": {"b"}, "b": {"c"}, "c": {"a"}}) == ["a", "c", "b", "a"]


def test_no_two_modules_share_a_name() -> None:
    names = Counter(path.name for path in MODULES.values() if path.name != "__init__.py")
    assert [name for name, count in names.items() if count > 1] == []


def test_folders_are_imported_by_their_installed_name() -> None:
    for module, path in MODULES.items():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                top = node.module.split(".")[0]
                assert top not in PACKAGES[1:], f"{module}: from {node.module}"


def test_a_plain_import_loads_nothing_heavy() -> None:
    code = (
        "import sys, reducepp, reducepp.cli; from reducepp import Page; "
        "print([m for m in ('spacy', 'sklearn', 'selenium', 'matplotlib', 'nltk', 'pandas', "
        "'networkx', 'grakel') if m in sys.modules])"
    )
    assert run_program(sys.executable, "-c", code).stdout.strip() == "[]"
