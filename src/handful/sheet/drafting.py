"""From a character and what is checked to a `Draft`: every line that the sheet brings.

At some parameters (the sheet's picks) the name of an attribute or skill may stand in place of a
number; what is picked fills parameters and calls up the traits and conditions that fit.
A number that somebody gives wins: what the sheet says of that parameter is then switched off.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from handful.errors import Refused, did_you_mean, format_choices, format_count
from handful.records import replace
from handful.roll import one_side_error
from handful.rules.filling import Own, filled
from handful.rules.params import ADD_SUFFIX, Param, normalize_name
from handful.rules.program import Record, Value
from handful.rules.ruleset import Check, Ruleset, localize
from handful.rules.sheets import Pick, Sheet
from handful.sheet.characters import Character, Learned, spelled, title_of
from handful.sheet.draft import Draft, Side, kept
from handful.sheet.follows import grants, ranks, skills_of
from handful.sheet.gifts import Gifts, Picked
from handful.sheet.lines import PLAYER, Line, amount


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
    """A check built from sheets: one character per side, as far as there are any."""
    check = ruleset.check(check_name)
    if check.sides is None and len(sides) > 1:
        raise one_side_error(check)
    if len(characters) > max(len(sides), 1):
        raise Refused(
            f"{format_count(len(characters), 'character')} for {format_count(max(len(sides), 1), 'side')}; "
            "give one for each side"
        )
    wanted = [*characters, *[None] * (max(len(sides), 1) - len(characters))]
    for character in wanted:
        if character is not None:
            _belongs(ruleset, character)
    known = [own_names(ruleset, character) for character in wanted]
    own = [_named(ruleset, check, *side) for side in zip(sides, known, strict=False)] or [{}]
    overall: dict[str, Any] = {}
    for name, value in _named(ruleset, check, params or {}, known[0]).items():
        whole = check.sides is not None and _param(check, name).whole
        (overall if whole else own[0]).setdefault(name, value)
    settled = Record(options or {})
    return Draft(
        ruleset,
        check,
        tuple(Line(name, kept(value), by=by) for name, value in overall.items()),
        tuple(
            _Maker(ruleset, check, character, settled, by).side(typed)
            for character, typed in zip(wanted, own, strict=True)
        ),
        settled,
    )


def names_at(ruleset: Ruleset, character: Character, parameter: str) -> dict[str, Value]:
    """The names that may stand at a parameter, in English, with their numbers."""
    sheet = ruleset.sheet
    if sheet is None or parameter not in sheet.picks:
        return {}
    pick, found = sheet.picks[parameter], {}
    if pick.attributes:
        found = {
            localize(title_of(name, sheet.attributes)): value for name, value in character.attributes.items()
        }
    if pick.skills:
        for name in skills_of(sheet, character):
            found[localize(title_of(name, sheet.skills))] = ranks(sheet, character, name)
    return found


def _belongs(ruleset: Ruleset, character: Character) -> None:
    """Refuses a character that was read by the rules of another game."""
    sheet = ruleset.sheet
    if sheet is None or character.ruleset not in sheet.lineage:
        raise Refused(f"{character.name} is of {character.ruleset}, not of {ruleset.id}")
    traits = {one.name for one in character.traits if one.gives is None}
    others = {*character.attributes} - {*sheet.attributes}
    missing = {*sheet.attributes} - {*character.attributes}
    if missing or (others and sheet.other_attribute is None) or not traits <= {*sheet.traits}:
        raise Refused(f"{character.name} was read by other rules than these; read it again")


def own_names(ruleset: Ruleset, character: Character | None) -> Own | None:
    """The names on a character's sheet; None where nobody has one."""
    sheet = ruleset.sheet
    if character is None or sheet is None:
        return None
    skills = {
        name: character.skills[name].attribute if name in character.skills else ""
        for name in skills_of(sheet, character)
    }
    return Own(tuple(character.attributes), skills, tuple(one.name for one in character.traits))


def _named(ruleset: Ruleset, check: Check, typed: Mapping[str, Any], own: Own | None) -> dict[str, Any]:
    """What was typed, by declared names; a `+` behind a name stays."""
    if not isinstance(typed, Mapping):
        raise Refused(f"{typed!r} is no mapping of names to values; a side is a dict")
    return filled(ruleset, check, typed, own)


def _param(check: Check, name: str) -> Param:
    return check.params[name.removesuffix(ADD_SUFFIX)]


def _parts(param: Param, raw: Any) -> list[Any]:
    """What was typed for each of several skills."""
    if isinstance(raw, str) and param.separators:
        return list(raw.split(","))
    return list(raw) if param.separators and isinstance(raw, (list, tuple)) else [raw]


def _labelled(line: Line, param: Param) -> Line:
    """`Scholarship: Supernatural Potential`, where a number would not say what it is."""
    both = {**line.title, **param.label}
    return replace(
        line,
        title=Record({lang: f"{localize(line.title, lang)}: {localize(param.label, lang)}" for lang in both}),
    )


class _Maker:
    """The lines of one side."""

    def __init__(
        self, ruleset: Ruleset, check: Check, character: Character | None, options: Record, by: str
    ) -> None:
        self.ruleset, self.check, self.character = ruleset, check, character
        self.options, self.by = options, by

    def side(self, typed: Mapping[str, Any]) -> Side:
        sheet = self.ruleset.sheet
        if self.character is None:
            said = tuple(self._typed(name, value) for name, value in typed.items())
            return Side(None, said, self._places(sheet, typed) if sheet else 0)
        assert sheet is not None
        self.sheet: Sheet = sheet
        picks = {}
        for name in sheet.picks:
            if name in typed and name in self.check.params:
                found = self._picked(sheet.picks[name], typed[name])
                if found is not None:
                    picks[name] = found
        lines = self._picked_lines(picks)
        touched = [one for found in picks.values() for one in found if isinstance(one, Picked)]
        lines += Gifts(self.ruleset, self.check, self.character, touched).lines(self.options)
        for name, value in sorted(typed.items(), key=lambda entry: entry[0].endswith(ADD_SUFFIX)):
            if name not in picks:
                lines = self._over(lines, name, value)
        places = self._places(sheet, typed)
        if places == 1:
            lines = [replace(line, place=None) for line in lines]
        return Side(self.character, tuple(lines), places)

    def _places(self, sheet: Sheet, typed: Mapping[str, Any]) -> int:
        """How many skills are checked together; 0 where a check never takes several."""
        params = [self.check.params.get(name) for name in sheet.picks]
        lists = [param for param in params if param is not None and param.separators]
        return max((len(_parts(param, typed.get(param.name))) for param in lists), default=0)

    # -- what somebody typed

    def _typed(self, name: str, value: Any) -> Line:
        return Line(name.removesuffix(ADD_SUFFIX), kept(value), by=self.by)

    def _over(self, lines: list[Line], name: str, value: Any) -> list[Line]:
        """A number that is given wins over the sheet's, unless it comes beside it."""
        if not name.endswith(ADD_SUFFIX):
            lines = [
                replace(line, on=False, switched_by=self.by) if line.parameter == name else line
                for line in lines
            ]
        else:
            _param(self.check, name).read(value)
        return [*lines, self._typed(name, value)]

    # -- what is picked

    def _picked(self, pick: Pick, raw: Any) -> list[Picked | Any] | None:
        """What is named at a parameter, numbers among them as they are; None: no name at all."""
        param = self.check.params[pick.parameter]
        several = bool(param.separators)
        found = [
            self._name(pick, part, place if several else None)
            for place, part in enumerate(_parts(param, raw))
        ]
        if any(isinstance(one, Picked) for one in found):
            return found
        return None

    def _name(self, pick: Pick, part: Any, place: int | None) -> Picked | Any:
        assert self.character is not None
        param = self.check.params[pick.parameter]
        if isinstance(part, str):
            attributes = self.character.attributes
            if pick.attributes and (own := spelled(part, self.sheet.attributes, attributes)):
                return Picked("attributes", own, place)
            skills = skills_of(self.sheet, self.character)
            if pick.skills and (own := spelled(part, self.sheet.skills, skills)):
                return Picked("skills", own, place)
        try:
            if param.type == "text":
                raise Refused("")
            param.read([part] if param.separators else part)
        except Refused:
            if isinstance(part, str):
                raise self._nobody_knows(pick, part) from None
            raise
        return part

    def _nobody_knows(self, pick: Pick, part: str) -> Refused:
        assert self.character is not None
        names = [*self.character.attributes] if pick.attributes else []
        names += skills_of(self.sheet, self.character) if pick.skills else []
        known = [*names, *(self.sheet.skills if pick.skills else [])]
        param = self.check.params[pick.parameter]
        number = "" if param.type == "text" else f", or {param.expects()}"
        return Refused(
            f"{pick.parameter}: {self.character.name} has no {part.strip()[:40]!r}; "
            f"there is {format_choices(names)}{number}",
            did_you_mean(normalize_name(part[:60]), known),
        )

    def _picked_lines(self, picks: Mapping[str, list[Picked | Any]]) -> list[Line]:
        lines: list[Line] = []
        filled = {name: name for name in picks}  # parameter -> the pick that fills it
        for name, found in picks.items():
            pick = self.sheet.picks[name]
            for place, one in enumerate(found):
                if not isinstance(one, Picked):
                    lines.append(Line(name, one, place=place, by=self.by))
                    continue
                fills = pick.attributes if one.group == "attributes" else pick.skills
                for parameter, field in fills.items():
                    known = parameter in self.check.params
                    if known and filled.setdefault(parameter, name) == name:
                        lines += self._filled(parameter, field, one)
        return lines

    def _filled(self, parameter: str, field: str, one: Picked) -> Iterator[Line]:
        """The lines by which something that is picked fills a parameter."""
        assert self.character is not None
        if one.group == "attributes":
            yield self._attribute(parameter, one.name if field == "value" else "", one)
            return
        form = self.sheet.skill
        assert form is not None
        skill = self.sheet.skills.get(one.name)
        own = self.character.skills.get(one.name, Learned())
        if field == "attribute":
            yield self._attribute(parameter, own.attribute or (skill.attribute if skill else ""), one)
        elif field == "name":
            yield self._skill(parameter, one, one.name)
        elif field == form.called:
            yield from self._ranks(parameter, one)
        else:
            default = form.fields[field].default
            value = own.fields.get(field, skill.fields.get(field, default) if skill else default)
            if value != default:
                line = self._skill(parameter, one, value)
                yield line if amount(value) is not None else _labelled(line, form.fields[field])

    def _attribute(self, parameter: str, name: str, one: Picked) -> Line:
        assert self.character is not None
        title = title_of(name or one.name, self.sheet.attributes)
        value = self.character.attributes[name] if name else one.name
        return Line(parameter, value, f"attributes.{name or one.name}", Record(title), place=one.place)

    def _skill(self, parameter: str, one: Picked, value: Value, via: str = "") -> Line:
        title = title_of(one.name, self.sheet.skills)
        granting = title_of(via, self.sheet.proficiencies) if via else {}
        return Line(parameter, value, f"skills.{one.name}", Record(title), Record(granting), one.place)

    def _ranks(self, parameter: str, one: Picked) -> Iterator[Line]:
        """The number of a skill, in as many lines as there are proficiencies that grant it."""
        assert self.character is not None
        granting = grants(self.sheet, self.character, one.name)
        if self.sheet.proficiency is None or not granting:
            yield self._skill(parameter, one, ranks(self.sheet, self.character, one.name))
        for name, rank in granting:
            yield self._skill(parameter, one, rank, via=name)
