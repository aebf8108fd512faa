"""What an automated check of accessibility finds on a page: WCAG 2.2 AA, and good practice."""

from __future__ import annotations

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

OPTIONS: dict[str, Any] = {
    "resultTypes": ["violations"],
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "rules": {"target-size": {"enabled": True}},  # of 2.2, and off unless it is asked for
}
AXE = Axe()


def violations(page: Page, *only: str) -> list[str]:
    """One line for each: the rule, and the places that break it; `only` some rules, if wanted."""
    options = {**OPTIONS, **({"runOnly": {"type": "rule", "values": only}} if only else {})}
    found = AXE.run(page, options=options).response["violations"]
    return [
        f"{one['id']}: {one['help']}: " + "; ".join(node["html"][:160] for node in one["nodes"])
        for one in found
    ]
