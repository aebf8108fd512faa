"""Reads a `Character` from the data of a JSON or TOML file, and reports every error in it.

Each error is one line: where it is, what is wrong, and what would be right.  Entries may be named by
title.  The result is canonical: reading an exported character returns an equal one.
"""

from __future__ import annotations

from typing import Any, NoReturn

from handful.errors import BadCharacter, HandfulError, Refused, did_you_mean, format_choices
from handful.records import replace
from handful.rules.program import Record, Value
from handful.rules.ruleset import Ruleset
from handful.rules.sheet_rules import CHARACTER_KINDS, Attribute, Sheet
from handful.sheet.characters import FORMAT, Character, CharacterTrait, resolve_name
from handful.sheet.derived import ResourceRange, derive
from handful.sheet.entry_reader import MAX_NAME_LENGTH, EntryReader
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
    "notes",
)
MAX_NOTES_LENGTH = 20_000
_KIND_TITLES = {"pc": "a player character", "npc": "a non-player character"}


def read_character(rules: Ruleset, data: Any) -> Character:
    """Return the character that `data` describes; raise `BadCharacter` with all errors."""
    if rules.sheet is None:
        raise Refused(f"{rules.id} describes no sheet, so it has no characters")
    if not isinstance(data, dict):
        raise BadCharacter(['is no character; it begins with { "format": 1, "ruleset": "…" }'])
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
            self.entries.report("kind", f"{str(kind)[:40]!r} is not known", "it is pc or npc")
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
        )

    def _check_header(self) -> None:
        version = self.data.get("format")
        if isinstance(version, bool) or not isinstance(version, int):
            self.entries.report("format", "is missing or no number", f'begin with "format": {FORMAT}')
        elif version != FORMAT:
            right = "a newer version of handful can read it" if version > FORMAT else ""
            self.entries.report("format", f"{version} is not known; this version reads {FORMAT}", right)
        game = self.data.get("ruleset")
        if game not in self.sheet.lineage:
            right = f"it is {format_choices(self.sheet.lineage)}"
            wrong = "is missing" if game is None else f"{str(game)[:40]!r} is another game"
            self.entries.report("ruleset", wrong, right)
        for key in self.data:
            if key not in FIELDS:
                right = did_you_mean(key[:60], FIELDS) or f"there is {format_choices(FIELDS)}"
                self.entries.report("", f"there is no field {key[:40]!r}", right)

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
                self.entries.report(where, f"{name!r} is a skill", "use another name")
            if name not in given:
                if attribute.param.required:
                    self.entries.report(where, "is missing", f"it needs {attribute.param.expects()}")
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
                f"{code['pips']:+} is not possible behind the dice",
                f"0 to {most}; more make another die",
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
                kinds = format_choices(self.sheet.resources[name].kinds)
                self.entries.report(
                    where, f"{_KIND_TITLES[kind]} has none", f"leave it out; it is for {kinds}"
                )
            elif isinstance(raw, bool) or not isinstance(raw, int) or abs(raw) > 10**9:
                self.entries.report(where, f"{str(raw)[:40]!r} is not a whole number", "such as 3")
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
                right = f"it is from {range_.least} to {range_.most}"
                self.entries.report(f"resources.{name}", f"{value} is out of range", right)
            now[name] = value
        self.entries.finish()
        return replace(character, resources=Record(now))

    def _impossible(self, trouble: HandfulError) -> NoReturn:
        raise BadCharacter([f"the game cannot work with these numbers: {trouble.message}"])
