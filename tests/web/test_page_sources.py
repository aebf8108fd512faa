"""Sources of the pages: no foreign requests, no HTML from strings, imports that resolve."""

from __future__ import annotations

import hashlib
import json
import re
import zlib
from pathlib import Path

import preload
import pytest

STATIC = Path(__file__).parents[2] / "src/handful/web/static"
OWN = sorted(one for one in STATIC.rglob("*.js") if "vendor" not in one.parts)


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
        for names, where in re.findall(r'import \{([^}]*)\} from "([^"]+)"', file.read_text()):
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
        text = file.read_text()
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
    there = {one.name for one in (STATIC / "vendor").glob("*.mjs")}
    assert there == {name for one in noted for name in one["files"]}


@pytest.mark.parametrize("page", ["table", "odds", "editor"])
def test_a_page_comes_in_under_200_kilobytes_compressed(page: str) -> None:
    """With all that it names and the longer language; charts come when they are shown."""
    named = re.findall(r'(?:href|src)="/static/([^"]+)"', (STATIC / f"{page}.html").read_text())
    files = [STATIC / one for one in (f"{page}.html", *named)]
    sizes = [len(zlib.compress(one.read_bytes(), 9)) for one in {*files}]
    texts = [len(zlib.compress(one.read_bytes(), 9)) for one in (STATIC / "texts").glob("*.js")]
    assert len(files) > 20
    assert sum(sizes) + max(texts) < 200_000


def test_charts_come_late_and_are_not_too_large() -> None:
    """The first page and the table's page never name the library of charts."""
    pages = [STATIC / "index.html", STATIC / "table.html"]
    assert not [one for one in pages if "plot" in one.read_text()]
    assert len(zlib.compress((STATIC / "vendor/plot.mjs").read_bytes(), 9)) < 250_000
