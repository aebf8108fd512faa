"""Reads a `Character` from the data of a JSON or TOML file, and reports every error in it.

Each error is one line: where it is, what is wrong, and what would be right.  Entries may be named by
title.  The result is canonical: reading an exported character returns an equal one.
"""

from __future__ import annotations

from typing import Any, NoReturn

from handful.errors import (
    NO_MESSAGE,
    BadCharacter,
    HandfulError,
    Message,
    Refused,
    did_you_mean,
)
from handful.records import replace
from handful.rules.program import Record, Value
from handful.rules.ruleset import Ruleset
from handful.rules.sheet_rules import CHARACTER_KINDS, Attribute, Sheet
from handful.sheet.characters import FORMAT, Character, CharacterTrait, resolve_name
from handful.sheet.derived import ResourceRange, derive
from handful.sheet.entry_reader import MAX_NAME_LENGTH, EntryReader
from handful.sheet.item_reader import read_items
from handful.sheet.skill_reader import SkillsReader
from handful.sheet.trait_reader import read_traits

FIELDS = (
    "format",
    "ruleset",
    "name",
    "kind",
    "attributes",
    "proficiencies",
    "skills",
    "derived",
    "resources",
    "traits",
    "items",
    "notes",
)
MAX_NOTES_LENGTH = 20_000
_KIND_TITLES = {
    "pc": Message("sheet.player_character"),
    "npc": Message("sheet.non_player_character"),
}


def read_character(rules: Ruleset, data: Any) -> Character:
    """Return the character that `data` describes; raise `BadCharacter` with all errors."""
    if rules.sheet is None:
        raise Refused(Message("sheet.game_has_none", id=rules.id))
    if not isinstance(data, dict):
        raise BadCharacter([Message("sheet.not_a_character")])
    reader = _CharacterReader(rules, rules.sheet, EntryReader(data))
    character = reader.character()
    reader.entries.finish()
    return reader.with_resources(character)


class _CharacterReader:
    """Reads the sections of one character; errors go to `entries`."""

    def __init__(self, rules: Ruleset, sheet: Sheet, entries: EntryReader) -> None:
        self.rules, self.sheet, self.entries = rules, sheet, entries
        self.data = entries.data

    # -- top level

    def character(self) -> Character:
        self._check_header()
        name = self.entries.text("name", MAX_NAME_LENGTH, needed=True)
        kind = self.data.get("kind", "pc")
        if kind not in CHARACTER_KINDS:
            self.entries.report(
                "kind", Message("sheet.unknown_kind", kind=str(kind)[:40]), Message("sheet.kinds")
            )
            kind = "pc"
        training = SkillsReader(self.entries, self.sheet)
        return Character(
            ruleset=str(self.data.get("ruleset")),
            name=name,
            kind=kind,
            attributes=self._attributes(),
            proficiencies=training.proficiencies(),
            skills=training.skills(),
            derived=self._derived(),
            resources=self._resources(kind),
            traits=self._traits(),
            notes=self.entries.text("notes", MAX_NOTES_LENGTH),
            items=read_items(self.entries, self.sheet),
        )

    def _check_header(self) -> None:
        version = self.data.get("format")
        if isinstance(version, bool) or not isinstance(version, int):
            self.entries.report(
                "format", Message("sheet.missing_number"), Message("sheet.begin_with_format", format=FORMAT)
            )
        elif version != FORMAT:
            right = Message("sheet.newer_can_read") if version > FORMAT else NO_MESSAGE
            self.entries.report(
                "format", Message("sheet.unknown_format", version=version, format=FORMAT), right
            )
        game = self.data.get("ruleset")
        if game not in self.sheet.lineage:
            right = Message("advice.it_is", names=self.sheet.lineage)
            other = Message("sheet.is_other_game", game=str(game)[:40])
            self.entries.report("ruleset", Message("sheet.missing") if game is None else other, right)
        for key in self.data:
            if key not in FIELDS:
                right = did_you_mean(key[:60], FIELDS) or Message("advice.there_is", names=FIELDS)
                self.entries.report("", Message("sheet.unknown_field", key=key[:40]), right)

    # -- numbers

    def _attributes(self) -> Record:
        other = self.sheet.other_attribute
        known: dict[str, Attribute] = dict(self.sheet.attributes)
        given = self.entries.named_entries("attributes", known, others=other is not None)
        if other is not None:
            known |= {name: other for name in given if name not in known}
        values: dict[str, Value] = {}
        for name, attribute in known.items():
            where = f"attributes.{name}"
            if resolve_name(name, self.sheet.skills):
                self.entries.report(
                    where, Message("sheet.name_is_skill", name=name), Message("advice.use_another_name")
                )
            if name not in given:
                if attribute.param.required:
                    self.entries.report(
                        where,
                        Message("sheet.missing"),
                        Message("sheet.needs", expects=attribute.param.expects()),
                    )
                values[name] = attribute.param.default
                continue
            value = self.entries.read(where, attribute.param, given[name])
            if isinstance(value, Record) and attribute.most_pips is not None:
                self._check_pips(where, value, attribute.most_pips)
            values[name] = value
        return Record(values)

    def _check_pips(self, where: str, code: Record, most: int) -> None:
        if not 0 <= code["pips"] <= most:
            self.entries.report(
                where,
                Message("sheet.impossible_pips", code=code["pips"]),
                Message("sheet.possible_pips", most=most),
            )

    def _derived(self) -> Record:
        """Read derived numbers that are overridden by hand."""
        given = self.entries.named_entries("derived", self.sheet.derived)
        return Record(
            {
                name: self.entries.read(f"derived.{name}", derived.param, given[name])
                for name, derived in self.sheet.derived.items()
                if name in given
            }
        )

    def _resources(self, kind: str) -> Record:
        found = {}
        for name, raw in self.entries.named_entries("resources", self.sheet.resources).items():
            where = f"resources.{name}"
            if kind not in self.sheet.resources[name].kinds:
                kinds = self.sheet.resources[name].kinds
                self.entries.report(
                    where,
                    Message("sheet.kind_has_none", kind=_KIND_TITLES[kind]),
                    Message("sheet.only_for_kinds", kinds=kinds),
                )
            elif isinstance(raw, bool) or not isinstance(raw, int) or abs(raw) > 10**9:
                self.entries.report(
                    where, Message("sheet.not_whole", value=str(raw)[:40]), Message("sheet.such_as_3")
                )
            else:
                found[name] = raw
        return Record({name: found[name] for name in self.sheet.resources if name in found})

    def _traits(self) -> tuple[CharacterTrait, ...]:
        custom_names = [*self.entries.table("skills")] if isinstance(self.data.get("skills"), dict) else []
        if self.sheet.other_attribute is not None and isinstance(self.data.get("attributes"), dict):
            custom_names += [*self.entries.table("attributes")]
        proficiencies = self.data.get("proficiencies")
        for proficiency in proficiencies.values() if isinstance(proficiencies, dict) else ():
            if isinstance(proficiency, dict) and isinstance(proficiency.get("skills"), list):
                custom_names += [name for name in proficiency["skills"] if isinstance(name, str)]
        return read_traits(self.rules, self.data.get("traits", []), custom_names, self.entries.report)

    # -- checks that need the whole character

    def with_resources(self, character: Character) -> Character:
        """Return the character with all resources; refused if one is out of its range."""
        try:
            derived = derive(self.rules, character)
        except HandfulError as trouble:
            self._impossible(trouble)
        now = {}
        for name, range_ in derived.ranges.items():
            assert isinstance(range_, ResourceRange)
            value = character.resources.get(name, range_.start)
            if not range_.least <= value <= range_.most:
                right = Message("sheet.range", least=range_.least, most=range_.most)
                self.entries.report(f"resources.{name}", Message("sheet.out_of_range", value=value), right)
            now[name] = value
        self.entries.finish()
        return replace(character, resources=Record(now))

    def _impossible(self, trouble: HandfulError) -> NoReturn:
        raise BadCharacter([Message("sheet.unusable_numbers", problem=trouble.problem)])
