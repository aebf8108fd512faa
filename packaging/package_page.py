"""Writes the package's page from README.md when the package is built.

A page of a package is shown far away from the repository, where its relative links lead nowhere.
Whoever publishes names the address of the repository's files:

    HANDFUL_REPOSITORY=https://forge.example/handful/raw/main python -m build

Then links and pictures are absolute, and the project's addresses are part of the package.  Without
it, links to files become plain words and pictures are left out, so that no link is broken.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|#)([^)\s]+)\)")
PAGES = {"Documentation": "docs/index.md", "Changelog": "CHANGELOG.md", "Source": ""}


class PackagePage(MetadataHookInterface):
    """Fills in `readme` and `urls`, which pyproject.toml declares as dynamic."""

    def update(self, metadata: dict[str, Any]) -> None:
        base = os.environ.get("HANDFUL_REPOSITORY", "").rstrip("/")
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": package_page(text, base)}
        metadata["urls"] = (
            {name: f"{base}/{page}".rstrip("/") for name, page in PAGES.items()} if base else {}
        )


def package_page(text: str, base: str) -> str:
    """Return the README with absolute links, or without `base` with none to files."""

    def replaced(found: re.Match[str]) -> str:
        picture, words, target = found.groups()
        if base:
            return f"{picture}[{words}]({base}/{target})"
        return "" if picture else words

    return LINK.sub(replaced, text)
