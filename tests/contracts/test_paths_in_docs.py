"""The pages for engineers name files that exist, so that a rename cannot leave them behind."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DECISIONS = sorted(f"docs/decisions/{page.name}" for page in (ROOT / "docs/decisions").glob("*.md"))
PAGES = ["ARCHITECTURE.md", "CONTRIBUTING.md", "tests/README.md", *DECISIONS]
BASES = [ROOT, ROOT / "src/handful", ROOT / "tests"]
# A code span with a slash and an ending: `table/decide.py`, `tests/golden/scenes.py`.
PATH = re.compile(r"`((?:[\w.-]+/)+[\w.-]+\.(?:py|md|toml|js|css|json|txt))`")


@pytest.mark.parametrize("page", PAGES)
def test_paths_lead_to_files(page: str) -> None:
    named = set(PATH.findall((ROOT / page).read_text("utf-8")))
    bases = [*BASES, (ROOT / page).parent]
    missing = sorted(one for one in named if not any((base / one).exists() for base in bases))
    assert not missing, f"{page} names files that do not exist: {', '.join(missing)}"


def test_the_map_names_many_files() -> None:
    assert len(set(PATH.findall((ROOT / "ARCHITECTURE.md").read_text("utf-8")))) > 50
