"""The value of decisions: one check under the policies usual, best and never.

The best policy maximizes the check's own goal: success, a win, or else the mean result.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from handful import odds as exact
from handful.errors import TooBig
from handful.explore.figures import Figure, default_measure, fraction_text, measure
from handful.odds import POLICIES
from handful.records import record
from handful.roll import BoundCheck
from handful.solver.solver import BUDGET, SolvedRules


@record(eq=False)
class Worth:
    """One figure under each policy, and how each decides; None for a policy that is too big."""

    shows: str
    figures: Mapping[str, Figure]  # by policy
    decides: Mapping[str, Mapping[str, str]]  # policy -> decision -> answer, in words

    @property
    def deciding(self) -> Figure:
        """Gain of the usual policy over never."""
        return self._between("never", "usual")

    @property
    def better(self) -> Figure:
        """Gain of the best policy over the usual one."""
        return self._between("usual", "best")

    def _between(self, one: str, other: str) -> Figure:
        less, more = self.figures[one], self.figures[other]
        return None if less is None or more is None else more - less

    def to_dict(self) -> dict[str, Any]:
        return {
            "shows": self.shows,
            "decides": {name: dict(how) for name, how in self.decides.items()},
            "figures": {name: fraction_text(figure) for name, figure in self.figures.items()},
            "deciding": fraction_text(self.deciding),
            "better": fraction_text(self.better),
        }


def worth(bound: BoundCheck, *, budget: int = BUDGET, solved: SolvedRules | None = None) -> Worth | None:
    """Compare the policies; return None for a check without decisions."""
    ask = partial(exact.odds, bound, budget=budget, solved=SolvedRules.of(bound.ruleset, solved))
    first = ask()
    if not first.policy:
        return None
    shows = default_measure(first)
    figures: dict[str, Figure] = {}
    decides: dict[str, Mapping[str, str]] = {}
    for policy in POLICIES:
        try:
            found = first if policy == "usual" else ask(policy=policy)
        except TooBig:
            figures[policy], decides[policy] = None, {}
            continue
        figures[policy], decides[policy] = measure(shows, found), found.policy
    return Worth(shows, figures, decides)
