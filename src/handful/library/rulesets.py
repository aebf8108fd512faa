"""The `Ruleset` of the library: loads a game by name or path; binds checks, odds and rolls.

It delegates to the pure packages and imports the rarely needed ones late.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from handful import odds as exact
from handful.errors import Message, Refused
from handful.library.files import (
    character_names,
    character_path,
    read_ruleset,
    read_sources,
    read_text,
    ruleset_path,
)
from handful.library.simulation import own_seed, simulation
from handful.odds import Odds
from handful.records import field, record
from handful.roll import BoundCheck, bind
from handful.rules import load as loading
from handful.rules.free_dice import free_ruleset, looks_free
from handful.rules.ruleset import Ruleset as Rules
from handful.rules.ruleset import localize
from handful.solver.solver import SolvedRules

if TYPE_CHECKING:
    from concurrent.futures import Executor
    from pathlib import Path

    from handful.explore.inverse import Solution
    from handful.explore.sweep import Sweep
    from handful.library.rolls import Roll
    from handful.sheet import BudgetState, Change, Character, Draft
    from handful.simulate import Draws, Simulation

    CharacterLike = Character | str | Path | Mapping[str, Any]


def ruleset(name: str | Path) -> Ruleset:
    """Load a ruleset: a shipped one by name (`uwr`), a path to a ruleset file, or free dice (`3d6+2`)."""
    if looks_free(str(name)):
        return Ruleset(SolvedRules(free_ruleset(str(name))))
    return Ruleset(SolvedRules(read_ruleset(ruleset_path(str(name)))))


def reviewed(name: str | Path) -> Ruleset:
    """Load a ruleset like `ruleset`, and analyze it for mistakes even if it is shipped."""
    return Ruleset(SolvedRules(loading.load(read_sources(ruleset_path(str(name))))))


@record(eq=False)
class Ruleset:
    """One game: its checks, options and wording, exact odds and rolls.

    It keeps what was solved for earlier questions, so that further ones are answered faster.
    """

    solved: SolvedRules = field(repr=False)

    @property
    def rules(self) -> Rules:
        """The checked and compiled rules."""
        return self.solved.ruleset

    @property
    def id(self) -> str:
        return self.rules.id

    @property
    def hash(self) -> str:
        """Hash of the rules: equal texts have equal hashes on every machine."""
        return self.rules.hash

    @property
    def title(self) -> str:
        return localize(self.rules.title)

    def __repr__(self) -> str:
        return f"<ruleset {self.id} {self.hash[:12]}>"

    def bind(
        self,
        check: str | Draft,
        *sides: Mapping[str, Any],
        character: CharacterLike | None = None,
        options: Mapping[str, Any] | None = None,
        **params: Any,
    ) -> BoundCheck:
        """Bind a check to its parameters: one dict per side, keywords for the whole check.

        With a character (of the first side, or under `character` in a side's dict) names of
        attributes and skills may replace numbers.  A draft is bound as it is.
        """
        numbers_only = character is None
        for side in sides:
            if isinstance(side, Mapping) and "character" in side:
                numbers_only = False
        if numbers_only and isinstance(check, str):
            return bind(self.rules, check, sides, params, options)
        return self.draft(check, *sides, character=character, options=options, **params).bound()

    # -- characters

    @property
    def file(self) -> str:
        """Path of the ruleset file."""
        return self.rules.file

    def characters(self) -> list[str]:
        """Return the names of the sample characters."""
        return character_names(self.file)

    def character(self, source: CharacterLike) -> Character:
        """Return a character: a sample character by name, from a file by path, or from its data."""
        from handful import sheet  # imported late: few commands need it
        from handful.errors import BadCharacter

        if isinstance(source, sheet.Character):
            own = self.rules.sheet
            if own is None or source.ruleset == self.id or source.ruleset not in own.lineage:
                return source  # a character of another game is refused when it makes a check
            return sheet.read_character(self.rules, sheet.canonical_data(own, source))
        if isinstance(source, Mapping):
            return sheet.read_character(self.rules, source)
        path = character_path(str(source), [self.file])
        try:
            return sheet.import_character(self.rules, read_text(path))
        except BadCharacter as bad:
            raise BadCharacter(bad.problems, path) from None

    def new_character(
        self,
        name: str = "",
        *,
        quick: str | bool = False,
        kind: str = "pc",
        seed: int | None = None,
        **values: Any,
    ) -> Character:
        """Return a new character: blank, or ready to play with `quick` (True, or a quick start's name).

        Sections of a character file may be given: `attributes={"grace": 3}`.  Without a name it gets a
        random one; the same seed gives the same name and values.
        """
        from handful import sheet

        return sheet.new_character(
            self.rules, name, kind=kind, quick=quick, seed=own_seed(seed), values=values
        )

    def points_left(self, character: Character) -> tuple[BudgetState, ...]:
        """Return the points that the game gives a new character, and what is left of them."""
        from handful import sheet

        return sheet.points_left(self.rules, character)

    def export(self, character: Character) -> str:
        """Return the canonical text of a character, as `character` reads it from a file."""
        from handful import sheet

        return sheet.export_character(self.rules, character)

    def changes(self, old: Character, new: Character) -> tuple[Change, ...]:
        """Return the changes between two versions of a character."""
        from handful import sheet

        return sheet.changes(self.rules, old, new)

    def draft(
        self,
        check: str | Draft,
        *sides: Mapping[str, Any],
        character: CharacterLike | None = None,
        options: Mapping[str, Any] | None = None,
        **params: Any,
    ) -> Draft:
        """Build a check from sheets, with a line for everything that contributes to it."""
        from handful import sheet

        if isinstance(check, sheet.Draft):
            if sides or params or character is not None or options:
                raise Refused(Message("roll.draft_is_complete"))
            return check
        if not isinstance(check, str):
            raise Refused(Message("roll.check_or_draft"))
        found: list[Character | None] = []
        values: list[Mapping[str, Any]] = []
        for side in sides:
            if not isinstance(side, Mapping):
                raise Refused(Message("roll.side_is_no_mapping", side=side))
            own = side.get("character")
            found.append(None if own is None else self.character(own))
            values.append({name: one for name, one in side.items() if name != "character"})
        if character is not None:
            first = self.character(character)
            found = [first, *found[1:]] if found else [first]
        return sheet.draft(self.rules, check, values, params, found, options=options)

    # -- odds and rolls

    def odds(
        self,
        check: str | Draft,
        *sides: Mapping[str, Any],
        character: CharacterLike | None = None,
        options: Mapping[str, Any] | None = None,
        policy: str = "usual",
        **params: Any,
    ) -> Odds:
        """Return exact odds; the policy for decisions is `usual`, `best` or `never`."""
        bound = self.bind(check, *sides, character=character, options=options, **params)
        return exact.odds(bound, policy=policy, solved=self.solved)

    def table(
        self,
        check: str,
        *sides: Mapping[str, Any],
        options: Mapping[str, Any] | None = None,
        policy: str = "usual",
        show: str = "",
        **params: Any,
    ) -> Sweep:
        """Return exact figures over ranges: `attribute="1..8"`, `range(1, 9)`, `fate="cursed|lucky"`."""
        from handful.explore.sweep import sweep  # imported late: few programs need it

        return sweep(
            self.rules,
            check,
            sides,
            params,
            options=options,
            shows=show,
            policy=policy,
            solved=self.solved,
        )

    def solve(
        self,
        check: str,
        *sides: Mapping[str, Any],
        find: str,
        chance: Fraction | str | float,
        side: int = 1,
        within: Any = None,
        options: Mapping[str, Any] | None = None,
        policy: str = "usual",
        show: str = "",
        **params: Any,
    ) -> Solution:
        """Find the value of a parameter at which a chance is just reached."""
        from handful.explore.inverse import solve
        from handful.explore.sweep import as_fraction

        return solve(
            self.rules,
            check,
            find,
            as_fraction(str(chance)),
            sides,
            params,
            side=side if sides else 0,
            within=within,
            options=options,
            shows=show,
            policy=policy,
            solved=self.solved,
        )

    def simulate(
        self,
        check: str | Draft,
        *sides: Mapping[str, Any],
        character: CharacterLike | None = None,
        options: Mapping[str, Any] | None = None,
        policy: str = "usual",
        count: int = 100_000,
        seed: int | None = None,
        workers: int | Executor = 1,
        progress: Callable[[int, int], None] | None = None,
        independent: bool = False,
        **params: Any,
    ) -> Simulation:
        """Simulate many rolls and compare with the exact odds; needs numpy (`pip install numpy`).

        The same seed gives the same rolls, whatever the workers: a number of them, or an executor
        of `concurrent.futures`.  `progress` is called with the number of rolls done and the total.
        `independent` rolls every die without the solver, as an independent check of the exact odds.
        """
        bound = self.bind(check, *sides, character=character, options=options, **params)
        result: Simulation = simulation().simulate(
            bound,
            count=count,
            seed=own_seed(seed),
            policy=policy,
            workers=workers,
            progress=progress,
            independent=independent,
            solved=self.solved,
        )
        return result

    def draws(
        self,
        check: str | Draft,
        *sides: Mapping[str, Any],
        character: CharacterLike | None = None,
        options: Mapping[str, Any] | None = None,
        policy: str = "usual",
        count: int = 100_000,
        seed: int | None = None,
        workers: int | Executor = 1,
        progress: Callable[[int, int], None] | None = None,
        **params: Any,
    ) -> Draws:
        """Return the rolls that `simulate` counts, one by one, as arrays."""
        bound = self.bind(check, *sides, character=character, options=options, **params)
        result: Draws = simulation().draws(
            bound,
            count=count,
            seed=own_seed(seed),
            policy=policy,
            workers=workers,
            progress=progress,
            solved=self.solved,
        )
        return result

    def start(
        self,
        check: str | Draft,
        *sides: Mapping[str, Any],
        character: CharacterLike | None = None,
        options: Mapping[str, Any] | None = None,
        **params: Any,
    ) -> Roll:
        """Start a roll: immutable, resumable, before its first throw."""
        from handful.library.rolls import Roll  # imported late: odds do not need it

        bound = self.bind(check, *sides, character=character, options=options, **params)
        return Roll.begin(bound, self.solved)

    def replay(self, saved: Mapping[str, Any]) -> Roll:
        """Replay a roll that `Roll.to_json` saved; refused if the rules have changed since."""
        if saved.get("hash") != self.hash:
            raise Refused(Message("roll.other_rules", id=self.id, hash=self.hash[:12]))
        roll = self.start(
            saved["check"], *saved.get("sides", []), options=saved["options"], **saved["parameters"]
        )
        for entry in saved["replies"]:
            policy = entry.get("policy", "") if isinstance(entry, dict) else ""
            reply = entry["answer"] if isinstance(entry, dict) else entry
            roll = roll.reply(reply if isinstance(reply, str) else tuple(reply), policy)
        return roll
