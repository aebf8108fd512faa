"""What an automated check of accessibility finds on a page: WCAG 2.2 AA, and good practice."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

OPTIONS = {
    "resultTypes": ["violations"],
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
}


def problems(page: Page) -> list[str]:
    """One line for each: the rule, and the places that break it."""
    found = Axe().run(page, options=OPTIONS).response["violations"]
    return [
        f"{one['id']}: {one['help']}: " + "; ".join(node["html"][:160] for node in one["nodes"])
        for one in found
    ]
