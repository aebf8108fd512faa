"""Shapes: the abstract values of the static analysis.

A `Shape` is the set of kinds that an expression can have, with the shapes of entries and fields.
Shapes form a lattice: where two paths meet, `join` returns the union of their possibilities.
A shape without kinds is `UNKNOWN`; it fits everywhere, so that one error does not cause ten.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce

from handful.errors import Message, Text
from handful.records import record, replace
from handful.rules.params import Param
from handful.rules.program import Record, Value
from handful.rules.ruleset import Check, Option
from handful.rules.sheet_rules import CHARACTER_KINDS, Sheet

# ABSENT marks an optional parameter that was not queried with `given`, UNSET a variable on paths
# where it is not assigned yet.  NONE is a None that the rule wrote itself; it is trusted.
NUMBER, TRUTH, TEXT, DIE, POOL, LIST, RECORD = ("number", "truth", "text", "die", "pool", "list", "record")
NONE, ABSENT, UNSET = "None", "absent", "unset"
NON_VALUES = frozenset((NONE, ABSENT, UNSET))

MAX_WEIGHT = 1000  # parts of one shape; no game needs more, and larger ones are slow to compare
MAX_DEPTH = 8


@record()
class Shape:
    """The possible kinds of a value; the other fields refine some kinds."""

    kinds: frozenset[str] = frozenset()
    texts: frozenset[str] | None = frozenset()  # possible texts; None: any
    entry: Shape | None = None  # of a list
    non_empty: bool = False  # the list has at least one entry
    fields: tuple[tuple[str, Shape], ...] = ()  # of a record
    side_checks: frozenset[str] = frozenset()  # checks of which this record may be a side
    weight: int = 1
    depth: int = 1

    @property
    def value_kinds(self) -> frozenset[str]:
        """Kinds without None, ABSENT and UNSET."""
        return self.kinds - NON_VALUES

    def known_fields(self) -> list[str]:
        """Return the fields that the record has on every path."""
        return [name for name, _ in self.fields]

    def field(self, name: str) -> Shape | None:
        return next((shape for field_name, shape in self.fields if field_name == name), None)

    def entry_shape(self) -> Shape:
        """Return the shape of a list's entries."""
        return self.entry or UNKNOWN

    def without_kinds(self, kinds: frozenset[str]) -> Shape:
        return replace(self, kinds=self.kinds - kinds) if self.kinds & kinds else self

    def with_kind(self, kind: str) -> Shape:
        return self if kind in self.kinds else replace(self, kinds=self.kinds | {kind})


UNKNOWN = Shape()
A_NUMBER, A_TRUTH, A_DIE, A_POOL, A_NONE = (
    Shape(frozenset((kind,))) for kind in (NUMBER, TRUTH, DIE, POOL, NONE)
)
ANY_TEXT = Shape(frozenset((TEXT,)), texts=None)


def text_of(values: Iterable[str]) -> Shape:
    return Shape(frozenset((TEXT,)), texts=frozenset(values))


def list_of(entry: Shape, *, non_empty: bool = False) -> Shape:
    if entry.weight >= MAX_WEIGHT or entry.depth >= MAX_DEPTH:
        entry = UNKNOWN
    return Shape(
        frozenset((LIST,)),
        entry=entry,
        non_empty=non_empty,
        weight=entry.weight + 1,
        depth=entry.depth + 1,
    )


def record_of(fields: Mapping[str, Shape], side_checks: frozenset[str] = frozenset()) -> Shape:
    # Sorted, so that the order of fields does not matter.
    parts = tuple(sorted(fields.items(), key=lambda part: part[0]))
    weight = 1 + sum(shape.weight for shape in fields.values())
    depth = 1 + max((shape.depth for shape in fields.values()), default=0)
    if is_too_large(fields.values()):
        parts, weight, depth = tuple((name, UNKNOWN) for name, _ in parts), 1 + len(parts), 2
    return Shape(frozenset((RECORD,)), fields=parts, side_checks=side_checks, weight=weight, depth=depth)


def is_too_large(fields: Iterable[Shape]) -> bool:
    """Return whether a record of these fields exceeds MAX_WEIGHT or MAX_DEPTH."""
    shapes = list(fields)
    depth = 1 + max((shape.depth for shape in shapes), default=0)
    return 1 + sum(shape.weight for shape in shapes) > MAX_WEIGHT or depth > MAX_DEPTH


def join(a: Shape, b: Shape) -> Shape:
    """Return the least upper bound: the shape of a value that has either shape."""
    if a is b or not b.kinds or a == b:
        return a
    if not a.kinds:
        return b
    entries = _join_lists(a, b)
    record = _join_records(a, b)
    return Shape(
        a.kinds | b.kinds,
        None if a.texts is None or b.texts is None else a.texts | b.texts,
        entries.entry,
        entries.non_empty,
        record.fields,
        a.side_checks | b.side_checks,
        max(entries.weight, record.weight),
        max(entries.depth, record.depth),
    )


def join_all(shapes: Iterable[Shape]) -> Shape:
    return reduce(join, shapes, UNKNOWN)


def _join_lists(a: Shape, b: Shape) -> Shape:
    if LIST not in a.kinds or LIST not in b.kinds:
        return a if LIST in a.kinds else b
    return list_of(join(a.entry_shape(), b.entry_shape()), non_empty=a.non_empty and b.non_empty)


def _join_records(a: Shape, b: Shape) -> Shape:
    """Join two records; only fields of both remain."""
    if RECORD not in a.kinds or RECORD not in b.kinds:
        return a if RECORD in a.kinds else b
    others = dict(b.fields)
    return record_of({name: join(shape, others[name]) for name, shape in a.fields if name in others})


KIND_NAMES = {
    NUMBER: Message("kind.number"),
    TRUTH: Message("kind.truth"),
    TEXT: Message("kind.text"),
    DIE: Message("kind.die"),
    POOL: Message("kind.pool"),
    LIST: Message("kind.list"),
    RECORD: Message("kind.record"),
}


def describe_shape(shape: Shape) -> Message:
    """Describe a shape for messages: `a number or a text`."""
    kinds: list[Text] = [KIND_NAMES[kind] for kind in sorted(shape.value_kinds)]
    if shape.kinds & {NONE, ABSENT}:
        kinds.append("None")
    return Message("kind.either", kinds=kinds)


# -- shapes of declarations


def shape_of_value(value: Value) -> Shape:
    """Return the shape of a constant or a table."""
    if value is None:
        return A_NONE
    if isinstance(value, bool):
        return A_TRUTH
    if isinstance(value, str):
        return text_of([value])
    if isinstance(value, tuple):
        return list_of(join_all(map(shape_of_value, value)), non_empty=bool(value))
    if isinstance(value, Record):
        return record_of({name: shape_of_value(part) for name, part in value.items()})
    return A_NUMBER


def shape_of_option(option: Option) -> Shape:
    """Return the shape of an option's value."""
    if option.values:
        return join_all(map(shape_of_value, option.values))
    return list_of(A_NUMBER, non_empty=True) if option.length else A_NUMBER


def shape_of_param(param: Param) -> Shape:
    """Return the shape of a parameter, with ABSENT if it is optional."""
    shape = _shape_of_entry(param)
    for _ in param.separators:
        shape = list_of(shape, non_empty=True)
    return shape.with_kind(ABSENT) if param.optional else shape


def _shape_of_entry(param: Param) -> Shape:
    """Return the shape of a single entry of a parameter."""
    match param.type:
        case "truth":
            return A_TRUTH
        case "choice":
            return text_of(param.values)
        case "text":
            return ANY_TEXT
        case "die_code":
            return record_of({"dice": A_NUMBER, "pips": A_NUMBER})
        case "ladder":
            fields = {name for rung in param.ladder.values() for name in rung}
            named_rungs = [*param.ladder, ""] if param.number_field else param.ladder
            return record_of({**dict.fromkeys(fields, A_NUMBER), "name": text_of(named_rungs)})
    return A_NUMBER


def shapes_of_check(check: Check) -> dict[str, Shape]:
    """Return the shapes of the variables with which a check's rule starts."""
    inputs = {param.name: shape_of_param(param) for param in check.overall()}
    if check.sides:
        side = {param.name: shape_of_param(param) for param in check.per_side()}
        record = record_of({**side, "number": A_NUMBER}, frozenset((check.name,)))
        inputs["sides"] = list_of(record, non_empty=check.sides.least > 0)
    return inputs


def shapes_of_formulas(sheet: Sheet) -> list[tuple[str, dict[str, Shape], str]]:
    """Return the formulas of a sheet: name, shapes of the inputs, and required kind of the value."""
    derived = list(sheet.derived)
    sections = {
        "attributes": record_of({n: shape_of_param(entry.param) for n, entry in sheet.attributes.items()}),
        "skills": record_of(dict.fromkeys(sheet.skills, A_NUMBER)),
        "derived": record_of(dict.fromkeys(derived, A_NUMBER)),
        "resources": record_of(dict.fromkeys(sheet.resources, A_NUMBER)),
        "kind": text_of(CHARACTER_KINDS),
        "marks": record_of(dict.fromkeys(sheet.rounds.marks if sheet.rounds else (), A_NUMBER)),
        "value": A_NUMBER,
    }
    formulas = []
    for name, (section, formula) in sheet.formulas().items():
        inputs = {param: sections[param] for param in formula.params}
        if section == "derived":  # a formula can read only the values derived before it
            above = derived[: [entry.formula.name for entry in sheet.derived.values()].index(name)]
            inputs["derived"] = record_of(dict.fromkeys(above, A_NUMBER))
        formulas.append((name, inputs, TRUTH if section == "conditions" else NUMBER))
    return formulas


# -- signatures of functions

Kinds = tuple[str, ...]
# Allowed kinds of each argument, and the shape of the result.
SIGNATURES: dict[str, tuple[tuple[Kinds, ...], Shape]] = {
    "clamp": (((NUMBER,),) * 3, A_NUMBER),
    "abs": (((NUMBER,),), A_NUMBER),
    "floor": (((NUMBER,),), A_NUMBER),
    "ceil": (((NUMBER,),), A_NUMBER),
    "sum": (((POOL, LIST),), A_NUMBER),
    "size": (((POOL,),), A_NUMBER),
    "highest": (((POOL,), (NUMBER,)), A_POOL),
    "lowest": (((POOL,), (NUMBER,)), A_POOL),
    "widest": (((POOL,),), A_POOL),
    "len": (((LIST,),), A_NUMBER),
    "range": (((NUMBER,),), list_of(A_NUMBER)),
    "read": (((DIE,), (LIST,)), A_DIE),
    "sided": (((NUMBER,),), A_DIE),
}
SUM_OF_ROW: tuple[Kinds, ...] = (POOL,), (LIST,)  # arguments of `sum(pool, row)`
TAKES_NUMBERS = ("min", "max", "sum", "read")  # lists passed to these must hold numbers
# Hints for a kind mismatch: (needed, found).
CONVERSION_HINTS = {
    (NUMBER, POOL): Message("convert.pool_to_number"),
    (NUMBER, LIST): Message("convert.list_to_number"),
    (NUMBER, TRUTH): Message("convert.truth_to_number"),
    (NUMBER, DIE): Message("convert.die_to_number"),
    (NUMBER, TEXT): Message("convert.text_to_number"),
    (NUMBER, RECORD): Message("convert.record_to_number"),
    (TRUTH, NUMBER): Message("convert.number_to_truth"),
    (TRUTH, POOL): Message("convert.pool_to_truth"),
    (TRUTH, DIE): Message("convert.die_to_truth"),
    (TRUTH, TEXT): Message("convert.text_to_truth"),
    (TRUTH, LIST): Message("convert.list_to_truth"),
    (POOL, NUMBER): Message("convert.number_to_pool"),
    (POOL, DIE): Message("convert.die_to_pool"),
    (LIST, POOL): Message("convert.pool_to_list"),
    (LIST, NUMBER): Message("convert.number_to_list"),
    (DIE, NUMBER): Message("convert.number_to_die"),
    (DIE, POOL): Message("convert.pool_to_die"),
}
