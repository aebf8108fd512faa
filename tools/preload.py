"""Write the `modulepreload` links of each page, so that its modules load in parallel.

python tools/preload.py          # after a module was added or removed; a test checks it
"""

import re
import sys
from pathlib import Path

STATIC = Path(__file__).resolve().parents[1] / "src/handful/web/static"
PAGES = ("table", "odds", "editor")
# page -> the style sheets that only this page needs, if not its own
STYLES = {"table": ("fight", "desk", "chat")}
LINK = '<link rel="modulepreload" href="/static/{}">'
# Style sheets of the first page alone; at the table, dialogs fetch theirs when they open.
STYLE = '<link rel="stylesheet" href="/static/css/{}.css">\n'
START_STYLES = STYLE.format("dialogs") + STYLE.format("start")
IMPORT = re.compile(r'(?m)^(?:import|export) [^"]*from "([^"]+)"|\bfrom"(\./[^"]+)"')


def reached(*names: str) -> list[str]:
    """Return all modules that these import statically, directly or indirectly."""
    found: dict[Path, None] = {}
    left = [STATIC / name for name in names]
    while left:
        file = left.pop(0).resolve()
        if file in found:
            continue
        found[file] = None
        left += [file.parent / (a or b) for a, b in IMPORT.findall(file.read_text("utf-8"))]
    return [str(file.relative_to(STATIC)) for file in found]


def page(name: str) -> str:
    """A page, such as `table`: the first page with the list in its head."""
    links = "\n".join(LINK.format(one) for one in reached("main.js", f"screens/{name}.js"))
    style = "".join(STYLE.format(one) for one in STYLES.get(name, (name,)))
    first = (STATIC / "index.html").read_text("utf-8").replace(START_STYLES, "")
    return first.replace("</head>", f"{style}{links}\n</head>")


if __name__ == "__main__":
    for name in PAGES:
        (STATIC / f"{name}.html").write_text(page(name), "utf-8")
    sys.exit(0)
