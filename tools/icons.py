"""Render the PNG icons of the web table from the SVG icon, with Debian's Chromium.

python tools/icons.py        # writes icon-192.png, icon-512.png and icon-maskable.png
"""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import sync_playwright

STATIC = Path(__file__).resolve().parents[1] / "src/handful/web/static"
FLAGS = ["--no-sandbox", "--disable-gpu"]


def main() -> None:
    icon = (STATIC / "icon.svg").read_text("utf-8")
    found = re.search(r'fill="(#\w+)"', icon)
    assert found is not None
    # a mask may cut off a fifth on each side: shrink the die and fill the background to the edge
    body = icon.partition(">")[2]
    maskable = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" '
        f'fill="{found[1]}"/><g transform="translate(4.8 4.8) scale(.7)">{body}'
    ).replace("</svg>", "</g></svg>")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        for name, size, picture in (
            ("icon-192", 192, icon),
            ("icon-512", 512, icon),
            ("icon-maskable", 512, maskable),
        ):
            page = browser.new_page(viewport={"width": size, "height": size})
            style = "<style>body{margin:0}svg{display:block;width:100vw;height:100vh}</style>"
            page.set_content(style + picture)
            page.screenshot(path=STATIC / f"{name}.png", omit_background=True)
        browser.close()


if __name__ == "__main__":
    main()
