"""Reads the skills and proficiencies of a character file.

Entries are the game's by name; custom ones are accepted only where the game's rank format is open.
Errors go to the `EntryReader`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from handful.errors import Message, did_you_mean
from handful.rules.params import normalize_name
from handful.rules.program import Record
from handful.rules.sheet_rules import RankFormat, Sheet
from handful.sheet.characters import CharacterProficiency, CharacterSkill, resolve_name
from handful.sheet.entry_reader import MAX_ENTRIES, MAX_NAME_LENGTH, EntryReader


class SkillsReader:
    """Reads skills and proficiencies; reports errors to `entries`."""

    def __init__(self, entries: EntryReader, sheet: Sheet) -> None:
        self.entries, self.sheet = entries, sheet

    def proficiencies(self) -> Record:
        """Read the proficiencies section."""
        return self._read_section(
            "proficiencies", self.sheet.proficiencies, self.sheet.proficiency, self._proficiency
        )

    def skills(self) -> Record:
        """Read the skills section."""
        return self._read_section("skills", self.sheet.skills, self.sheet.skill, self._skill)

    def _read_section(
        self,
        section: str,
        known: Mapping[str, Any],
        rank_format: RankFormat | None,
        read_entry: Callable[[str, str, Any], Any],
    ) -> Record:
        """Read a section: the game's entries by name, and custom ones where they are allowed."""
        if rank_format is None:
            if section in self.entries.data:
                self.entries.report(section, Message("sheet.no_section"), Message("advice.leave_them_out"))
            return Record()
        found: dict[str, Any] = {}
        for key, raw in self.entries.table(section).items():
            entry_name = resolve_name(key, known) or self._new_name(section, key, known, rank_format)
            if entry_name is None:
                continue
            if any(normalize_name(entry_name) == normalize_name(other) for other in found):
                self.entries.report(
                    section, Message("sheet.listed_twice", name=entry_name), Message("advice.keep_one")
                )
            found[entry_name] = read_entry(f"{section}.{entry_name}", entry_name, raw)
        order = [name for name in known if name in found]
        order += sorted(name for name in found if name not in known)
        return Record({name: found[name] for name in order})

    def _new_name(
        self, section: str, key: str, known: Mapping[str, Any], rank_format: RankFormat
    ) -> str | None:
        """Return the name of a custom entry, or report why it is not allowed."""
        if not rank_format.open:
            right = did_you_mean(normalize_name(key[:60]), known) or Message("advice.there_is", names=known)
            self.entries.report(section, Message("sheet.unknown_name", key=key[:40]), right)
        elif not key.strip() or len(key) > MAX_NAME_LENGTH or not key.isprintable():
            self.entries.report(
                section,
                Message("sheet.not_a_name", key=key[:40]),
                Message("sheet.length_of_name", most=MAX_NAME_LENGTH),
            )
        elif resolve_name(key, self.sheet.attributes):
            self.entries.report(
                section, Message("sheet.name_is_attribute", key=key), Message("advice.use_another_name")
            )
        else:
            return key.strip()
        return None

    def _proficiency(self, where: str, name: str, raw: Any) -> CharacterProficiency:
        rank_format = self.sheet.proficiency
        assert rank_format is not None
        known = name in self.sheet.proficiencies
        data = raw if isinstance(raw, dict) else {"rank": raw}
        self._check_fields(where, data, ("rank", "skills"))
        if "rank" not in data:
            self.entries.report(
                where,
                Message("sheet.missing_rank"),
                Message("sheet.needs", expects=rank_format.param.expects()),
            )
        rank = self.entries.read(where, rank_format.param, data["rank"]) if "rank" in data else None
        skills = data.get("skills")
        if skills is None:
            if not known:
                self.entries.report(where, Message("sheet.which_skills"), '"skills": ["…"]')
            return CharacterProficiency(rank)
        names = self._skill_names(f"{where}.skills", skills, self.sheet.skills)
        if known and names == self.sheet.proficiencies[name].skills:
            return CharacterProficiency(rank)
        return CharacterProficiency(rank, names)

    def _skill_names(self, where: str, names: Any, known: Mapping[str, Any]) -> tuple[str, ...]:
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            self.entries.report(where, Message("sheet.not_a_list_of_names"), '["…"]')
            return ()
        if len(names) > MAX_ENTRIES:
            self.entries.report(
                where,
                Message("sheet.too_many_entries", value=len(names)),
                Message("sheet.at_most", longest=MAX_ENTRIES),
            )
            return ()
        found: list[str] = []
        for name in names:
            entry_name = resolve_name(name, known) or name.strip()
            if not entry_name or len(entry_name) > MAX_NAME_LENGTH or not entry_name.isprintable():
                self.entries.report(
                    where,
                    Message("sheet.not_a_name", key=name[:40]),
                    Message("sheet.length_of_name", most=MAX_NAME_LENGTH),
                )
            elif any(normalize_name(entry_name) == normalize_name(other) for other in found):
                self.entries.report(
                    where, Message("sheet.listed_twice", name=entry_name), Message("advice.keep_one")
                )
            else:
                found.append(entry_name)
        return tuple(found)

    def _skill(self, where: str, name: str, raw: Any) -> CharacterSkill:
        rank_format, sheet = self.sheet.skill, self.sheet
        assert rank_format is not None
        data = raw if isinstance(raw, dict) else {rank_format.called: raw}
        known = sheet.skills.get(name)
        governed = rank_format.governed and known is None
        numbered = sheet.proficiency is None
        allowed = [*([rank_format.called] * numbered), *(["attribute"] * governed), *rank_format.fields]
        self._check_fields(where, data, allowed)
        value = None
        if numbered and rank_format.called not in data:
            self.entries.report(
                where,
                Message("sheet.missing_value", name=rank_format.called),
                Message("sheet.needs", expects=rank_format.param.expects()),
            )
        elif numbered:
            value = self.entries.read(where, rank_format.param, data[rank_format.called])
        attribute = resolve_name(str(data.get("attribute", "")), sheet.attributes) if governed else ""
        if attribute is None:
            right = Message("advice.it_is", names=sheet.attributes)
            self.entries.report(where, Message("sheet.which_attribute"), right)
        fields = {}
        for key, param in rank_format.fields.items():
            if key in data:
                fields[key] = self.entries.read(f"{where}.{key}", param, data[key])
        defaults = {
            key: known.fields.get(key, p.default) if known else p.default
            for key, p in rank_format.fields.items()
        }
        custom_fields = {key: own for key, own in fields.items() if own != defaults[key]}
        return CharacterSkill(value, attribute or "", Record(custom_fields))

    def _check_fields(self, where: str, data: Mapping[str, Any], allowed: Sequence[str]) -> None:
        for key in data:
            if key not in allowed:
                right = did_you_mean(key[:60], allowed) or Message("advice.there_is", names=allowed)
                self.entries.report(where, Message("sheet.unknown_field", key=key[:40]), right)
