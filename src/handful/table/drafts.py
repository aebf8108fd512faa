"""A check before it is rolled: what a seat would declare, with which character.

Parameters may name entries of the sheet; `sheet.draft` turns them into lines.  Without a character,
and without lines that the GM changes, the declaration is just what was typed.  Previews and
declarations share this code, so a preview's odds are those of the roll.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from handful import odds as exact
from handful.errors import Message, Refused
from handful.records import record, replace
from handful.roll import BoundCheck, bind, why_impossible
from handful.rules.free_dice import PREFIX, free_check, is_free_check, rules_of_check
from handful.rules.name_resolution import resolve_parameters
from handful.rules.params import find_name
from handful.rules.ruleset import localize
from handful.sheet import Character, Draft, Line, draft, sheet_names
from handful.solver.solver import BUDGET
from handful.table.action_context import (
    action_context_data,
    resolve_action,
    with_action_lines,
    without_characters,
)
from handful.table.commands import Declaration, DeclareRoll, fields_of, read_command
from handful.table.events import Command
from handful.table.events.values import AskedCheck, SideLine, Texts, Values, stored_line, write_line
from handful.table.knowledge import known_to
from handful.table.position import bind_check
from handful.table.state import Table
from handful.table.table_values import with_table_values
from handful.table.transaction import asked_check
from handful.table.visibility import ALL, GM


@record()
class RollOrigin:
    """The origin of a declared check: its characters, and the lines of their sheets."""

    character_ids: tuple[str, ...] | None = None  # the character of each side; None: nobody's
    skill_counts: tuple[int, ...] | None = None
    lines: tuple[SideLine, ...] | None = None
    hidden: tuple[str, ...] = ()  # parameters that only the GM may know
    action_context: Texts | None = None


@record()
class _PreparedCheck:
    """A declaration with everything filled in, and its draft if a character makes the check."""

    declaration: Declaration
    draft: Draft | None = None
    hidden: tuple[str, ...] = ()  # parameters that only the GM may know

    def bound(self, table: Table) -> BoundCheck:
        """Return the check as it would be rolled; refused if a line forbids it."""
        if self.draft is not None:
            return without_characters(self.draft).bound()
        asked = self.declaration
        if is_free_check(asked.check):
            return bind(rules_of_check(table.rules, asked.check), asked.check, (), {}, {})
        return bind(table.rules, asked.check, asked.sides, asked.parameters, table.options)

    def lines(self, hidden: tuple[str, ...]) -> list[dict[str, Any]]:
        """Return the draft's lines without hidden parameters, numbered for the GM's `switch`."""
        return [
            {"number": number, **line_view(side, line)}
            for number, (side, line) in enumerate(self.draft.lines_with_sides() if self.draft else (), 1)
            if line.parameter not in hidden
        ]


def _prepare(
    table: Table, known: Table, actor: str, roller: str, declaration: Declaration, authors: Texts
) -> _PreparedCheck:
    """Fill in a declaration; `known` is the table as the actor sees it."""
    if is_free_check(declaration.check):
        return _PreparedCheck(_free_declaration(declaration))
    resolved = resolve_action(table, known, actor, _with_parameter_names(table, known, declaration))
    if not (resolved.character_ids or resolved.off or resolved.add):
        return _PreparedCheck(resolved)
    check_draft, hidden = _build_draft(table, known, actor, roller, resolved, authors)
    return _PreparedCheck(resolved, check_draft, tuple(hidden))


def _free_declaration(declaration: Declaration) -> Declaration:
    """Return a declaration of free dice by its canonical name; refuse what only checks of a game have."""
    free = Declaration(check=declaration.check, mode=declaration.mode, title=declaration.title)
    names = [one.attribute for one in fields_of(Declaration).values()]
    if any(getattr(declaration, name) != getattr(free, name) for name in names):
        raise Refused(Message("free_dice.only_dice"))
    return replace(free, check=free_check(declaration.check.removeprefix(PREFIX)))


def _read_declaration(table: Table, seat: str, data: Values) -> tuple[_PreparedCheck, tuple[str, ...]]:
    """Return what a seat could declare, and the parameters hidden from that seat."""
    known, command = known_to(table, seat), read_command(Command("declare", "sketch", data))
    assert isinstance(command, DeclareRoll)
    roller = seat if command.for_seat is None else command.for_seat
    prepared = _prepare(known, known, seat, roller, command, {})
    return prepared, () if known.role(seat) == GM else prepared.hidden


def draft_declaration(
    table: Table, known: Table, actor: str, roller: str, declaration: Declaration, authors: Texts
) -> tuple[BoundCheck, RollOrigin]:
    """Return the declared check and its origin.

    `known` is the table as the actor sees it; `authors` are the seats that gave a parameter, if it was
    not the actor.
    """
    prepared = _prepare(table, known, actor, roller, declaration, authors)
    bound = prepared.bound(table)
    if prepared.draft is None:
        return bound, RollOrigin()
    sides = prepared.draft.sides
    return bound, RollOrigin(
        (*declaration.character_ids, *[""] * len(sides))[: len(sides)],
        tuple(side.skill_count for side in sides),
        tuple(map(stored_line, prepared.draft.lines_with_sides())),
        prepared.hidden,
        action_context_data(known, actor, prepared.declaration, bound.check),
    )


def _with_parameter_names(table: Table, known: Table, declaration: Declaration) -> Declaration:
    """Return a declaration with aliases of the game replaced by parameter names."""
    rules, check = table.rules, table.rules.check(declaration.check)
    characters = [known.characters.get(name) for name in declaration.character_ids]
    names = [sheet_names(rules, character.sheet) if character else None for character in characters]
    names += [None] * (max(len(declaration.sides), 1) - len(names))
    parameters = resolve_parameters(rules, check, declaration.parameters, names[0])
    sides = [
        resolve_parameters(rules, check, side, name)
        for side, name in zip(declaration.sides, names, strict=False)
    ]
    return replace(declaration, check=check.name, parameters=parameters, sides=tuple(sides))


def preview_lines(table: Table, seat: str, data: Values) -> list[dict[str, Any]]:
    """Return the lines of a check that a seat could declare, with the numbers for `off`.

    `data` holds the fields of `declare`.  Nothing is rolled or recorded.
    """
    prepared, hidden = _read_declaration(table, seat, data)
    return prepared.lines(hidden)


def preview_odds(
    table: Table, seat: str, data: Values, policy: str = "usual", budget: int = BUDGET
) -> dict[str, Any]:
    """Return the odds and origin of a check that a seat could declare, from what it knows."""
    asked, preview = preview_request(table, seat, data)
    odds = exact.odds(bind_check(table.rules, asked), policy=policy, budget=budget)
    return {**preview, "odds": odds.to_dict()}


def preview_request(table: Table, seat: str, data: Values) -> tuple[AskedCheck, dict[str, Any]]:
    """Return a check that a seat could declare, and what to show with it.

    That is its `lines`; why it `cannot` be made, in each language; and its `unknown` parameters.
    """
    preview = preview_check(table, seat, data)
    cannot = {one: why_impossible(preview.bound, language=one) for one in table.rules.title}
    return asked_check(preview.bound), {
        "lines": list(preview.lines),
        "cannot": {one: why for one, why in cannot.items() if why},
        "unknown": list(preview.unknown),
    }


@record()
class CheckPreview:
    """A check as a seat could declare it, from what the seat knows.

    `lines` are numbered for the GM's `switch`.  `unknown` are parameters that count but that the seat
    may not see, such as a hidden Defense.
    """

    bound: BoundCheck
    draft: Draft | None = None  # set if a character makes the check
    lines: tuple[dict[str, Any], ...] = ()
    unknown: tuple[str, ...] = ()


def preview_check(table: Table, seat: str, data: Values) -> CheckPreview:
    """Build a check as `declare` would, without declaring it."""
    prepared, hidden = _read_declaration(table, seat, data)
    bound = prepared.bound(table)
    if prepared.draft is None:
        return CheckPreview(bound)
    lines = tuple(prepared.lines(hidden))
    if not hidden:
        return CheckPreview(bound, prepared.draft, lines)
    visible = bind_check(table.rules, asked_check(bound).without(hidden))
    given = {line.parameter: line.on for line in sorted(prepared.draft.lines, key=lambda line: line.on)}
    unknown = tuple(name for name in hidden if given.get(name, name in _target_parameters(prepared)))
    return CheckPreview(visible, _without_lines(prepared.draft, hidden), lines, unknown)


def _target_parameters(prepared: _PreparedCheck) -> Collection[str]:
    """Return the parameters that a target's sheet gives, if the check has a target."""
    draft = prepared.draft
    if draft is None or prepared.declaration.target is None or draft.ruleset.rounds is None:
        return ()
    return draft.ruleset.rounds.targets[draft.check.name].values


def _without_lines(draft: Draft, hidden: tuple[str, ...]) -> Draft:
    """Return the draft without the lines of hidden parameters."""

    def remaining(lines: tuple[Line, ...]) -> tuple[Line, ...]:
        return tuple(one for one in lines if one.parameter not in hidden)

    sides = tuple(replace(side, lines=remaining(side.lines)) for side in draft.sides)
    return replace(draft, overall=remaining(draft.overall), sides=sides)


def line_view(side: int, line: Line) -> dict[str, Any]:
    """Return a line as a reader sees it: in English, and in every language of its texts."""
    data = write_line((side, line))
    texts = {
        "says": line.says(),
        "cannot": localize(line.cannot),
        "words": {language: line.says(language) for language in line.title},
        "why": dict(line.cannot),
    }
    return {name: one for name, one in data.items() if name not in ("via", "place")} | texts


def _build_draft(
    table: Table, known: Table, actor: str, roller: str, declaration: Declaration, authors: Texts
) -> tuple[Draft, list[str]]:
    """Return the draft, and its parameters that only the GM may see."""
    if (declaration.off or declaration.add) and known.role(actor) != GM:
        raise Refused(Message("roll.only_gm_changes_lines"))
    characters = [
        _usable_sheet(table, known, actor, roller, name) if name else None
        for name in declaration.character_ids
    ]
    result = draft(
        table.rules,
        declaration.check,
        declaration.sides,
        declaration.parameters,
        characters,
        options=table.options,
        by=actor,
    )
    result = _with_authors(result, actor, authors)
    result, hidden = with_action_lines(table, result, declaration)
    result = with_table_values(table, result, roller, declaration)
    for number in declaration.off:
        result = result.switch(number, on=False, by=actor)
    for one in declaration.add:
        result = result.add(one.parameter, one.value, by=actor, note=one.note, side=one.side)
    return result, hidden


def _usable_sheet(table: Table, known: Table, actor: str, roller: str, name: str) -> Character:
    """Return the sheet of a character the actor may use; one that is not visible does not exist."""
    character = known.characters.get(name)
    if character is None:
        raise Refused(Message("character.unknown", name=name[:160]))
    if known.role(actor) != GM and character.owner != actor:
        raise Refused(Message("character.is_of_another", name=character.id, owner=character.owner))
    if character.level_for(table.viewer(roller)) < ALL or character.sheet is None:
        raise Refused(
            Message("character.sheet_not_seen", roller=roller, name=character.id),
            Message("character.show_or_roll"),
        )
    return character.sheet


def _with_authors(draft: Draft, actor: str, authors: Texts) -> Draft:
    """Return the draft with each line credited to the seat that typed it."""
    names = {
        find_name(name.removesuffix("+").strip(), draft.check.params, "parameter"): seat
        for name, seat in authors.items()
    }

    def credit(line: Line) -> Line:
        seat = names.get(line.parameter, actor)
        by = seat if line.by == actor else line.by
        return replace(line, by=by, switched_by=seat if line.switched_by else "")

    sides = tuple(replace(side, lines=tuple(map(credit, side.lines))) for side in draft.sides)
    return replace(draft, overall=tuple(map(credit, draft.overall)), sides=sides)
