"""Data of a JSON file -> `Character`, with every mistake found.

Each mistake is one line: where it is, what is wrong, what would be right.  Names are those of the
game or their titles; what is read is canonical, so that reading what was written gives the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from handful.errors import BadCharacter, HandfulError, Refused, did_you_mean, listed
from handful.records import changed
from handful.rules.params import Param, canonical
from handful.rules.program import Record, Value
from handful.rules.ruleset import Ruleset
from handful.rules.sheets import KINDS, Form, Sheet
from handful.sheet.characters import FORMAT, Character, Learned, OwnTrait, Training, spelled
from handful.sheet.follows import Range, follows
from handful.sheet.traits import read_traits

FIELDS = (
    "format", "ruleset", "name", "kind", "attributes", "proficiencies", "skills", "derived",
    "resources", "traits", "notes",
)  # fmt: skip
MOST_ENTRIES = 200  # of one section
MOST_MISTAKES = 50
LONGEST_NAME = 80
LONGEST_NOTES = 20_000
LONGEST_LINE = 300
_KIND = {"pc": "a player character", "npc": "a non-player character"}


def read(rules: Ruleset, data: Any) -> Character:
    """The character that some data describe; refused with all that is wrong with them."""
    if rules.sheet is None:
        raise Refused(f"{rules.id} describes no sheet, so it has no characters")
    if not isinstance(data, dict):
        raise BadCharacter(['is no character; it begins with { "format": 1, "ruleset": "…" }'])
    reader = _Reader(rules, rules.sheet, data)
    character = reader.character()
    reader.finish()
    return reader.filled(character)


class _Reader:
    def __init__(self, rules: Ruleset, sheet: Sheet, data: Mapping[str, Any]) -> None:
        self.rules, self.sheet, self.data = rules, sheet, data
        self.mistakes: list[str] = []

    def finish(self) -> None:
        if self.mistakes:
            raise BadCharacter(self.mistakes[:MOST_MISTAKES])

    def fault(self, where: str, wrong: str, right: str = "") -> None:
        line = f"{where}: {wrong}" if where else wrong
        line = f"{line}; {right}" if right else line
        flat = "".join(c if c.isprintable() else " " for c in line)
        self.mistakes.append(flat if len(flat) < LONGEST_LINE else flat[: LONGEST_LINE - 1] + "…")

    # -- the whole

    def character(self) -> Character:
        self._head()
        name = self._text("name", LONGEST_NAME, needed=True)
        kind = self.data.get("kind", "pc")
        if kind not in KINDS:
            self.fault("kind", f"{str(kind)[:40]!r} is not known", "it is pc or npc")
            kind = "pc"
        sheet = self.sheet
        return Character(
            ruleset=str(self.data.get("ruleset")), name=name, kind=kind,
            attributes=self._attributes(),
            proficiencies=self._named("proficiencies", sheet.proficiencies, sheet.proficiency,
                                      self._training),
            skills=self._named("skills", sheet.skills, sheet.skill, self._learned),
            derived=self._derived(),
            resources=self._resources(kind),
            traits=self._traits(),
            notes=self._text("notes", LONGEST_NOTES),
        )  # fmt: skip

    def _head(self) -> None:
        version = self.data.get("format")
        if isinstance(version, bool) or not isinstance(version, int):
            self.fault("format", "is missing or no number", f'begin with "format": {FORMAT}')
        elif version != FORMAT:
            right = "a newer version of handful can read it" if version > FORMAT else ""
            self.fault("format", f"{version} is not known; this version reads {FORMAT}", right)
        game = self.data.get("ruleset")
        if game not in self.sheet.lineage:
            right = f"it is {listed(self.sheet.lineage)}"
            wrong = "is missing" if game is None else f"{str(game)[:40]!r} is another game"
            self.fault("ruleset", wrong, right)
        for key in self.data:
            if key not in FIELDS:
                right = did_you_mean(key[:60], FIELDS) or f"there is {listed(FIELDS)}"
                self.fault("", f"there is no field {key[:40]!r}", right)

    def _text(self, key: str, longest: int, *, needed: bool = False) -> str:
        value = self.data.get(key, "")
        if not isinstance(value, str):
            self.fault(key, "must be a text", f'"{key}": "…"')
            return ""
        if needed and not value.strip():
            self.fault(key, "is missing", f'"{key}": "…"')
        if len(value) > longest:
            self.fault(key, f"has {len(value)} characters", f"at most {longest}")
        if not needed and value.encode(errors="replace") != value.encode(errors="ignore"):
            self.fault(key, "has half a character in it", "use plain text")
            return ""
        if needed and not value.isprintable():
            self.fault(key, "has characters that cannot be shown", "use one line of plain text")
        return value.strip()[:longest]

    def _table(self, key: str) -> dict[str, Any]:
        value = self.data.get(key, {})
        if not isinstance(value, dict):
            self.fault(key, "must be a table", f'"{key}": {{ "…": … }}')
            return {}
        if len(value) > MOST_ENTRIES:
            self.fault(key, f"has {len(value)} entries", f"at most {MOST_ENTRIES}")
            return {}
        return value

    def _read(self, where: str, param: Param, raw: Any) -> Value:
        """A value as a parameter reads it; None where it does not fit, which is reported."""
        try:
            return param.read(raw)
        except Refused as refusal:
            message = refusal.message.removeprefix(f"{param.name}: ")
            self.fault(where, message, refusal.hint)
            return None

    def _known(self, section: str, known: Mapping[str, Any]) -> dict[str, Any]:
        """Entries by the game's names; what it does not know is reported."""
        found: dict[str, Any] = {}
        for key, raw in self._table(section).items():
            own = spelled(key, known)
            if own is None:
                right = did_you_mean(canonical(key[:60]), known) or f"there is {listed(known)}"
                self.fault(section, f"there is no {key[:40]!r}", right)
            elif own in found:
                self.fault(section, f"{own} stands there twice", "keep one")
            else:
                found[own] = raw
        return found

    # -- numbers

    def _attributes(self) -> Record:
        given = self._known("attributes", self.sheet.attributes)
        found: dict[str, Value] = {}
        for name, one in self.sheet.attributes.items():
            where = f"attributes.{name}"
            if name not in given:
                if one.param.required:
                    self.fault(where, "is missing", f"it needs {one.param.expects()}")
                found[name] = one.param.default
                continue
            value = self._read(where, one.param, given[name])
            if isinstance(value, Record) and one.most_pips is not None:
                self._pips(where, value, one.most_pips)
            found[name] = value
        return Record(found)

    def _pips(self, where: str, code: Record, most: int) -> None:
        if not 0 <= code["pips"] <= most:
            self.fault(
                where,
                f"{code['pips']:+} is not possible behind the dice",
                f"0 to {most}; more make another die",
            )

    def _derived(self) -> Record:
        """Numbers that somebody has set by hand."""
        given = self._known("derived", self.sheet.derived)
        return Record(
            {
                name: self._read(f"derived.{name}", one.param, given[name])
                for name, one in self.sheet.derived.items()
                if name in given
            }
        )

    def _resources(self, kind: str) -> Record:
        found = {}
        for name, raw in self._known("resources", self.sheet.resources).items():
            where = f"resources.{name}"
            if kind not in self.sheet.resources[name].kinds:
                kinds = listed(self.sheet.resources[name].kinds)
                self.fault(where, f"{_KIND[kind]} has none", f"leave it out; it is for {kinds}")
            elif isinstance(raw, bool) or not isinstance(raw, int) or abs(raw) > 10**9:
                self.fault(where, f"{str(raw)[:40]!r} is not a whole number", "such as 3")
            else:
                found[name] = raw
        return Record({name: found[name] for name in self.sheet.resources if name in found})

    # -- skills and proficiencies

    def _named(
        self, section: str, known: Mapping[str, Any], form: Form | None,
        shape: Callable[[str, str, Any], Any],
    ) -> Record:  # fmt: skip
        """Entries by the game's names, and others where the game is open to them."""
        if form is None:
            if section in self.data:
                self.fault(section, "this game has none", "leave them out")
            return Record()
        found: dict[str, Any] = {}
        for key, raw in self._table(section).items():
            own = spelled(key, known) or self._own(section, key, known, form)
            if own is None:
                continue
            if any(canonical(own) == canonical(other) for other in found):
                self.fault(section, f"{own} stands there twice", "keep one")
            found[own] = shape(f"{section}.{own}", own, raw)
        order = [name for name in known if name in found]
        order += sorted(name for name in found if name not in known)
        return Record({name: found[name] for name in order})

    def _own(self, section: str, key: str, known: Mapping[str, Any], form: Form) -> str | None:
        """A name that only this character has."""
        if not form.open:
            right = did_you_mean(canonical(key[:60]), known) or f"there is {listed(known)}"
            self.fault(section, f"there is no {key[:40]!r}", right)
        elif not key.strip() or len(key) > LONGEST_NAME or not key.isprintable():
            self.fault(section, f"{key[:40]!r} is no name", f"1 to {LONGEST_NAME} characters")
        elif spelled(key, self.sheet.attributes):
            self.fault(section, f"{key!r} is an attribute", "use another name")
        else:
            return key.strip()
        return None

    def _training(self, where: str, name: str, raw: Any) -> Training:
        form = self.sheet.proficiency
        assert form is not None
        known = name in self.sheet.proficiencies
        data = raw if isinstance(raw, dict) else {"rank": raw}
        self._fields(where, data, ("rank", "skills"))
        if "rank" not in data:
            self.fault(where, "rank is missing", f"it needs {form.param.expects()}")
        rank = self._read(where, form.param, data["rank"]) if "rank" in data else None
        skills = data.get("skills")
        if skills is None:
            if not known:
                self.fault(where, "which skills does it grant?", '"skills": ["…"]')
            return Training(rank)
        names = self._names(f"{where}.skills", skills, self.sheet.skills)
        if known and names == self.sheet.proficiencies[name].skills:
            return Training(rank)
        return Training(rank, names)

    def _names(self, where: str, names: Any, known: Mapping[str, Any]) -> tuple[str, ...]:
        if not isinstance(names, list) or not all(isinstance(one, str) for one in names):
            self.fault(where, "must be a list of names", '["…"]')
            return ()
        if len(names) > MOST_ENTRIES:
            self.fault(where, f"has {len(names)} entries", f"at most {MOST_ENTRIES}")
            return ()
        found: list[str] = []
        for name in names:
            own = spelled(name, known) or name.strip()
            if not own or len(own) > LONGEST_NAME or not own.isprintable():
                self.fault(where, f"{name[:40]!r} is no name", f"1 to {LONGEST_NAME} characters")
            elif any(canonical(own) == canonical(other) for other in found):
                self.fault(where, f"{own} stands there twice", "keep one")
            else:
                found.append(own)
        return tuple(found)

    def _learned(self, where: str, name: str, raw: Any) -> Learned:
        form, sheet = self.sheet.skill, self.sheet
        assert form is not None
        data = raw if isinstance(raw, dict) else {form.called: raw}
        known = sheet.skills.get(name)
        governed = form.governed and known is None
        numbered = sheet.proficiency is None
        allowed = [*([form.called] * numbered), *(["attribute"] * governed), *form.fields]
        self._fields(where, data, allowed)
        value = None
        if numbered and form.called not in data:
            self.fault(where, f"{form.called} is missing", f"it needs {form.param.expects()}")
        elif numbered:
            value = self._read(where, form.param, data[form.called])
        attribute = spelled(str(data.get("attribute", "")), sheet.attributes) if governed else ""
        if attribute is None:
            right = f"it is {listed(sheet.attributes)}"
            self.fault(where, "which attribute does it belong to?", right)
        fields = {}
        for key, param in form.fields.items():
            if key in data:
                fields[key] = self._read(f"{where}.{key}", param, data[key])
        usual = {key: known.fields.get(key, p.default) if known else p.default
                 for key, p in form.fields.items()}  # fmt: skip
        own = {key: one for key, one in fields.items() if one != usual[key]}
        return Learned(value, attribute or "", Record(own))

    def _fields(self, where: str, data: Mapping[str, Any], allowed: Sequence[str]) -> None:
        for key in data:
            if key not in allowed:
                right = did_you_mean(key[:60], allowed) or f"there is {listed(allowed)}"
                self.fault(where, f"there is no field {key[:40]!r}", right)

    def _traits(self) -> tuple[OwnTrait, ...]:
        own = [*self._table("skills")] if isinstance(self.data.get("skills"), dict) else []
        trained = self.data.get("proficiencies")
        for one in trained.values() if isinstance(trained, dict) else ():
            if isinstance(one, dict) and isinstance(one.get("skills"), list):
                own += [name for name in one["skills"] if isinstance(name, str)]
        return read_traits(self.rules, self.data.get("traits", []), own, self.fault)

    # -- what only the whole shows

    def filled(self, character: Character) -> Character:
        """The character with every resource; refused if one is out of its range."""
        try:
            found = follows(self.rules, character)
        except HandfulError as trouble:
            self._impossible(trouble)
        now = {}
        for name, own in found.ranges.items():
            assert isinstance(own, Range)
            value = character.resources.get(name, own.start)
            if not own.least <= value <= own.most:
                right = f"it is from {own.least} to {own.most}"
                self.fault(f"resources.{name}", f"{value} is out of range", right)
            now[name] = value
        self.finish()
        return changed(character, resources=Record(now))

    def _impossible(self, trouble: HandfulError) -> NoReturn:
        raise BadCharacter([f"the game cannot work with these numbers: {trouble.message}"])
