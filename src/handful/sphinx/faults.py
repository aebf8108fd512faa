"""Mistakes in the pages: reported with file and line when found, counted to end the build.

The counts are part of Sphinx's environment, so they survive incremental and parallel builds.
"""

from __future__ import annotations

from typing import Any, cast

from sphinx.util import logging

from handful.errors import HandfulError

LOGGER = logging.getLogger(__name__)


def faults_of(env: Any) -> dict[str, int]:
    """Return the number of mistakes by page; stored in Sphinx's environment."""
    if not hasattr(env, "handful_faults"):
        env.handful_faults = {}
    return cast(dict[str, int], env.handful_faults)


def report(env: Any, line: int, error: HandfulError) -> None:
    """Log a mistake in one line, and count it."""
    text = f"{error.message} ({error.hint})" if error.hint else error.message
    location = (env.docname, line)
    LOGGER.error(" ".join(text.split()), location=location, type="handful", subtype="mistake")
    faults = faults_of(env)
    faults[env.docname] = faults.get(env.docname, 0) + 1
