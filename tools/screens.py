"""Makes the README's pictures of the web table anew: a demo is played in Debian's Chromium.

python tools/screens.py        # writes docs/web-table.png and docs/web-phone.png
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

TOP = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TOP / "tests"))

from serving import Inside  # noqa: E402  the tests know how to start a server

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
ASKED = {
    "check": "direct", "as": ["ann/Mira Quill"], "title": "across the roof",
    "parameters": {"attribute": "Grace", "skill": "Acrobatics", "difficulty": "difficult"},
}  # fmt: skip


def main() -> None:
    with Inside(Path(tempfile.mkdtemp()) / "tables.db") as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        seats = server.open(demo=True, title="Friday night")
        shove = {"check": "direct", "parameters": {"attribute": 4, "target": 2}}
        seats["bob"].do("declare", key="shove", title="the door", **shove)
        seats["bob"].do("throw", roll="bob/shove", faces=[6, 5, 2, 3])
        seats["ann"].do("declare", key="roof", **ASKED)
        seats["ann"].do("throw", roll="ann/roof", faces=[6, 3, 1, 4, 2])
        for name, seat, size in (
            ("web-table", "gm", {"width": 1180, "height": 760}),
            ("web-phone", "ann", {"width": 360, "height": 740}),
        ):
            page = browser.new_context(viewport=size).new_page()
            page.goto(server.url + seats[seat].link)
            page.wait_for_timeout(2500)
            page.screenshot(path=str(TOP / "docs" / f"{name}.png"))
        browser.close()


if __name__ == "__main__":
    main()
