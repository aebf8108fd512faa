"""Catalog of a ruleset: checks, parameters, house rules and difficulties, as data and as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from handful.cli import layout
from handful.cli.heading import format_value
from handful.errors import format_choices
from handful.records import replace
from handful.rules.operators import normalize_number
from handful.rules.params import Param, display_value, normalize_name
from handful.rules.ruleset import Check, Option, Ruleset, localize

_RUNG_WORDS = ("title", "example", "aliases")
WITH_RANGE = ("number", "halves", "share", "die_code", "ladder")

# -- as data


def as_data(rules: Ruleset, checks: Sequence[Check]) -> dict[str, Any]:
    """Return the fields of `handful checks --json`."""
    return {
        "ruleset": {"id": rules.id, "hash": rules.hash},
        "title": localize(rules.title),
        "about": localize(rules.about),
        "checks": [_check_data(check) for check in checks],
        "options": [_option_data(option) for option in rules.options.values()],
        "ladder": [_rung_data(name, rung) for name, rung in rules.ladder.items()],
    }


def _check_data(check: Check) -> dict[str, Any]:
    sides = check.sides
    return {
        "name": check.name,
        "title": localize(check.title),
        "help": localize(check.help),
        "main": check.main or None,
        "sides": sides and {"word": sides.word, "min": sides.least, "max": sides.most},
        "parameters": [_parameter_data(check, param) for param in check.params.values()],
        "refused": localize(check.refuse) or None,
    }


def _parameter_data(check: Check, param: Param) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "name": param.name,
        "type": param.type,
        "label": localize(param.label),
        "help": localize(param.help),
        "unit": param.unit or None,
        "per_side": check.sides is not None and not param.whole,
        "required": param.required,
        "default": display_value(param.default),
    }
    if _has_range(param):
        fields |= {"min": _bound_data(param.least), "max": _bound_data(param.most)}
    if names := list(param.values) + (list(param.ladder) if param.type == "ladder" else []):
        fields["values"] = names
    if param.words:
        fields["words"] = dict(param.words)
    if param.separators:
        fields["list"] = list(param.separators)
    return fields


def _has_range(param: Param) -> bool:
    return param.type in WITH_RANGE and (param.type != "ladder" or bool(param.number_field))


def _bound_data(value: Any) -> Any:
    return None if value is None else display_value(normalize_number(value))


def _option_data(option: Option) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "name": option.name,
        "label": localize(option.label),
        "default": display_value(option.default),
        "open": option.open or None,
    }
    if option.values:
        return fields | {"values": list(option.values)}
    length = {"length": option.length} if option.length else {}
    return fields | {"min": option.least, "max": option.most} | length


def _rung_data(name: str, rung: Any) -> dict[str, Any]:
    wording = ("title", "example")
    return {
        "name": name,
        **{key: localize(rung[key]) for key in wording if key in rung},
        **{key: value for key, value in rung.items() if key not in _RUNG_WORDS},
    }


# -- as text


def as_text(rules: Ruleset, checks: Sequence[Check]) -> list[str]:
    """Return the output of `handful checks`."""
    lines = [layout.apply_style(f"{localize(rules.title)} ({rules.id} {rules.hash[:12]})", "bold")]
    lines += layout.wrap_text(localize(rules.about))
    for check in checks:
        lines += check_text(check)
    lines += layout.section("difficulties", _ladder_text(rules))
    options = [line for option in rules.options.values() for line in _option_text(option)]
    return lines + layout.section("house rules: --option name=value", options)


def check_text(check: Check) -> list[str]:
    title = f"{check.name}: {localize(check.title)}"
    if check.program is None:
        return [
            "",
            layout.apply_style(f"{title} (not available)", "bold"),
            *layout.wrap_text(localize(check.refuse), 2),
        ]
    lines = ["", layout.apply_style(title, "bold"), *layout.wrap_text(localize(check.help), 2)]
    if check.sides is None:
        return lines + _params_text(list(check.params.values()))
    sides = check.sides
    number = f"{sides.least}" if sides.least == sides.most else f"{sides.least} to {sides.most}"
    noun = "side" if sides.word == "vs" else "member"
    lines.append(f"  {number} {noun}s, separated by the word {sides.word}")
    overall = _params_text(check.overall())
    if overall:
        lines += ["  for the whole check, before the first " + sides.word, *overall]
    return [*lines, f"  for each {noun}", *_params_text(check.per_side())]


def _params_text(params: Sequence[Param]) -> list[str]:
    rows = [(_param_head(param), param_text(param)) for param in params]
    return layout.columns(rows, indent=4)


def _param_head(param: Param) -> str:
    if param.required:
        return f"{param.name} (required)"
    return param.name if param.default is None else f"{param.name}={format_value(param.default, param)}"


def param_text(param: Param) -> str:
    """Describe a parameter: meaning, range and unit."""
    unit = f", {param.unit}" if param.unit else ""
    several = f", or several separated by {' or '.join(param.separators)}" if param.separators else ""
    meaning = localize(param.help) or localize(param.label)
    return f"{meaning} [{_expected(param)}{unit}{several}]"


def _expected(param: Param) -> str:
    """Describe the accepted values, in the words of the rulebook where it has some."""
    titles = {name: spellings[0] for name, spellings in param.spellings.items() if spellings}
    if param.type == "choice":
        return format_choices(_titled(one, titles) for one in param.values)
    if not param.words or not titles:
        return str(param.expects())
    number = replace(param, words={}).expects()
    words = [f"{titles.get(one, one)} ({value})" for one, value in param.words.items()]
    return f"{number}, or {format_choices(words)}"


def _titled(name: str, titles: Mapping[str, str]) -> str:
    """Format title and data name: `Severely Wounded (severe)`."""
    title = titles.get(name, name)
    same = normalize_name(title) == normalize_name(name)
    return title if same else f"{title} ({name})"


def _ladder_text(rules: Ruleset) -> list[str]:
    rows = []
    for name, rung in rules.ladder.items():
        numbers = ", ".join(f"{key} {value}" for key, value in rung.items() if key not in _RUNG_WORDS)
        example = f"; {localize(rung['example'])}" if "example" in rung else ""
        also = "".join(f", also {one}" for one in rung.get("aliases", ()))
        rows.append(
            (f"{_titled(name, {name: localize(rung.get('title', {})) or name})}{also}", f"{numbers}{example}")
        )
    return layout.columns(rows)


def _option_text(option: Option) -> list[str]:
    ambiguity = f" ({option.open})" if option.open else ""
    head = f"{option.name}={format_value(option.default)}"
    return [
        f"  {head}",
        *layout.wrap_text(f"{localize(option.label)}{ambiguity} [{option.expects()}]", 6),
    ]


def characters_text(rules: Ruleset, names: Sequence[str]) -> list[str]:
    """Describe the characters for `--as`, and where names from their sheets can be typed."""
    if rules.sheet is None:
        return []
    shipped = f"{', '.join(names)}, or " if names else ""
    parameters = " and ".join([", ".join(part) for part in _split(list(rules.sheet.picks)) if part])
    lines = layout.wrap_text(f"{shipped}a path to a .json file", 2)
    if parameters:
        lines += layout.wrap_text(f"names from the sheet work for {parameters}, or on their own", 2)
        lines += layout.wrap_text(f"without a character, give them numbers: {_named_number(rules)}", 2)
    return layout.section("characters: --as", lines)


def _named_number(rules: Ruleset) -> str:
    """Return an example of a typed attribute or skill: `might=3.5`."""
    sheet = rules.sheet
    assert sheet is not None
    for name, one in sheet.attributes.items():
        return f"{name}={one.param.example()}"
    skill = next(iter(sheet.skills), "skill")
    return f"{skill}={sheet.skill.param.example() if sheet.skill else 3}"


def _split(names: list[str]) -> tuple[list[str], list[str]]:
    return names[:-1], names[-1:]
