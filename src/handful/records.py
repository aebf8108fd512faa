"""Frozen records with slots, defined faster than dataclasses.

`dataclasses` generates and compiles six functions for every class, which is most of the start-up
time of a short command.  Here only `__init__` is generated, on first use; everything else is shared.
Invariant: a record behaves like a frozen dataclass with slots, for the features that Handful uses.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform

Class = TypeVar("Class", bound=type)
Kind = TypeVar("Kind")
_set = object.__setattr__
_OWN = object()  # default of a field with a factory
_REQUIRED = object()  # default of a field without one


class _Field:
    __slots__ = ("compare", "default", "default_factory", "kw_only", "repr")

    def __init__(
        self,
        default: Any,
        default_factory: Callable[[], Any] | None = None,
        repr: bool = True,
        compare: bool = True,
        kw_only: bool = False,
    ) -> None:
        self.default, self.default_factory = default, default_factory
        self.repr, self.compare, self.kw_only = repr, compare, kw_only

    @property
    def is_required(self) -> bool:
        return self.default is _REQUIRED and self.default_factory is None


def field(
    *,
    default: Any = _REQUIRED,
    default_factory: Callable[[], Any] | None = None,
    repr: bool = True,
    compare: bool = True,
    kw_only: bool = False,
) -> Any:
    """Declare a field with a default factory, excluded from `repr` or `==`, or keyword-only."""
    return _Field(default, default_factory, repr, compare, kw_only)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(*, eq: bool = True, frozen: bool = True) -> Callable[[Class], Class]:
    """Turn a class of annotated fields into a record.

    Without `eq` instances compare by identity; without `frozen` fields can be set.
    """
    return lambda cls: build_record(cls, eq, frozen)


def build_record(cls: Any, eq: bool = True, frozen: bool = True, kw_only: bool = False) -> Any:
    """Build the class of a record; with `kw_only` all its own fields are given by name."""
    body = dict(cls.__dict__)
    hints = body.get("__annotations__", {})
    own = tuple(name for name, hint in hints.items() if "ClassVar" not in str(hint))
    fields = dict(getattr(cls, "_fields_of_record", {}))
    fields |= {name: _as_field(body.pop(name, _REQUIRED), kw_only) for name in own}
    names = tuple(fields)
    for slot in ("__dict__", "__weakref__"):
        body.pop(slot, None)
    body |= {
        "_fields_of_record": fields,
        "__slots__": own,
        "__match_args__": tuple(name for name in names if not fields[name].kw_only),
        "__getstate__": lambda self: [getattr(self, name) for name in names],
        "__setstate__": lambda self, values: _set_fields(self, names, values),
    }
    body.setdefault("__repr__", _make_repr([name for name in names if fields[name].repr]))
    if frozen:
        body |= {"__setattr__": _refuse, "__delattr__": _refuse}
    if eq:
        compared = [name for name in names if fields[name].compare]
        key = attrgetter(*compared) if compared else lambda _: ()
        body["__eq__"] = lambda self, other: (
            key(self) == key(other) if other.__class__ is self.__class__ else NotImplemented
        )
        body["__hash__"] = lambda self: hash(key(self))
    built = type(cls)(cls.__name__, cls.__bases__, body)
    built.__init__ = _first_init(built, fields)
    return built


def _first_init(built: Any, fields: dict[str, _Field]) -> Callable[..., None]:
    """Return an `__init__` that generates the real one when the first instance is created.

    A short command defines many records and creates instances of few.
    """

    def init_first(self: Any, *args: Any, **named: Any) -> None:
        built.__init__ = init = _make_init(fields)
        init(self, *args, **named)

    return init_first


def _as_field(given: Any, kw_only: bool) -> _Field:
    return given if isinstance(given, _Field) else _Field(given, kw_only=kw_only)


def _make_init(fields: dict[str, _Field]) -> Callable[..., None]:
    """Generate `__init__`: a loop over the fields would be much slower, and records are created often."""
    namespace: dict[str, Any] = {"_set": _set, "_own": _OWN}
    params, lines = ["self"], []
    for name, own in sorted(fields.items(), key=lambda entry: entry[1].kw_only):
        value = name
        if own.kw_only and "*" not in params:
            params.append("*")
        if own.default_factory is not None:
            namespace[f"_make_{name}"] = own.default_factory
            params.append(f"{name}=_own")
            value = f"_make_{name}() if {name} is _own else {name}"
        elif own.default is not _REQUIRED:
            namespace[f"_default_{name}"] = own.default
            params.append(f"{name}=_default_{name}")
        else:
            params.append(name)
        lines.append(f" _set(self, {name!r}, {value})")
    exec(f"def __init__({', '.join(params)}):\n" + "\n".join(lines or [" pass"]), namespace)
    init: Callable[..., None] = namespace["__init__"]
    return init


def _make_repr(names: list[str]) -> Callable[[Any], str]:
    def show(self: Any) -> str:
        parts = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{type(self).__name__}({parts})"

    return show


def _refuse(self: Any, name: str, *_: Any) -> None:
    raise AttributeError(f"a {type(self).__name__} cannot be changed")


def _set_fields(self: Any, names: tuple[str, ...], values: list[Any]) -> None:
    for name, value in zip(names, values, strict=True):
        _set(self, name, value)


def replace(one: Kind, **fields: Any) -> Kind:
    """Return a copy of a record with some fields replaced."""
    cls: Any = one.__class__
    copy: Kind = _make_copier(cls)(one, fields)
    if fields:
        raise TypeError(f"{cls.__name__} has no {', '.join(fields)}")
    return copy


@cache
def _make_copier(cls: Any) -> Callable[[Any, dict[str, Any]], Any]:
    """Generate the copy function of a class on its first use; replaying a log copies often.

    The copy is built as an instance of a mutable twin class, which is twice as fast.
    """
    body = {"__slots__": cls.__slots__, "__setattr__": object.__setattr__}
    twin = type(cls)(cls.__name__, cls.__bases__, body)
    namespace: dict[str, Any] = {"_new": object.__new__, "_cls": cls, "_twin": twin}
    lines = [
        f" new.{name} = fields.pop({name!r}) if {name!r} in fields else one.{name}"
        for name in cls._fields_of_record
    ]
    head, tail = ["def copy(one, fields):", " new = _new(_twin)"], [" new.__class__ = _cls"]
    exec("\n".join([*head, *lines, *tail, " return new"]), namespace)
    copy: Callable[[Any, dict[str, Any]], Any] = namespace["copy"]
    return copy
