"""Writes the list of modules that the table's page fetches at once, instead of one after another.

python tools/preload.py          # after a module was added or dropped; a test asks for it
"""

import re
import sys
from pathlib import Path

STATIC = Path(__file__).resolve().parents[1] / "src/handful/web/static"
LINK = '<link rel="modulepreload" href="/static/{}">'
IMPORT = re.compile(r'(?m)^(?:import|export) [^"]*from "([^"]+)"|\bfrom"(\./[^"]+)"')


def reached(*names: str) -> list[str]:
    """Every module that these import, and those they import, without what is fetched later."""
    found: dict[Path, None] = {}
    left = [STATIC / name for name in names]
    while left:
        file = left.pop(0).resolve()
        if file in found:
            continue
        found[file] = None
        left += [file.parent / (a or b) for a, b in IMPORT.findall(file.read_text("utf-8"))]
    return [str(file.relative_to(STATIC)) for file in found]


def page() -> str:
    """The table's page: the first page with the list in its head."""
    links = "\n".join(LINK.format(name) for name in reached("main.js", "screens/table.js"))
    return (STATIC / "index.html").read_text("utf-8").replace("</head>", f"{links}\n</head>")


if __name__ == "__main__":
    (STATIC / "table.html").write_text(page(), "utf-8")
    sys.exit(0)
