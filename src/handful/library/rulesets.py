"""Rulesets by name or path, with their odds and rolls."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from handful import odds as exact
from handful.errors import Refused
from handful.library.files import is_proven, read_sources, ruleset_path
from handful.library.rolls import Roll
from handful.library.simulation import own_seed, simulation
from handful.odds import Odds
from handful.records import record
from handful.roll import Bound, bind
from handful.rules import load as loading
from handful.rules.ruleset import Ruleset as Rules
from handful.rules.ruleset import text

if TYPE_CHECKING:
    from concurrent.futures import Executor
    from pathlib import Path

    from handful.simulate import Draws, Simulation


def ruleset(name: str | Path) -> Ruleset:
    """A ruleset: a shipped one by name (`uwr`), or a path to a ruleset file."""
    path = ruleset_path(str(name))
    return Ruleset(loading.load(read_sources(path), proven=is_proven(path)))


def reviewed(name: str | Path) -> Ruleset:
    """The same, looked over for mistakes even if it came with the package."""
    return Ruleset(loading.load(read_sources(ruleset_path(str(name)))))


@record(eq=False)
class Ruleset:
    """One game: its checks, options and wording, exact odds and rolls."""

    rules: Rules

    @property
    def id(self) -> str:
        return self.rules.id

    @property
    def hash(self) -> str:
        """The same text has the same hash on every machine."""
        return self.rules.hash

    @property
    def title(self) -> str:
        return text(self.rules.title)

    def __repr__(self) -> str:
        return f"<ruleset {self.id} {self.hash[:12]}>"

    def bind(
        self,
        check: str,
        *sides: Mapping[str, Any],
        options: Mapping[str, Any] | None = None,
        **params: Any,
    ) -> Bound:
        """A check with its parameters settled; one dict per side, keywords for the whole check."""
        return bind(self.rules, check, sides, params, options)

    def odds(
        self,
        check: str,
        *sides: Mapping[str, Any],
        options: Mapping[str, Any] | None = None,
        policy: str = "usual",
        **params: Any,
    ) -> Odds:
        """Exact odds; the policy for decisions is `usual`, `best` or `never`."""
        return exact.odds(self.bind(check, *sides, options=options, **params), policy=policy)

    def simulate(
        self,
        check: str,
        *sides: Mapping[str, Any],
        options: Mapping[str, Any] | None = None,
        policy: str = "usual",
        count: int = 100_000,
        seed: int | None = None,
        workers: int | Executor = 1,
        progress: Callable[[int, int], None] | None = None,
        **params: Any,
    ) -> Simulation:
        """Many rolls, counted, beside the exact odds; needs numpy (`pip install 'handful[sim]'`).

        The same seed gives the same rolls, whatever the workers: a number of them, or an executor
        of `concurrent.futures`.  `progress` is told how many rolls are done, of how many.
        """
        bound = self.bind(check, *sides, options=options, **params)
        made: Simulation = simulation().simulate(
            bound, count=count, seed=own_seed(seed), policy=policy, workers=workers,
            progress=progress,
        )  # fmt: skip
        return made

    def draws(
        self,
        check: str,
        *sides: Mapping[str, Any],
        options: Mapping[str, Any] | None = None,
        policy: str = "usual",
        count: int = 100_000,
        seed: int | None = None,
        workers: int | Executor = 1,
        progress: Callable[[int, int], None] | None = None,
        **params: Any,
    ) -> Draws:
        """The rolls that `simulate` counts, one after the other, as arrays."""
        bound = self.bind(check, *sides, options=options, **params)
        made: Draws = simulation().draws(
            bound, count=count, seed=own_seed(seed), policy=policy, workers=workers,
            progress=progress,
        )  # fmt: skip
        return made

    def start(
        self,
        check: str,
        *sides: Mapping[str, Any],
        options: Mapping[str, Any] | None = None,
        **params: Any,
    ) -> Roll:
        """An immutable, resumable roll before its first throw."""
        return Roll.begin(self.bind(check, *sides, options=options, **params))

    def replay(self, saved: Mapping[str, Any]) -> Roll:
        """A roll as `Roll.to_json` saved it; refused if the rules have changed since."""
        if saved.get("hash") != self.hash:
            raise Refused(f"this roll was made with other rules than {self.id} {self.hash[:12]}")
        roll = self.start(
            saved["check"], *saved.get("sides", []), options=saved["options"], **saved["parameters"]
        )
        for entry in saved["replies"]:
            policy = entry.get("policy", "") if isinstance(entry, dict) else ""
            reply = entry["answer"] if isinstance(entry, dict) else entry
            roll = roll.reply(reply if isinstance(reply, str) else tuple(reply), policy)
        return roll
