"""Makes the README's picture from what the command really prints: `make picture`."""

from __future__ import annotations

import re
import subprocess
import sys
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.text import Text

COMMANDS = [
    "odds uwr direct attribute=3.5 skill=2 target=2",
    "roll me-d6 check dice=4D+2 difficulty=moderate --faces 6,3,5,2,4",
]
TARGET = Path(__file__).parent / "images" / "handful.svg"


def main() -> None:
    console = Console(record=True, width=80, file=StringIO())
    for command in COMMANDS:
        console.print(Text.assemble(("$ ", "bold green"), (f"handful {command}", "bold")))
        shown = subprocess.run(
            [sys.executable, "-m", "handful", *command.split()],
            capture_output=True,
            text=True,
            check=True,
        )
        console.print(Text(shown.stdout))
    picture = console.export_svg(title="handful")
    picture = re.sub(r"@font-face \{.*?\}\s*", "", picture, flags=re.DOTALL)  # no foreign fonts
    picture = picture.replace("Fira Code", "monospace").replace("<!-- Generated", "<!-- Made")
    TARGET.write_text(re.sub(r"<!-- Made.*?-->", "", picture))


if __name__ == "__main__":
    main()
