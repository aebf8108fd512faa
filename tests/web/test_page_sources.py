"""Sources of the pages: no foreign requests, no HTML from strings, imports that resolve."""

from __future__ import annotations

import hashlib
import json
import re
import zlib
from pathlib import Path

import preload
import pytest
from starlette.requests import Request

from handful.web.static_files import StaticFiles

STATIC = Path(__file__).parents[2] / "src/handful/web/static"
FILES = StaticFiles(STATIC)
# The most bytes that a page may take, compressed.
BUDGETS = {"table": 130_000, "odds": 90_000, "editor": 90_000}
OWN = sorted(one for one in STATIC.rglob("*.js") if "vendor" not in one.parts)


def code_of(file: Path) -> str:
    """Return a module without its comments, which import types that only the type checker reads."""
    return re.sub(r"(?s)/\*.*?\*/", "", file.read_text())


def test_no_module_sets_html_or_evaluates_text() -> None:
    forbidden = re.compile(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(")
    assert [file.name for file in OWN if forbidden.search(file.read_text())] == []


def test_no_request_leaves_the_server() -> None:
    elsewhere = re.compile(r"(?:src|href|import|from|url)\W{1,3}(?:https?:)?//")
    for file in [*OWN, *STATIC.glob("css/*.css"), *STATIC.glob("*.html")]:
        text = file.read_text().replace("http://www.w3.org/2000/svg", "")
        assert not elsewhere.search(text), file.name


def test_every_imported_name_is_exported() -> None:
    """A missing name keeps the whole page from opening."""
    for file in OWN:
        for names, where in re.findall(r'import \{([^}]*)\} from "([^"]+)"', code_of(file)):
            imported = (file.parent / where).resolve()
            if "vendor" in imported.parts:
                continue
            source = imported.read_text()
            for name in re.findall(r"(\w+)(?: as \w+)?\s*(?:,|$)", names.strip()):
                declared = rf"export (?:async )?(?:const|let|function\*?|class) {name}\b"
                listed = rf"export ?\{{[^}}]*\b{name}\b"
                assert re.search(f"{declared}|{listed}", source), f"{file.name}: {where} has no {name}"


def test_every_import_names_a_file() -> None:
    for file in OWN:
        text = code_of(file)
        names = re.findall(r'(?m)^(?:import|export) [^"]*from "([^"]+)"', text)
        for name in [*names, *re.findall(r'import\("([^"]+)"\)', text)]:
            assert name.startswith("."), f"{file.name} imports {name}, which no browser finds"
            assert (file.parent / name).resolve().is_file(), f"{file.name} imports {name}"


@pytest.mark.parametrize("page", ["table", "odds", "editor"])
def test_a_page_names_every_module_that_it_needs(page: str) -> None:
    assert (STATIC / f"{page}.html").read_text() == preload.page(page), "run tools/preload.py"


def test_vendored_files_are_as_noted_with_their_licences() -> None:
    noted = json.loads((STATIC / "vendor/manifest.json").read_text())
    licences = (STATIC / "vendor/LICENSES.txt").read_text()
    for one in noted:
        assert f"{one['name']} {one['version']}" in licences
        for name, digest in one["files"].items():
            assert hashlib.sha256((STATIC / "vendor" / name).read_bytes()).hexdigest() == digest
    there = {one.name for one in (STATIC / "vendor").iterdir() if one.suffix != ".mts"}
    assert there - {"manifest.json", "LICENSES.txt"} == {name for one in noted for name in one["files"]}


@pytest.mark.parametrize(("page", "most"), BUDGETS.items())
def test_a_page_comes_in_under_its_budget(page: str, most: int) -> None:
    """Page, modules, styles and the longer language, compressed as they are sent.

    Fonts and charts are not counted: both come when they are shown.
    """
    named = {*re.findall(r'(?:href|src)="/static/([^"]+)"', (STATIC / f"{page}.html").read_text())}
    scripts = {one for one in named if one.endswith((".js", ".mjs", ".css"))}
    assert len(scripts) > 5
    own = re.search(
        rf"\b{'edit' if page == 'editor' else page}: \[([^\]]*)\]", (STATIC / "main.js").read_text()
    )
    parts = ["", *(f"{one}/" for one in re.findall(r'"(\w+)"', own[1] if own else ""))]
    languages = [one.name for one in (STATIC / "texts").glob("*.js")]
    texts = max(sum(sent_bytes(f"texts/{part}{one}") for part in parts) for one in languages)
    total = sum(map(sent_bytes, (f"{page}.html", *scripts))) + texts
    largest = sorted(((sent_bytes(one), one) for one in scripts), reverse=True)[:10]
    assert total <= most, f"{page}: {total} bytes, {total - most} too many; the largest: {largest}"


def sent_bytes(name: str) -> int:
    """Return the size of a file as a browser gets it."""
    asks = Request({"type": "http", "method": "GET", "headers": [(b"accept-encoding", b"gzip")]})
    return len(FILES.answer(name, asks).body)


def test_charts_come_late_and_are_not_too_large() -> None:
    """The first page and the table's page never name the library of charts."""
    pages = [STATIC / "index.html", STATIC / "table.html"]
    assert not [one for one in pages if "plot" in one.read_text()]
    assert len(zlib.compress((STATIC / "vendor/plot.mjs").read_bytes(), 9)) < 250_000
