"""A Sphinx extension: exact odds in a rulebook, in reStructuredText and MyST.

    extensions = ["handful.sphinx"]

Directives `handful-table`, `handful-chart`, `handful-diff`, `handful-claim` and `handful-claims`,
and the role `handful` for a single figure.  Results are cached by the hash of their rules.
Invariant: a mistake in a directive, or a false claim, ends the build before a page is written.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sphinx.application import Sphinx
from sphinx.config import ENUM
from sphinx.environment import BuildEnvironment

from handful import __version__
from handful.errors import format_count
from handful.sphinx.directives import DIRECTIVES, FigureRole
from handful.sphinx.faults import faults_of, report
from handful.sphinx.typos import typos

CLAIMS = ("error", "warn")


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_config_value("handful_games", {}, "env", dict)
    app.add_config_value("handful_claims", "error", "env", ENUM(*CLAIMS))
    for name, directive in DIRECTIVES.items():
        app.add_directive(name, directive)
    app.add_role("handful", FigureRole())
    app.connect("source-read", _report_typos)
    app.connect("env-get-outdated", _outdated)
    app.connect("env-purge-doc", _purge)
    app.connect("env-merge-info", _merge)
    app.connect("env-check-consistency", _stop)
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}


def _outdated(
    app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str], removed: set[str]
) -> list[str]:
    """Return the pages with mistakes, so that Sphinx reads them again even if unchanged."""
    return [page for page in faults_of(env) if page not in removed]


def _report_typos(app: Sphinx, page: str, source: list[str]) -> None:
    """Report misspelled names of our directives, which Sphinx would silently leave out."""
    for line, error in typos(source[0], DIRECTIVES):
        report(app.env, line, error)


def _purge(app: Sphinx, env: BuildEnvironment, page: str) -> None:
    faults_of(env).pop(page, None)


def _merge(app: Sphinx, env: BuildEnvironment, pages: Iterable[str], other: BuildEnvironment) -> None:
    """Merge the mistakes found by a parallel reading process."""
    faults_of(env).update({page: faults_of(other)[page] for page in pages if page in faults_of(other)})


def _stop(app: Sphinx, env: BuildEnvironment) -> None:
    """End a build with mistakes before anything is written.

    Each mistake was already reported with its position.  SystemExit, because Sphinx presents any
    other exception as a bug of the extension, with a traceback.
    """
    count = sum(faults_of(env).values())
    if count:
        raise SystemExit(f"handful: {format_count(count, 'mistake')} in the pages; nothing was written")
