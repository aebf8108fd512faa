"""The Sphinx directives and the role: parse what an author writes, and build the nodes.

`answers` computes the results and `rendering` turns them into nodes.
Invariant: a directive never raises; a mistake is reported with file and line, and ends the build.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Sequence
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective, SphinxRole

from handful.errors import HandfulError, Message, Refused, did_you_mean
from handful.explore.query import Query, counting_number
from handful.sphinx import rendering
from handful.sphinx.answers import PageAnswers
from handful.sphinx.faults import report

CACHE_FOLDER = "handful"  # next to the doctrees
LOGGER = logging.getLogger(__name__)


class AnyOptions(dict[str, Any]):
    """Accepts every option: the directive reports unknown ones itself, like any mistake."""

    def __bool__(self) -> bool:
        return True

    def __contains__(self, name: object) -> bool:
        return True

    def __missing__(self, name: str) -> Any:
        return directives.unchanged

    def get(self, name: str, default: Any = None) -> Any:
        return self[name]


class HandfulDirective(SphinxDirective):
    """Base of the directives: builds nodes, or reports a mistake with file and line."""

    optional_arguments = 1  # required, but the directive reports that itself, like any mistake
    final_argument_whitespace = True
    option_spec = AnyOptions()
    takes: ClassVar[Sequence[str]] = ()
    example: ClassVar[str] = "uwr direct attribute=1..4 target=1..3"

    def run(self) -> list[nodes.Node]:
        try:
            for name in self.options:
                if name not in self.takes:
                    raise Refused(
                        Message("book.unknown_option", directive=self.name, option=name, takes=self.takes),
                        did_you_mean(name, self.takes),
                    )
            if not self.arguments:
                raise Refused(
                    Message("book.asks_nothing", name=self.name), f".. {self.name}:: {self.example}"
                )
            build = self.build(page_answers(self.env))
        except HandfulError as error:
            report(self.env, self.lineno, error)
            return []
        for node in build:
            self.set_source_info(node)
        return build

    def build(self, answers: PageAnswers) -> list[nodes.Node]:
        raise NotImplementedError

    # -- shared options

    def query(self, kind: str, words: str = "") -> Query:
        """Parse the query of the directive; its options are those of the command line."""
        flags = [f"--{name}={self.text(name)}" for name in ("show", "policy") if self.text(name)]
        flags += [f"--option={one}" for one in self.house_rules()]
        return Query.parse([kind, *split(words or self.arguments[0]), *flags])

    def text(self, name: str, usual: str = "") -> str:
        return str(self.options.get(name) or usual).strip()

    def house_rules(self) -> list[str]:
        return split(self.text("option"))


class TableDirective(HandfulDirective):
    """`handful-table:: GAME CHECK NAME=RANGE …`: exact odds over ranges."""

    takes = ("show", "policy", "option", "caption", "bare")

    def build(self, answers: PageAnswers) -> list[nodes.Node]:
        data = answers.table(self.query("table"))
        return rendering.tables(data, self.text("caption", data["heading"]), "bare" in self.options)


class ChartDirective(HandfulDirective):
    """`handful-chart:: GAME CHECK NAME=RANGE …`: a chart of a table, or of one check."""

    takes = ("show", "policy", "option", "caption", "alt", "table")

    def build(self, answers: PageAnswers) -> list[nodes.Node]:
        data = answers.chart(self.query("table"))
        page = os.path.dirname(self.env.doc2path(self.env.docname))
        uri = os.path.relpath(data["stem"], page).replace(os.sep, "/")
        drawn = rendering.chart(data, uri, self.text("alt"), self.text("caption"))
        return [drawn, *rendering.tables(data, "", False)] if "table" in self.options else [drawn]


class DiffDirective(HandfulDirective):
    """`handful-diff:: BEFORE AFTER`: two rulesets, or two settings of one."""

    takes = ("most", "caption")
    example = "uwr uwr:reroll_stack=stacking"

    def build(self, answers: PageAnswers) -> list[nodes.Node]:
        query = self.query("diff")
        found = answers.diff(query, counting_number("most", self.text("most", "10")))
        return rendering.difference(found, query.game, query.other, self.text("caption"))


class ClaimDirective(HandfulDirective):
    """`handful-claim:: WORDS` with `:check:` and `:range:`: a statement that must be true."""

    has_content = True
    takes = ("id", "check", "range", "show", "against", "policy", "option", "verdict")
    example = "Three dice succeed seven times out of ten."

    def build(self, answers: PageAnswers) -> list[nodes.Node]:
        statement = " ".join([self.arguments[0], *self.content]).strip()
        entry = self.entry(" ".join(statement.split()))
        query = self.query("table", self.text("check"))
        found = answers.claim(query, split(self.text("against")), entry)
        if not found["true"]:
            wrong = rendering.falsehood(found)
            if self.config.handful_claims == "error":
                raise Refused(wrong)
            LOGGER.warning(wrong, location=(self.env.docname, self.lineno), type="handful", subtype="claim")
        inline, messages = self.parse_inline(statement, lineno=self.lineno)
        build = [nodes.paragraph(statement, "", *inline, classes=["handful-claim"]), *messages]
        if "verdict" in self.options:
            judged = rendering.judged(found)
            build.append(nodes.paragraph("", judged, classes=["handful-verdict"]))
        return build

    def entry(self, statement: str) -> dict[str, Any]:
        """Return the entry of the claim as in a claims.toml, without its check."""
        for name in ("check", "range"):
            if not self.text(name):
                raise Refused(
                    Message("book.missing_option", directive=self.name, option=name),
                    f":{name}: {EXAMPLES[name]}",
                )
        return {
            "id": self.text("id", "claim"),
            "says": statement,
            "range": split(self.text("range").replace(" to ", " ")),
        }


class ClaimsDirective(HandfulDirective):
    """`handful-claims:: GAME|FILE`: the verdicts on all claims; false ones do not end the build."""

    example = "uwr"

    def build(self, answers: PageAnswers) -> list[nodes.Node]:
        return rendering.claims(answers.claims(self.arguments[0].strip()))


class FigureRole(SphinxRole):
    """A single figure in a sentence: `uwr direct attribute=3.5 skill=2 target=2`."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        try:
            words = [f"--{one}" if FLAG.match(one) else one for one in split(self.text)]
            figure = page_answers(self.env).figure(Query.parse(["table", *words]))
        except HandfulError as error:
            report(self.env, self.lineno, error)
            return [], []
        return [nodes.inline(self.rawtext, figure, classes=["handful-figure"])], []


FLAG = re.compile("(show|policy)=")  # words of a role that are options
EXAMPLES = {"check": "uwr direct attribute=3 target=1", "range": "50% 60%"}
DIRECTIVES = {
    "handful-table": TableDirective,
    "handful-chart": ChartDirective,
    "handful-diff": DiffDirective,
    "handful-claim": ClaimDirective,
    "handful-claims": ClaimsDirective,
}


def page_answers(env: Any) -> PageAnswers:
    """Return the query executor of the page that Sphinx is reading."""
    games = {name: os.path.join(env.srcdir, path) for name, path in env.config.handful_games.items()}
    return PageAnswers(
        os.path.join(env.doctreedir, CACHE_FOLDER),
        games,
        lambda name: str(env.relfn2path(name)[1]),
        env.note_dependency,
    )


def split(line: str) -> list[str]:
    """Split a line into words as a shell does."""
    try:
        return shlex.split(line)
    except ValueError as error:
        raise Refused(Message("book.bad_line", line=line[:60], reason=str(error).lower())) from None
