"""Adds the compiled rules of every game to the wheel, beside its ruleset file.

They are plain data (`handful.library.program_cache`): an installed command reads them instead of parsing the
game's file.  Each game is analyzed here like any file that nobody has checked before.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ProgramImages(BuildHookInterface[Any]):
    """Writes the images into a temporary folder and includes them in the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return  # a working copy keeps its rules in the user's cache folder
        root = Path(self.root)
        sys.path.insert(0, str(root / "src"))
        try:
            from handful.library.files import known, read_sources, ruleset_path
            from handful.library.program_cache import SHIPPED, shipped_image
            from handful.rules.load import load

            self._folder = tempfile.TemporaryDirectory()  # kept until the wheel is written
            for name in known():
                path = Path(ruleset_path(name))
                sources = read_sources(str(path))
                image = Path(self._folder.name) / f"{name}.json"
                image.write_text(shipped_image(load(sources), sources), encoding="ascii")
                target = Path("handful/rulesets") / path.parent.relative_to(root / "rulesets") / SHIPPED
                build_data["force_include"][str(image)] = str(target)
        finally:
            sys.path.remove(str(root / "src"))
