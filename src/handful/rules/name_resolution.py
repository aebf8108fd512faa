"""Names that are not parameters, filled in: what a game calls things, as its players say them.

    grace = 3.5                        attribute = 3.5
    technical = 3D, repair = 5         dice = 3D, skill_points = 5, skill_name = repair
    repair = 4D+1                      dice = 4D+1, skill_name = repair

A parameter may be named by its label or an alias, and attributes and skills by their names, titles
and aliases; which parameters those fill is what `[sheet.picks]` says.  The number of a skill fills
what takes its number; a value that fits only where its attribute would stand is all of it at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from handful.errors import NotAccepted, Refused, did_you_mean, format_choices
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
    """The names on a character's sheet: attributes, skills with theirs, and traits."""

    attributes: tuple[str, ...] = ()
    skills: Mapping[str, str] = field(default_factory=dict)
    traits: tuple[str, ...] = ()


@record()
class ResolvedName:
    """Something that a name can mean in a check."""

    kind: str  # params, attributes, skills
    name: str


def resolve_parameters(
    rules: Ruleset, check: Check, given: Mapping[str, Any], own: CharacterNames | None = None
) -> Parameters:
    """What was given, by the declared names of parameters.

    `own` is there where a character makes the check: its sheet then has whatever is not said.
    """
    made: Parameters = {}
    others: list[tuple[ResolvedName, str, Any]] = []
    before: list[str] = []  # what was said before the first name of the sheet
    for typed, value in given.items():
        bare, more = (
            (typed.removesuffix(ADD_SUFFIX).strip(), ADD_SUFFIX) if typed[-1:] == ADD_SUFFIX else (typed, "")
        )
        name = bare if bare in check.params else match_name(bare, check.params)
        found = None if name is None else _sheet_meaning(rules, check, name, value, own)
        if name is None or found is not None:
            found = found or _one_meaning(rules, check, bare, value, own)
            if found.kind != "params":
                others.append((found, more, value))
                continue
            name = found.name
        if name + more in made:
            raise Refused(f"{name} is given twice; give it once")
        made[name + more] = value
        if not others:
            before.append(name + more)
    if not others:
        return made
    plain = {*made}
    _ParameterFiller(rules, check, made, own).fill(others)
    all_spellings = {**dict.fromkeys(before), **dict.fromkeys(one for one in made if one not in plain)}
    return {name: made[name] for name in {**all_spellings, **made}}  # in the order in which it was said


def _sheet_meaning(
    rules: Ruleset, check: Check, name: str, value: Any, own: CharacterNames | None
) -> ResolvedName | None:
    """What a parameter's name means on the sheet, where only that takes such a value."""
    param = check.params[name]
    if rules.sheet is None or _fits(param, value) or param.type == "text":
        return None
    found = find_sheet_meanings(rules, check, name, own)
    picks = find_picks(rules.sheet, check, found[0].kind) if len(found) == 1 else ()
    fills = [to for pick in picks for to in getattr(pick, found[0].kind)]
    fitting = any(_fits(check.params[to], value) for to in fills if to in check.params)
    return found[0] if fitting and name not in fills else None


def find_parameter(rules: Ruleset, check: Check, typed: str) -> str:
    """The parameter that takes the number of what is named: its own name, a label, `grace`."""
    own = match_name(typed, check.params)
    if own is not None:
        return own
    found = _one_meaning(rules, check, typed, "…", None)
    if found.kind == "params":
        return found.name
    sheet = rules.sheet
    assert sheet is not None
    pick = find_picks(sheet, check, found.kind)[0]
    called = "value" if found.kind == "attributes" else sheet.skill and sheet.skill.called
    fills = getattr(pick, found.kind).items()
    numbers = [to for to, what in fills if what == called and to in check.params]
    return numbers[0] if numbers else pick.parameter


def find_meanings(
    rules: Ruleset, check: Check, name: str, own: CharacterNames | None = None
) -> list[ResolvedName]:
    """Everything that a name can mean which is no parameter's own."""
    labels = {one.name: (*one.label.values(), *one.aliases) for one in check.params.values()}
    found = [ResolvedName("params", one) for one in match_spellings(name, labels)]
    return [*found, *find_sheet_meanings(rules, check, name, own)]


def find_sheet_meanings(
    rules: Ruleset, check: Check, name: str, own: CharacterNames | None = None
) -> list[ResolvedName]:
    """The attributes and skills that a name can mean, where the check takes any."""
    return [
        ResolvedName(kind, one)
        for kind, known in checkable_names(rules, check, own).items()
        for one in match_spellings(name, known)
    ]


def checkable_names(
    rules: Ruleset, check: Check, own: CharacterNames | None = None
) -> dict[str, dict[str, tuple[str, ...]]]:
    """The attributes and skills that a check takes, with what else each is called."""
    sheet = rules.sheet
    if sheet is None:
        return {}
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    own = own or CharacterNames()
    for kind, known, further in (
        ("attributes", sheet.attributes, own.attributes),
        ("skills", sheet.skills, own.skills),
    ):
        if find_picks(sheet, check, kind):
            found[kind] = dict.fromkeys(further, ())
            found[kind] |= {n: (*one.title.values(), *one.aliases) for n, one in known.items()}
    return found


def find_picks(sheet: Sheet, check: Check, kind: str) -> list[Pick]:
    """The parameters of a check at which attributes or skills may be named."""
    return [pick for pick in sheet.picks.values() if pick.parameter in check.params and getattr(pick, kind)]


def _one_meaning(
    rules: Ruleset, check: Check, name: str, value: Any, own: CharacterNames | None
) -> ResolvedName:
    found = find_meanings(rules, check, name, own)
    if len(found) == 1:
        return found[0]
    if not found:
        raise unknown_name_error(rules, check, name, own)
    ways = [_format_meaning(rules, check, one, value, own) for one in found]
    raise Refused(f"{name!r} may mean {format_choices(ways)}; write one of these")


def unknown_name_error(rules: Ruleset, check: Check, name: str, own: CharacterNames | None = None) -> Refused:
    """A name that means nothing here, with what is probably meant."""
    try:
        find_name(name, check.params, "parameter", check.name)
    except Refused as refusal:
        known = [way for names in checkable_names(rules, check, own).values() for way in all_spellings(names)]
        spelled = {normalize_name(way): way for way in (*known, *check.params)}
        own_ways = _custom_entry_hint(rules, check)
        hint = did_you_mean(normalize_name(name), spelled, 0.8 if own_ways else 0.6)
        return NotAccepted(refusal.message, hint or own_ways)
    raise AssertionError(name)


def _custom_entry_hint(rules: Ruleset, check: Check) -> str:
    """How attributes and skills are given that a game leaves to its players."""
    sheet, ways = rules.sheet, []
    if sheet is None:
        return ""
    if sheet.other_attribute is not None:
        ways += [pick.parameter for pick in find_picks(sheet, check, "attributes")[:1]]
    if sheet.skill is not None and sheet.skill.open:
        ways += [pick.parameter for pick in find_picks(sheet, check, "skills")[:1]]
    examples = [f"{name}={check.params[name].example()}" for name in dict.fromkeys(ways)]
    return f"what the game does not list is given as {format_choices(examples)}" if examples else ""


def all_spellings(names: Mapping[str, Iterable[str]]) -> list[str]:
    """All names and whatever else they are called."""
    return [way for name, ways in names.items() for way in (name, *ways)]


def _format_meaning(
    rules: Ruleset, check: Check, one: ResolvedName, value: Any, own: CharacterNames | None
) -> str:
    if one.kind == "params":
        return f"{one.name}={value}"
    made: Parameters = {}
    try:
        _ParameterFiller(rules, check, made, own).fill([(one, "", value)])
    except Refused:
        return f"{one.name}={value}"
    return " ".join(f"{name}={part}" for name, part in made.items())


class _ParameterFiller:
    """Fills what attributes and skills say into the parameters of one side."""

    def __init__(self, rules: Ruleset, check: Check, made: Parameters, own: CharacterNames | None) -> None:
        assert rules.sheet is not None
        self.sheet: Sheet = rules.sheet
        self.check, self.made, self.own = check, made, own
        self.given = {name.removesuffix(ADD_SUFFIX) for name in made}
        self.by: dict[str, str] = {}  # parameter -> the name that filled it
        self.lists: dict[str, list[Any]] = {}

    def fill(self, others: Iterable[tuple[ResolvedName, str, Any]]) -> None:
        attributes = [one for one in others if one[0].kind == "attributes"]
        skills = [one for one in others if one[0].kind == "skills"]
        for one, more, value in attributes:
            self._attribute(one.name, more, value)
        for one, more, value in skills:
            self._skill(one.name, more, value, [attribute.name for attribute, _, _ in attributes])

    # -- attributes

    def _attribute(self, name: str, more: str, value: Any) -> None:
        pick = find_picks(self.sheet, self.check, "attributes")[0]
        for parameter, what in pick.attributes.items():
            if parameter not in self.check.params:
                continue
            if what == "value":
                self._put(parameter, more, value, name)
            else:
                self._also(parameter, name)

    # -- skills

    def _skill(self, name: str, more: str, value: Any, attributes: list[str]) -> None:
        form = self.sheet.skill
        assert form is not None
        pick = find_picks(self.sheet, self.check, "skills")[0]
        fills = {to: what for to, what in pick.skills.items() if to in self.check.params}
        number = next((to for to, what in fills.items() if what == form.called), None)
        stands = next((to for to, what in fills.items() if what == "attribute"), None)
        self._governed(name, attributes)
        known = stands is not None and (stands in self.given or stands in self.by)
        if self._is_whole(name, value, number, stands if pick.whole else None, known):
            assert stands is not None
            self._put(stands, more, value, name)
        elif number is None:
            raise self._misfit(name, value, number, stands if pick.whole else None)
        else:
            self._put(number, more, value, name)
            if stands is not None and not known and stands != number:
                if self.own is not None:
                    self.made[stands] = name  # the sheet has it, and all that goes with it
                    self.given.add(stands)
                    return
                self._attribute_missing(name, value, stands)
        for to, what in fills.items():
            if what == "name":
                self._also(to, name)
            elif what in form.fields:
                self._field(to, what, name)

    def _is_whole(self, name: str, value: Any, number: str | None, stands: str | None, known: bool) -> bool:
        """Whether a value is all of a skill at once, and not the number beside its attribute."""
        fits = number is not None and _fits(self.check.params[number], value)
        whole = stands is not None and _fits(self.check.params[stands], value)
        if not fits and not whole:
            raise self._misfit(name, value, number, stands)
        if fits and whole and not known and self.own is None:
            raise Refused(f"{name}={value} may mean {number}={value} or {stands}={value}; write one of these")
        return whole and not fits

    def _misfit(self, name: str, value: Any, number: str | None, stands: str | None) -> Refused:
        """Neither the number of a skill nor all of it."""
        wants = [
            f"{localize(self.check.params[to].label).lower()} ({self.check.params[to].expects()})"
            for to in (number, stands)
            if to is not None
        ]
        shown_as = str(value).strip()[:40]
        if not wants:
            return NotAccepted(f"{name}={shown_as}: {self.check.name} takes no number of a skill")
        return NotAccepted(f"{name}: {shown_as!r} does not fit; it needs {' or '.join(wants)}")

    def _governed(self, name: str, attributes: list[str]) -> None:
        """Refuses the attribute of another skill beside one."""
        skill = self.sheet.skills.get(name)
        governs = skill.attribute if skill else (self.own.skills.get(name, "") if self.own else "")
        other = next((one for one in attributes if governs and one != governs), None)
        if other is not None:
            raise Refused(
                f"{name} belongs to {governs}, not to {other}; "
                "name its own attribute, or give the parameters by their names"
            )

    def _attribute_missing(self, name: str, value: Any, stands: str) -> None:
        """The number of a skill alone says nothing where its attribute is needed."""
        skill, param = self.sheet.skills.get(name), self.check.params[stands]
        if param.required:
            governs = (skill.attribute if skill else "") or stands
            raise Refused(
                f"{name}={value} needs its attribute, too: {param.expects()}",
                f"for example {governs}={param.example()} {name}={value}",
            )

    def _field(self, to: str, what: str, name: str) -> None:
        """What a game says of a skill beside its number."""
        skill, form = self.sheet.skills.get(name), self.sheet.skill
        assert form is not None
        if skill is not None and skill.fields.get(what, form.fields[what].default) != (
            form.fields[what].default
        ):
            self._also(to, display_value(skill.fields[what]))

    # -- parameters

    def _put(self, parameter: str, more: str, value: Any, name: str) -> None:
        """A value that somebody gave."""
        if parameter in self.given:
            raise Refused(f"{name} is {parameter} here, and that is given, too; leave one out")
        if parameter in self.by:
            if not self.check.params[parameter].separators:
                raise Refused(f"{self.by[parameter]} and {name} are both {parameter} here; leave one out")
            self.lists[parameter].append(value)
            parts = self.lists[parameter]
            plain = all(isinstance(part, str) for part in parts)
            self.made[parameter + more] = ",".join(parts) if plain else list(parts)
            return
        self.by[parameter], self.lists[parameter] = name, [value]
        self.made[parameter + more] = value

    def _also(self, parameter: str, value: Any) -> None:
        """What goes with it, unless somebody says otherwise."""
        if parameter not in self.given:
            self.made.setdefault(parameter, value)


def _range_ends(value: Any) -> list[Any]:
    """The value, or the ends of a range of values: `1..5`, `3D..5D`, `2|4`, `1..4/0.5`."""
    if isinstance(value, range):
        return [value[0], value[-1]] if value else []
    if not isinstance(value, str) or not (".." in value or "|" in value):
        return [value]
    parts = [part.partition("..") for part in value.split("|")]
    found = [end.strip() for first, _, last in parts for end in (first, last.partition("/")[0])]
    return [end for end in found if end]


def _fits(param: Param, value: Any) -> bool:
    """Whether a parameter takes a value, or all values of a range such as `1..5`."""
    try:
        for one in _range_ends(value):
            param.read(one)
    except Refused:
        return False
    return param.type != "text"
