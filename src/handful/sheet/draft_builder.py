"""Builds a `Draft` from characters and typed parameters: one line per contribution of the sheet.

Some parameters (the sheet's picks) accept the name of an attribute or skill instead of a number; the
picked entry fills parameters and brings in the traits and conditions that apply to it.
A typed number wins: the sheet's own lines for that parameter are switched off.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from handful.errors import Message, Refused, did_you_mean
from handful.records import replace
from handful.roll import one_side_error
from handful.rules.name_resolution import CharacterNames, resolve_parameters
from handful.rules.params import ADD_SUFFIX, Param, normalize_name
from handful.rules.program import Record, Value
from handful.rules.ruleset import Check, Ruleset, localize
from handful.rules.sheet_rules import Pick, Sheet
from handful.sheet.characters import Character, CharacterSkill, resolve_name, title_of
from handful.sheet.derived import granting_proficiencies, skill_names, skill_rank
from handful.sheet.draft import Draft, DraftSide, freeze
from handful.sheet.lines import PLAYER, Line, countable_amount
from handful.sheet.trait_lines import PickedEntry, TraitLines


def draft(
    ruleset: Ruleset,
    check_name: str,
    sides: Sequence[Mapping[str, Any]] = (),
    params: Mapping[str, Any] | None = None,
    characters: Sequence[Character | None] = (),
    *,
    options: Mapping[str, Any] | None = None,
    by: str = PLAYER,
) -> Draft:
    """Build a check from sheets; `characters` are those of the sides, in order."""
    check = ruleset.check(check_name)
    if check.sides is None and len(sides) > 1:
        raise one_side_error(check)
    if len(characters) > max(len(sides), 1):
        raise Refused(
            Message(
                "sheet.number_of_characters",
                characters=Message("count.character", count=len(characters)),
                sides=Message("count.side", count=max(len(sides), 1)),
            )
        )
    wanted = [*characters, *[None] * (max(len(sides), 1) - len(characters))]
    for character in wanted:
        if character is not None:
            _check_ruleset(ruleset, character)
    names = [sheet_names(ruleset, character) for character in wanted]
    side_params = [
        _canonical_parameters(ruleset, check, *side) for side in zip(sides, names, strict=False)
    ] or [{}]
    overall: dict[str, Any] = {}
    for name, value in _canonical_parameters(ruleset, check, params or {}, names[0]).items():
        is_overall = check.sides is not None and _param(check, name).whole
        (overall if is_overall else side_params[0]).setdefault(name, value)
    resolved = Record(options or {})
    return Draft(
        ruleset,
        check,
        tuple(Line(name, freeze(value), by=by) for name, value in overall.items()),
        tuple(
            _SideBuilder(ruleset, check, character, resolved, by).side(typed)
            for character, typed in zip(wanted, side_params, strict=True)
        ),
        resolved,
    )


def names_for_parameter(ruleset: Ruleset, character: Character, parameter: str) -> dict[str, Value]:
    """Return the entries that a parameter accepts by name: English titles with their ranks."""
    sheet = ruleset.sheet
    if sheet is None or parameter not in sheet.picks:
        return {}
    pick, found = sheet.picks[parameter], {}
    if pick.attributes:
        found = {
            localize(title_of(name, sheet.attributes)): value for name, value in character.attributes.items()
        }
    if pick.skills:
        for name in skill_names(sheet, character):
            found[localize(title_of(name, sheet.skills))] = skill_rank(sheet, character, name)
    return found


def _check_ruleset(ruleset: Ruleset, character: Character) -> None:
    """Refuse a character of another game, or one read by other rules of this one."""
    sheet = ruleset.sheet
    if sheet is None or character.ruleset not in sheet.lineage:
        raise Refused(
            Message("sheet.other_game", name=character.name, ruleset=character.ruleset, id=ruleset.id)
        )
    traits = {trait.name for trait in character.traits if trait.gives is None}
    custom = {*character.attributes} - {*sheet.attributes}
    missing = {*sheet.attributes} - {*character.attributes}
    if missing or (custom and sheet.other_attribute is None) or not traits <= {*sheet.traits}:
        raise Refused(Message("sheet.read_by_other_rules", name=character.name))


def sheet_names(ruleset: Ruleset, character: Character | None) -> CharacterNames | None:
    """Return the names on a character's sheet; None without a character or sheet rules."""
    sheet = ruleset.sheet
    if character is None or sheet is None:
        return None
    skills = {
        name: character.skills[name].attribute if name in character.skills else ""
        for name in skill_names(sheet, character)
    }
    return CharacterNames(
        tuple(character.attributes), skills, tuple(trait.name for trait in character.traits)
    )


def _canonical_parameters(
    ruleset: Ruleset, check: Check, typed: Mapping[str, Any], names: CharacterNames | None
) -> dict[str, Any]:
    """Return the typed parameters by their declared names; a `+` suffix stays."""
    if not isinstance(typed, Mapping):
        raise Refused(Message("roll.side_is_no_mapping", side=typed))
    return resolve_parameters(ruleset, check, typed, names)


def _param(check: Check, name: str) -> Param:
    return check.params[name.removesuffix(ADD_SUFFIX)]


def _split_parts(param: Param, raw: Any) -> list[Any]:
    """Split a typed value into one part per skill."""
    if isinstance(raw, str) and param.separators:
        return list(raw.split(","))
    return list(raw) if param.separators and isinstance(raw, (list, tuple)) else [raw]


def _add_label(line: Line, param: Param) -> Line:
    """Add the parameter's label to a title: `Scholarship: Supernatural Potential`."""
    both = {**line.title, **param.label}
    return replace(
        line,
        title=Record({lang: f"{localize(line.title, lang)}: {localize(param.label, lang)}" for lang in both}),
    )


class _SideBuilder:
    """Builds the lines of one side."""

    def __init__(
        self, ruleset: Ruleset, check: Check, character: Character | None, options: Record, by: str
    ) -> None:
        self.ruleset, self.check, self.character = ruleset, check, character
        self.options, self.by = options, by

    def side(self, typed: Mapping[str, Any]) -> DraftSide:
        sheet = self.ruleset.sheet
        if self.character is None:
            typed_lines = tuple(self._typed_line(name, value) for name, value in typed.items())
            return DraftSide(None, typed_lines, self._count_skills(sheet, typed) if sheet else 0)
        assert sheet is not None
        self.sheet: Sheet = sheet
        picks = {}
        for name in sheet.picks:
            if name in typed and name in self.check.params:
                entries = self._read_picks(sheet.picks[name], typed[name])
                if entries is not None:
                    picks[name] = entries
        lines = self._picked_lines(picks)
        picked = [entry for entries in picks.values() for entry in entries if isinstance(entry, PickedEntry)]
        lines += TraitLines(self.ruleset, self.check, self.character, picked).lines(self.options)
        for name, value in sorted(typed.items(), key=lambda entry: entry[0].endswith(ADD_SUFFIX)):
            if name not in picks:
                lines = self._override(lines, name, value)
        skill_count = self._count_skills(sheet, typed)
        if skill_count == 1:
            lines = [replace(line, skill_index=None) for line in lines]
        return DraftSide(self.character, tuple(lines), skill_count)

    def _count_skills(self, sheet: Sheet, typed: Mapping[str, Any]) -> int:
        """Return the number of skills checked at once; 0 if the check never takes several."""
        params = [self.check.params.get(name) for name in sheet.picks]
        lists = [param for param in params if param is not None and param.separators]
        return max((len(_split_parts(param, typed.get(param.name))) for param in lists), default=0)

    # -- typed parameters

    def _typed_line(self, name: str, value: Any) -> Line:
        return Line(name.removesuffix(ADD_SUFFIX), freeze(value), by=self.by)

    def _override(self, lines: list[Line], name: str, value: Any) -> list[Line]:
        """Add a typed line; without a `+` suffix it switches the sheet's lines off."""
        if not name.endswith(ADD_SUFFIX):
            lines = [
                replace(line, on=False, switched_by=self.by) if line.parameter == name else line
                for line in lines
            ]
        else:
            _param(self.check, name).read(value)
        return [*lines, self._typed_line(name, value)]

    # -- picked entries

    def _read_picks(self, pick: Pick, raw: Any) -> list[PickedEntry | Any] | None:
        """Return the entries named at a parameter, numbers unchanged; None if nothing is named."""
        param = self.check.params[pick.parameter]
        is_list = bool(param.separators)
        entries = [
            self._read_pick(pick, part, index if is_list else None)
            for index, part in enumerate(_split_parts(param, raw))
        ]
        if any(isinstance(entry, PickedEntry) for entry in entries):
            return entries
        return None

    def _read_pick(self, pick: Pick, part: Any, skill_index: int | None) -> PickedEntry | Any:
        assert self.character is not None
        param = self.check.params[pick.parameter]
        if isinstance(part, str):
            attributes = self.character.attributes
            if pick.attributes and (name := resolve_name(part, self.sheet.attributes, attributes)):
                return PickedEntry("attributes", name, skill_index)
            skills = skill_names(self.sheet, self.character)
            if pick.skills and (name := resolve_name(part, self.sheet.skills, skills)):
                return PickedEntry("skills", name, skill_index)
        try:
            if param.type == "text":
                raise Refused("")
            param.read([part] if param.separators else part)
        except Refused:
            if isinstance(part, str):
                raise self._unknown_name(pick, part) from None
            raise
        return part

    def _unknown_name(self, pick: Pick, part: str) -> Refused:
        assert self.character is not None
        names = [*self.character.attributes] if pick.attributes else []
        names += skill_names(self.sheet, self.character) if pick.skills else []
        known = [*names, *(self.sheet.skills if pick.skills else [])]
        param = self.check.params[pick.parameter]
        known_as = {"parameter": pick.parameter, "name": self.character.name, "typed": part.strip()[:40]}
        wrong = Message("sheet.character_has_no", **known_as, names=names)
        if param.type != "text":
            expects = param.expects()
            wrong = Message("sheet.character_has_no_or_value", **known_as, names=names, expects=expects)
        return Refused(
            wrong,
            did_you_mean(normalize_name(part[:60]), known),
        )

    def _picked_lines(self, picks: Mapping[str, list[PickedEntry | Any]]) -> list[Line]:
        lines: list[Line] = []
        filled_by = {name: name for name in picks}  # parameter -> the pick that fills it
        for name, entries in picks.items():
            pick = self.sheet.picks[name]
            for index, entry in enumerate(entries):
                if not isinstance(entry, PickedEntry):
                    lines.append(Line(name, entry, skill_index=index, by=self.by))
                    continue
                fills = pick.attributes if entry.group == "attributes" else pick.skills
                for parameter, field in fills.items():
                    known = parameter in self.check.params
                    if known and filled_by.setdefault(parameter, name) == name:
                        lines += self._fill_parameter(parameter, field, entry)
        return lines

    def _fill_parameter(self, parameter: str, field: str, entry: PickedEntry) -> Iterator[Line]:
        """Yield the lines by which a picked entry fills a parameter."""
        assert self.character is not None
        if entry.group == "attributes":
            yield self._attribute_line(parameter, entry.name if field == "value" else "", entry)
            return
        rank_format = self.sheet.skill
        assert rank_format is not None
        skill = self.sheet.skills.get(entry.name)
        character_skill = self.character.skills.get(entry.name, CharacterSkill())
        if field == "attribute":
            yield self._attribute_line(
                parameter, character_skill.attribute or (skill.attribute if skill else ""), entry
            )
        elif field == "name":
            yield self._skill_line(parameter, entry, entry.name)
        elif field == rank_format.called:
            yield from self._rank_lines(parameter, entry)
        else:
            default = rank_format.fields[field].default
            value = character_skill.fields.get(field, skill.fields.get(field, default) if skill else default)
            if value != default:
                line = self._skill_line(parameter, entry, value)
                yield (
                    line
                    if countable_amount(value) is not None
                    else _add_label(line, rank_format.fields[field])
                )

    def _attribute_line(self, parameter: str, name: str, entry: PickedEntry) -> Line:
        assert self.character is not None
        title = title_of(name or entry.name, self.sheet.attributes)
        value = self.character.attributes[name] if name else entry.name
        return Line(
            parameter, value, f"attributes.{name or entry.name}", Record(title), skill_index=entry.skill_index
        )

    def _skill_line(self, parameter: str, entry: PickedEntry, value: Value, via: str = "") -> Line:
        title = title_of(entry.name, self.sheet.skills)
        granting = title_of(via, self.sheet.proficiencies) if via else {}
        return Line(
            parameter, value, f"skills.{entry.name}", Record(title), Record(granting), entry.skill_index
        )

    def _rank_lines(self, parameter: str, entry: PickedEntry) -> Iterator[Line]:
        """Yield a skill's rank, as one line per proficiency that grants it."""
        assert self.character is not None
        granting = granting_proficiencies(self.sheet, self.character, entry.name)
        if self.sheet.proficiency is None or not granting:
            yield self._skill_line(parameter, entry, skill_rank(self.sheet, self.character, entry.name))
        for name, rank in granting:
            yield self._skill_line(parameter, entry, rank, via=name)
