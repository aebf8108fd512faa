"""Resolves names that are not parameters: labels, aliases, attributes and skills.

    grace = 3.5                        attribute = 3.5
    technical = 3D, repair = 5         dice = 3D, skill_points = 5, skill_name = repair
    repair = 4D+1                      dice = 4D+1, skill_name = repair

A parameter may be named by its label or an alias, an attribute or skill by its name, title or alias;
`[sheet.picks]` defines which parameters those fill.  A skill's number fills the parameter for its
rank; a value that fits only the parameter for the attribute is taken as the skill's total.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from handful.errors import NO_MESSAGE, Message, NotAccepted, Refused, did_you_mean
from handful.records import field, record
from handful.rules.params import (
    ADD_SUFFIX,
    Param,
    display_value,
    find_name,
    match_name,
    match_spellings,
    normalize_name,
)
from handful.rules.ruleset import Check, Ruleset, localize
from handful.rules.sheet_rules import Pick, Sheet

Parameters = dict[str, Any]


@record()
class CharacterNames:
    """Names on a character's sheet: attributes, skills with their attributes, and traits."""

    attributes: tuple[str, ...] = ()
    skills: Mapping[str, str] = field(default_factory=dict)
    traits: tuple[str, ...] = ()


@record()
class ResolvedName:
    """An entry that a name refers to in a check."""

    kind: str  # params, attributes, skills
    name: str


def resolve_parameters(
    rules: Ruleset, check: Check, given: Mapping[str, Any], character: CharacterNames | None = None
) -> Parameters:
    """Return the given values by the declared names of parameters.

    `character` has the names of the character that makes the check, if any: its sheet supplies the rest.
    """
    values: Parameters = {}
    sheet_entries: list[tuple[ResolvedName, str, Any]] = []
    leading: list[str] = []  # parameters given before the first name of the sheet
    for typed, value in given.items():
        base_name, suffix = (
            (typed.removesuffix(ADD_SUFFIX).strip(), ADD_SUFFIX) if typed[-1:] == ADD_SUFFIX else (typed, "")
        )
        name = base_name if base_name in check.params else match_name(base_name, check.params)
        entry = None if name is None else _sheet_meaning(rules, check, name, value, character)
        if name is None or entry is not None:
            entry = entry or _single_meaning(rules, check, base_name, value, character)
            if entry.kind != "params":
                sheet_entries.append((entry, suffix, value))
                continue
            name = entry.name
        if name + suffix in values:
            raise Refused(Message("value.given_twice", name=name))
        values[name + suffix] = value
        if not sheet_entries:
            leading.append(name + suffix)
    if not sheet_entries:
        return values
    direct = {*values}
    _ParameterFiller(rules, check, values, character).fill(sheet_entries)
    order = {**dict.fromkeys(leading), **dict.fromkeys(key for key in values if key not in direct)}
    return {name: values[name] for name in {**order, **values}}  # in the order in which they were given


def _sheet_meaning(
    rules: Ruleset, check: Check, name: str, value: Any, character: CharacterNames | None
) -> ResolvedName | None:
    """Return the sheet entry that a parameter's name refers to, if only that accepts the value."""
    param = check.params[name]
    if rules.sheet is None or _fits(param, value) or param.type == "text":
        return None
    found = find_sheet_meanings(rules, check, name, character)
    picks = find_picks(rules.sheet, check, found[0].kind) if len(found) == 1 else ()
    fills = [to for pick in picks for to in getattr(pick, found[0].kind)]
    fitting = any(_fits(check.params[to], value) for to in fills if to in check.params)
    return found[0] if fitting and name not in fills else None


def find_parameter(rules: Ruleset, check: Check, typed: str) -> str:
    """Return the parameter that takes the number of a named entry: its own name, a label, `grace`."""
    declared = match_name(typed, check.params)
    if declared is not None:
        return declared
    entry = _single_meaning(rules, check, typed, "…", None)
    if entry.kind == "params":
        return entry.name
    sheet = rules.sheet
    assert sheet is not None
    pick = find_picks(sheet, check, entry.kind)[0]
    rank_key = "value" if entry.kind == "attributes" else sheet.skill and sheet.skill.called
    fills = getattr(pick, entry.kind).items()
    numbers = [to for to, what in fills if what == rank_key and to in check.params]
    return numbers[0] if numbers else pick.parameter


def find_meanings(
    rules: Ruleset, check: Check, name: str, character: CharacterNames | None = None
) -> list[ResolvedName]:
    """Return all entries that a name can refer to, other than a parameter by its own name."""
    labels = {param.name: (*param.label.values(), *param.aliases) for param in check.params.values()}
    found = [ResolvedName("params", own_name) for own_name in match_spellings(name, labels)]
    return [*found, *find_sheet_meanings(rules, check, name, character)]


def find_sheet_meanings(
    rules: Ruleset, check: Check, name: str, character: CharacterNames | None = None
) -> list[ResolvedName]:
    """Return the attributes and skills that a name can refer to, if the check accepts any."""
    return [
        ResolvedName(kind, entry)
        for kind, names in checkable_names(rules, check, character).items()
        for entry in match_spellings(name, names)
    ]


def checkable_names(
    rules: Ruleset, check: Check, character: CharacterNames | None = None
) -> dict[str, dict[str, tuple[str, ...]]]:
    """Return the attributes and skills that a check accepts, with their titles and aliases."""
    sheet = rules.sheet
    if sheet is None:
        return {}
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    character = character or CharacterNames()
    for kind, known, custom in (
        ("attributes", sheet.attributes, character.attributes),
        ("skills", sheet.skills, character.skills),
    ):
        if find_picks(sheet, check, kind):
            found[kind] = dict.fromkeys(custom, ())
            found[kind] |= {n: (*entry.title.values(), *entry.aliases) for n, entry in known.items()}
    return found


def find_picks(sheet: Sheet, check: Check, kind: str) -> list[Pick]:
    """Return the picks of a check that accept attributes, or skills."""
    return [pick for pick in sheet.picks.values() if pick.parameter in check.params and getattr(pick, kind)]


def _single_meaning(
    rules: Ruleset, check: Check, name: str, value: Any, character: CharacterNames | None
) -> ResolvedName:
    found = find_meanings(rules, check, name, character)
    if len(found) == 1:
        return found[0]
    if not found:
        raise unknown_name_error(rules, check, name, character)
    choices = [_format_meaning(rules, check, meaning, value, character) for meaning in found]
    raise Refused(Message("value.write_one_of", name=name, choices=choices))


def unknown_name_error(
    rules: Ruleset, check: Check, name: str, character: CharacterNames | None = None
) -> Refused:
    """Return the refusal for an unknown name, with the closest match as a hint."""
    try:
        find_name(name, check.params, "parameter", check.name)
    except Refused as refusal:
        known = [
            spelling
            for names in checkable_names(rules, check, character).values()
            for spelling in all_spellings(names)
        ]
        by_normalized = {normalize_name(spelling): spelling for spelling in (*known, *check.params)}
        custom_hint = _custom_entry_hint(rules, check)
        hint = did_you_mean(normalize_name(name), by_normalized, 0.8 if custom_hint else 0.6)
        return NotAccepted(refusal.problem, hint or custom_hint)
    raise AssertionError(name)


def _custom_entry_hint(rules: Ruleset, check: Check) -> Message:
    """Return a hint for custom attributes and skills, if the game allows them."""
    sheet, parameters = rules.sheet, []
    if sheet is None:
        return NO_MESSAGE
    if sheet.other_attribute is not None:
        parameters += [pick.parameter for pick in find_picks(sheet, check, "attributes")[:1]]
    if sheet.skill is not None and sheet.skill.open:
        parameters += [pick.parameter for pick in find_picks(sheet, check, "skills")[:1]]
    examples = [f"{name}={check.params[name].example()}" for name in dict.fromkeys(parameters)]
    return Message("name.custom_entries", examples=examples) if examples else NO_MESSAGE


def all_spellings(names: Mapping[str, Iterable[str]]) -> list[str]:
    """Return all names, titles and aliases in one list."""
    return [spelling for name, spellings in names.items() for spelling in (name, *spellings)]


def _format_meaning(
    rules: Ruleset, check: Check, meaning: ResolvedName, value: Any, character: CharacterNames | None
) -> str:
    if meaning.kind == "params":
        return f"{meaning.name}={value}"
    values: Parameters = {}
    try:
        _ParameterFiller(rules, check, values, character).fill([(meaning, "", value)])
    except Refused:
        return f"{meaning.name}={value}"
    return " ".join(f"{name}={part}" for name, part in values.items())


class _ParameterFiller:
    """Fills the parameters of one side from named attributes and skills."""

    def __init__(
        self, rules: Ruleset, check: Check, values: Parameters, character: CharacterNames | None
    ) -> None:
        assert rules.sheet is not None
        self.sheet: Sheet = rules.sheet
        self.check, self.values, self.character = check, values, character
        self.given = {name.removesuffix(ADD_SUFFIX) for name in values}
        self.filled_by: dict[str, str] = {}  # parameter -> name that filled it
        self.lists: dict[str, list[Any]] = {}

    def fill(self, entries: Iterable[tuple[ResolvedName, str, Any]]) -> None:
        attributes = [entry for entry in entries if entry[0].kind == "attributes"]
        skills = [entry for entry in entries if entry[0].kind == "skills"]
        for entry, suffix, value in attributes:
            self._attribute(entry.name, suffix, value)
        for entry, suffix, value in skills:
            self._skill(entry.name, suffix, value, [attribute.name for attribute, _, _ in attributes])

    # -- attributes

    def _attribute(self, name: str, suffix: str, value: Any) -> None:
        pick = find_picks(self.sheet, self.check, "attributes")[0]
        for parameter, what in pick.attributes.items():
            if parameter not in self.check.params:
                continue
            if what == "value":
                self._set(parameter, suffix, value, name)
            else:
                self._set_default(parameter, name)

    # -- skills

    def _skill(self, name: str, suffix: str, value: Any, attributes: list[str]) -> None:
        rank_format = self.sheet.skill
        assert rank_format is not None
        pick = find_picks(self.sheet, self.check, "skills")[0]
        fills = {parameter: key for parameter, key in pick.skills.items() if parameter in self.check.params}
        rank_param = next((parameter for parameter, key in fills.items() if key == rank_format.called), None)
        attribute_param = next((parameter for parameter, key in fills.items() if key == "attribute"), None)
        self._check_attribute(name, attributes)
        has_attribute = attribute_param is not None and (
            attribute_param in self.given or attribute_param in self.filled_by
        )
        if self._is_total(name, value, rank_param, attribute_param if pick.whole else None, has_attribute):
            assert attribute_param is not None
            self._set(attribute_param, suffix, value, name)
        elif rank_param is None:
            raise self._value_refusal(name, value, rank_param, attribute_param if pick.whole else None)
        else:
            self._set(rank_param, suffix, value, name)
            if attribute_param is not None and not has_attribute and attribute_param != rank_param:
                if self.character is not None:
                    # The sheet supplies the attribute and its other lines.
                    self.values[attribute_param] = name
                    self.given.add(attribute_param)
                    return
                self._require_attribute(name, value, attribute_param)
        for parameter, key in fills.items():
            if key == "name":
                self._set_default(parameter, name)
            elif key in rank_format.fields:
                self._field(parameter, key, name)

    def _is_total(
        self, name: str, value: Any, rank_param: str | None, attribute_param: str | None, has_attribute: bool
    ) -> bool:
        """Return whether a value is the skill's total, rather than its rank in addition to the attribute."""
        fits_rank = rank_param is not None and _fits(self.check.params[rank_param], value)
        fits_total = attribute_param is not None and _fits(self.check.params[attribute_param], value)
        if not fits_rank and not fits_total:
            raise self._value_refusal(name, value, rank_param, attribute_param)
        if fits_rank and fits_total and not has_attribute and self.character is None:
            raise Refused(
                Message("name.two_readings", name=name, value=value, first=rank_param, second=attribute_param)
            )
        return fits_total and not fits_rank

    def _value_refusal(
        self, name: str, value: Any, rank_param: str | None, attribute_param: str | None
    ) -> Refused:
        """Return the refusal for a value that is neither a skill's rank nor its total."""
        wants = [
            Message(
                "name.wanted_number",
                label=localize(self.check.params[to].label).lower(),
                expects=self.check.params[to].expects(),
            )
            for to in (rank_param, attribute_param)
            if to is not None
        ]
        shown_as = str(value).strip()[:40]
        if not wants:
            return NotAccepted(
                Message("name.takes_no_skill", name=name, shown=shown_as, check=self.check.name)
            )
        return NotAccepted(Message("name.does_not_fit", name=name, shown=shown_as, wants=wants))

    def _check_attribute(self, name: str, attributes: list[str]) -> None:
        """Refuse an attribute that does not belong to the skill."""
        skill = self.sheet.skills.get(name)
        governs = (
            skill.attribute if skill else (self.character.skills.get(name, "") if self.character else "")
        )
        other = next((attribute for attribute in attributes if governs and attribute != governs), None)
        if other is not None:
            raise Refused(Message("name.other_attribute", name=name, attribute=governs, other=other))

    def _require_attribute(self, name: str, value: Any, attribute_param: str) -> None:
        """Refuse a skill's rank that was given without its attribute, if the check requires the attribute."""
        skill, param = self.sheet.skills.get(name), self.check.params[attribute_param]
        if param.required:
            governs = (skill.attribute if skill else "") or attribute_param
            raise Refused(
                Message("name.needs_attribute", name=name, value=value, expects=param.expects()),
                Message(
                    "name.attribute_example",
                    attribute=governs,
                    example=param.example(),
                    name=name,
                    value=value,
                ),
            )

    def _field(self, to: str, what: str, name: str) -> None:
        """Set a parameter from a further field of a skill, unless it has its default."""
        skill, rank_format = self.sheet.skills.get(name), self.sheet.skill
        assert rank_format is not None
        if skill is not None and skill.fields.get(what, rank_format.fields[what].default) != (
            rank_format.fields[what].default
        ):
            self._set_default(to, display_value(skill.fields[what]))

    # -- parameters

    def _set(self, parameter: str, suffix: str, value: Any, name: str) -> None:
        """Set a parameter to a given value; several skills form a list."""
        if parameter in self.given:
            raise Refused(Message("name.parameter_twice", name=name, parameter=parameter))
        if parameter in self.filled_by:
            if not self.check.params[parameter].separators:
                raise Refused(
                    Message(
                        "name.both_parameter", other=self.filled_by[parameter], name=name, parameter=parameter
                    )
                )
            self.lists[parameter].append(value)
            parts = self.lists[parameter]
            all_text = all(isinstance(part, str) for part in parts)
            self.values[parameter + suffix] = ",".join(parts) if all_text else list(parts)
            return
        self.filled_by[parameter], self.lists[parameter] = name, [value]
        self.values[parameter + suffix] = value

    def _set_default(self, parameter: str, value: Any) -> None:
        """Set an implied parameter, unless it is given."""
        if parameter not in self.given:
            self.values.setdefault(parameter, value)


def _range_ends(value: Any) -> list[Any]:
    """Return the value, or the ends of a range of values: `1..5`, `3D..5D`, `2|4`, `1..4/0.5`."""
    if isinstance(value, range):
        return [value[0], value[-1]] if value else []
    if not isinstance(value, str) or not (".." in value or "|" in value):
        return [value]
    parts = [part.partition("..") for part in value.split("|")]
    found = [end.strip() for first, _, last in parts for end in (first, last.partition("/")[0])]
    return [end for end in found if end]


def _fits(param: Param, value: Any) -> bool:
    """Return whether a parameter accepts a value, or both ends of a range such as `1..5`."""
    try:
        for one in _range_ends(value):
            param.read(one)
    except Refused:
        return False
    return param.type != "text"
