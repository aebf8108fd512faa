"""Static files: types, compression and caching."""

from __future__ import annotations

import gzip
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from servers import ServerThread, get, request
from starlette.exceptions import HTTPException
from starlette.requests import Request

from handful.web import static_files
from handful.web.static_files import StaticFiles
from handful.web.without_comments import strip_script, strip_style


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerThread]:
    with ServerThread(tmp_path_factory.mktemp("web") / "tables.db") as inside:
        yield inside


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("main.js", "text/javascript"),
        ("vendor/preact.mjs", "text/javascript"),
        ("css/base.css", "text/css"),
        ("icon.svg", "image/svg+xml"),
        ("lost.html", "text/html"),
    ],
)
def test_files_have_types_and_are_revalidated(server: ServerThread, name: str, kind: str) -> None:
    answer = get(f"{server.url}/static/{name}")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith(kind)
    assert answer.headers["cache-control"] == "no-cache"
    assert "content-security-policy" in answer.headers
    mark = {"If-None-Match": answer.headers["etag"]}
    again = get(f"{server.url}/static/{name}", headers=mark)
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("page", ["/", "/odds", "/edit", "/sw.js"])
def test_pages_are_revalidated_and_compressed_like_other_files(server: ServerThread, page: str) -> None:
    answer = get(f"{server.url}{page}")
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-cache"
    assert answer.headers["content-encoding"] == "gzip"
    again = get(f"{server.url}{page}", headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    "page",
    [
        "/",
        "/odds",
        "/edit",
        "/brew/" + "a" * 64,
        "/t/x",
        "/t/x/manifest.webmanifest",
        "/sw.js",
        "/static/manifest.webmanifest",
        "/static/offline.html",
        "/static/none.js",
        "/join/none",
        "/nowhere",
        "/healthz",
        "/openapi.json",
        "/api/brews/start",
        "/api/families",
    ],
)
def test_every_answer_has_a_security_policy(server: ServerThread, page: str) -> None:
    found = get(f"{server.url}{page}").headers
    assert found["content-security-policy"].startswith("default-src 'none'; script-src 'self'")
    assert found["x-content-type-options"] == "nosniff"
    assert found["referrer-policy"] == "no-referrer"


def test_files_are_compressed_for_clients_that_accept_it(server: ServerThread) -> None:
    packed = get(f"{server.url}/static/main.js", headers={"Accept-Encoding": "gzip"})
    plain = get(f"{server.url}/static/main.js", headers={"Accept-Encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert packed.content == plain.content


def test_head_has_the_size_and_nothing_else(server: ServerThread) -> None:
    answer = request("HEAD", f"{server.url}/static/css/base.css")
    assert (answer.status_code, answer.content) == (200, b"")
    assert int(answer.headers["content-length"]) > 1000
    assert request("POST", f"{server.url}/static/css/base.css").status_code == 405


@pytest.mark.parametrize(
    "name",
    [
        "",
        "none.js",
        "parts",
        "table/",
        "../app.py",
        "/etc/passwd",
        "%2e%2e/app.py",
        "table//rollCard.js",
        "main.py",
    ],
)
def test_unknown_files_return_404(server: ServerThread, name: str) -> None:
    answer = get(f"{server.url}/static/{name}")
    assert answer.status_code == 404
    assert answer.json()["error"]["code"] == "not_found"


def test_a_file_that_changes_is_read_again(tmp_path: Path) -> None:
    page, files = tmp_path / "page.js", StaticFiles(tmp_path)
    asks = Request({"type": "http", "method": "GET", "headers": [(b"accept-encoding", b"gzip")]})
    page.write_text("old")
    old = files.answer("page.js", asks)
    page.write_text("new words" * 100)
    new = files.answer("page.js", asks)
    assert (old.body, gzip.decompress(new.body)) == (b"old", b"new words" * 100)
    assert old.headers["etag"] != new.headers["etag"]
    page.unlink()
    with pytest.raises(HTTPException):
        files.answer("page.js", asks)


def test_comments_of_scripts_are_not_sent_and_lines_keep_their_numbers() -> None:
    source = """// What this does.
/** @param {string} name
 *  `quoted` */
export const a = (name) => `
  // part of a text ${name}
  /* this too */
  \\` // and this
`; // beside code
  // gone
export const b = "a // b";
"""
    assert (
        strip_script(source)
        == """


export const a = (name) => `
  // part of a text ${name}
  /* this too */
  \\` // and this
`; // beside code

export const b = "a // b";
"""
    )


def test_styles_keep_their_lines_without_comments() -> None:
    assert strip_style("/* a\n b */\n.c {\n  top: 0; /* d */\n}\n") == "\n\n.c {\n  top: 0; \n}\n"


def test_licences_of_vendored_files_are_sent(server: ServerThread) -> None:
    vendored = Path(static_files.__file__).parent / "static/vendor/qrcode.mjs"
    assert get(f"{server.url}/static/vendor/qrcode.mjs").content == vendored.read_bytes()


@pytest.mark.skipif(not shutil.which("node"), reason="there is no node")
def test_what_is_sent_of_every_module_still_parses(tmp_path: Path) -> None:
    static = Path(static_files.__file__).parent / "static"
    for file in sorted(static.rglob("*.js")):
        if "vendor" not in file.parts:
            target = tmp_path / file.relative_to(static).with_suffix(".mjs")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(strip_script(file.read_text("utf-8")), "utf-8")
    files = sorted(map(str, tmp_path.rglob("*.mjs")))
    assert len(files) > 90
    parse = "new (require('vm').SourceTextModule)(require('fs').readFileSync(file, 'utf8'))"
    script = f"for (const file of process.argv.slice(1)) {parse}"
    command = ["node", "--experimental-vm-modules", "-e", script, *files]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
