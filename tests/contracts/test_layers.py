"""The pure core calls no built-in that reaches files or the terminal; one module reads files.

Import-linter holds the imports between modules (see pyproject.toml).
It cannot see built-ins such as open(), nor an import of something it was not told about;
this looks at the syntax of the source instead.
"""

import ast
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "handful"

# Built-ins that reach files or the terminal, or run text as Python.
DOORS = {"open", "input", "print", "breakpoint", "eval", "exec", "__import__"}
READS_AND_WRITES = {"open", "read_text", "read_bytes", "write_text", "write_bytes"}


def sources(module: str) -> list[Path]:
    """The files of a module, or of a package and all below it."""
    place = PACKAGE.joinpath(*module.split(".")[1:])
    return sorted(place.rglob("*.py")) if place.is_dir() else [place.with_suffix(".py")]


def pure_modules() -> list[str]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    (pure,) = (contract for contract in contracts if contract["id"] == "pure")
    return list(pure["source_modules"])


def imports(tree: ast.AST) -> Iterator[str]:
    """The top-level names that a module imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module.partition(".")[0]


def calls(tree: ast.AST) -> Iterator[ast.expr]:
    """Yield the names that a module calls."""
    return (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))


def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("module", [*pure_modules(), "handful.library"])
def test_the_core_imports_only_the_standard_library(module: str) -> None:
    allowed = sys.stdlib_module_names | {"handful"}
    strangers = {name for path in sources(module) for name in imports(parse(path))} - allowed
    assert not strangers


@pytest.mark.parametrize("module", pure_modules())
def test_the_core_opens_no_door(module: str) -> None:
    called = {
        (path.name, function.id)
        for path in sources(module)
        for function in calls(parse(path))
        if isinstance(function, ast.Name) and function.id in DOORS
    }
    # The one place that runs Python that it wrote itself; what may stand there: test_written.
    assert called <= {("source.py", "exec")}


def test_files_are_read_in_one_module() -> None:
    rim = set(sources("handful.library"))
    rim |= set(sources("handful.store.sqlite"))  # makes its own file, for its owner only
    rim |= set(sources("handful.store.maintenance"))  # makes copies of it
    rim |= set(sources("handful.web.static_files"))  # the pages
    rim |= set(sources("handful.web.pictures"))  # decodes bytes in memory
    rim |= set(sources("handful.verifier"))  # stands alone
    offenders = {
        f"{path.relative_to(PACKAGE)}:{function.lineno}"
        for path in sorted(PACKAGE.rglob("*.py"))
        if path not in rim
        for function in calls(parse(path))
        if reaches_a_file(function)
    }
    assert not offenders


def reaches_a_file(function: ast.expr) -> bool:
    match function:
        case ast.Name(id="open"):
            return True
        case ast.Attribute(attr=name):
            return name in READS_AND_WRITES
    return False
