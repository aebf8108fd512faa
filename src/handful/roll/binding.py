"""Binds a check: parses every parameter and option once, strictly.

Invariant: a `BoundCheck` holds parsed values for all parameters; later code never reads user input again.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from handful.errors import Message, Refused
from handful.records import record
from handful.rules.params import match_name
from handful.rules.program import Record, Refusal, Value
from handful.rules.ruleset import Check, ParameterGroup, Ruleset


@record()
class BoundCheck:
    """A check of a ruleset with a value for every parameter and option."""

    ruleset: Ruleset
    check: Check
    args: Record
    options: Record

    @property
    def identity(self) -> tuple[str, str, Record, Record]:
        """Return a key that is equal for equal checks, also across processes and machines."""
        return self.ruleset.hash, self.check.name, self.args, self.options


def bind(
    ruleset: Ruleset,
    check_name: str,
    sides: Sequence[Mapping[str, Any]] = (),
    params: Mapping[str, Any] | None = None,
    options: Mapping[str, Any] | None = None,
) -> BoundCheck:
    """Parse all values; raise Refused for unknown names and values out of range."""
    if not isinstance(check_name, str):
        raise Refused(Message("roll.check_by_name"))
    params = params or {}
    for part in (*sides, params, options or {}):
        if type(part) is not dict and not isinstance(part, Mapping):
            raise Refused(Message("roll.side_is_no_mapping", side=part))
    check = ruleset.check(check_name)
    option_values = ruleset.resolve_options(options) if options else ruleset.defaults
    parts = [_resolve_names(ruleset, check, part) for part in (params, *sides)]
    try:
        return _bind_parts(ruleset, check, parts, option_values)
    except Refused:
        from handful.rules.name_resolution import resolve_parameters

        resolved_parts = [resolve_parameters(ruleset, check, part) for part in parts]
        if resolved_parts == parts:
            raise
    return _bind_parts(ruleset, check, resolved_parts, option_values)


def _bind_parts(
    ruleset: Ruleset, check: Check, parts: Sequence[Mapping[str, Any]], option_values: Record
) -> BoundCheck:
    """Bind parsed parts: the parameters of the whole check, then those of each side."""
    params, *sides = parts
    overall, side_params = _split_params(check, params)
    args = _read_values(check, check.layout.overall, overall)
    if check.sides is None:
        if sides:
            raise one_side_error(check)
        return BoundCheck(ruleset, check, Record(_derive_params(check, args, args, overall)), option_values)
    given = [*sides] if not side_params else [{**side_params, **(sides[0] if sides else {})}, *sides[1:]]
    args["sides"] = _read_sides(check, given)
    args = _derive_params(check, args, {**args, **args["sides"][0]}, overall)
    return BoundCheck(ruleset, check, Record(args), option_values)


def _resolve_names(ruleset: Ruleset, check: Check, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the given values with names of attributes and skills replaced by parameters."""
    if given.keys() <= check.params.keys():
        return given
    from handful.rules.name_resolution import (
        resolve_parameters,  # imported late: parameters under their own names do not need it
    )

    resolved = resolve_parameters(ruleset, check, given)
    for name in resolved:
        if name not in check.params:
            raise Refused(Message("roll.nothing_to_add_to", name=name, bare=name.removesuffix("+")))
    return resolved


def _derive_params(
    check: Check, args: dict[str, Value], values: Mapping[str, Value], given: Collection[str]
) -> dict[str, Value]:
    """Fill in parameters that follow from others; raise Refused on contradictions."""
    for param in check.layout.following:
        found: dict[str, str] = {param.name: str(args[param.name])} if param.name in given else {}
        for source, follows in param.follows.items():
            key = match_name(_typed(values.get(source)), follows)
            if key is not None:
                found[f"{source}={_typed(values[source])}"] = follows[key]
        if len({*found.values()}) > 1:
            sources = ", ".join(f"{value} by {source}" for source, value in found.items())
            raise Refused(
                Message("roll.conflicting_values", name=param.name, sources=sources),
                Message("advice.leave_one_out"),
            )
        if found:
            args[param.name] = param.read(next(iter(found.values())))
    return args


def _typed(value: Value) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def one_side_error(check: Check) -> Refused:
    """Return the error for sides given to a check that has none (from Python; the CLI checks earlier)."""
    example = next((f"{param.name}={param.example()}" for param in check.params.values()), "")
    return Refused(
        Message("roll.has_one_side", name=check.name),
        Message("advice.for_example", example=example) if example else "",
    )


def _split_params(check: Check, params: Mapping[str, Any]) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Split parameters into those of the whole check and those of the first side."""
    if not check.sides:
        return params, {}
    overall: dict[str, Any] = {}
    side_params: dict[str, Any] = {}
    for name, value in params.items():
        param = check.params[name]
        (overall if param.whole else side_params)[param.name] = value
    return overall, side_params


def _read_sides(check: Check, given: Sequence[Mapping[str, Any]]) -> tuple[Record, ...]:
    assert check.sides is not None
    limits = check.sides
    given = given or [{}]
    if not limits.least <= len(given) <= limits.most:
        wanted = f"{limits.least}" if limits.least == limits.most else f"{limits.least} to {limits.most}"
        raise Refused(
            Message(
                "roll.number_of_sides", name=check.name, wanted=wanted, given=len(given), word=limits.word
            )
        )
    sides, params = [], check.layout.per_side
    for number, side in enumerate(given, 1):
        named = {}
        for name, value in side.items():
            param = check.params[name]
            if param.whole:
                raise Refused(Message("roll.belongs_to_whole_check", name=param.name, word=limits.word))
            named[param.name] = value
        try:
            sides.append(Record(_read_values(check, params, named), number=number))
        except Refused as refusal:
            if len(given) == 1:
                raise
            raise Refused(
                Message("roll.on_side", number=number, problem=refusal.problem), refusal.advice
            ) from None
    return tuple(sides)


def _read_values(check: Check, group: ParameterGroup, given: Mapping[str, Any]) -> dict[str, Value]:
    values = dict(group.defaults)
    try:
        for name, raw in given.items():
            values[name] = group.by_name[name].read(raw)
        if all(name in given for name in group.required):
            return values
    except Refused:
        pass  # report the first problem in the order of the parameters
    for param in group.params:
        if param.name in given:
            param.read(given[param.name])
        elif param.required:
            raise Refused(
                Message(
                    "roll.missing_parameter", check=check.name, parameter=param.name, expects=param.expects()
                ),
                Message("advice.parameter_example", name=param.name, example=param.example()),
            )
    return values


def refusal_error(check: BoundCheck, refusal: Refusal) -> Refused:
    """Return a rule's refusal as an error in the ruleset's wording."""
    return Refused(
        Message("roll.impossible", name=check.check.name, reason=check.ruleset.wording(refusal.message))
    )
