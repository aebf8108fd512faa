"""Automated accessibility check of a page with axe: WCAG 2.2 AA and best practices."""

from __future__ import annotations

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

OPTIONS: dict[str, Any] = {
    "resultTypes": ["violations"],
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "rules": {"target-size": {"enabled": True}},  # new in WCAG 2.2, off by default
}
AXE = Axe()


def violations(page: Page, *only: str) -> list[str]:
    """Return one line per violated rule, with the elements that violate it; `only` limits the rules."""
    options = {**OPTIONS, **({"runOnly": {"type": "rule", "values": only}} if only else {})}
    found = AXE.run(page, options=options).response["violations"]
    return [
        f"{one['id']}: {one['help']}: " + "; ".join(node["html"][:160] for node in one["nodes"])
        for one in found
    ]
