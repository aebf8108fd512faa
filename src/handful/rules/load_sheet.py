"""The `[sheet]` part of a ruleset -> `Sheet`, with every mistake found.

Works with the services of the loader (`rules.load`): mistakes are placed in the file they stand in
and collected with all others.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from handful.errors import Refused, did_you_mean, listed
from handful.rules.formulas import formula
from handful.rules.gifts import read_gift
from handful.rules.grammar import Names
from handful.rules.load_rounds import rounds_of
from handful.rules.params import Param, Wording
from handful.rules.program import Program
from handful.rules.ruleset import Check
from handful.rules.sheets import (
    KINDS,
    SECTIONS,
    Attribute,
    Condition,
    Derived,
    Form,
    Gift,
    Pick,
    Proficiency,
    Resource,
    Sheet,
    Skill,
    Trait,
    Use,
)

if TYPE_CHECKING:
    from handful.rules.load import Loader

Path = tuple[str, ...]
Data = Mapping[str, Any]

PARTS = {
    "titles", "attribute", "attributes", "skill", "skills", "proficiency", "proficiencies",
    "derived", "resources", "conditions", "traits", "untrained", "picks", "told",
}  # fmt: skip
_NUMBER = {"type", "min", "max", "default", "label"}
NAME = re.compile(r"[a-z][a-z0-9_]{0,60}\Z")


class SheetLoader:
    """Reads one `[sheet]`; mistakes go to the loader."""

    def __init__(
        self, loader: Loader, names: Names, checks: Mapping[str, Check], programs: Mapping[str, Any]
    ) -> None:
        self.loader, self.names, self.checks, self.programs = loader, names, checks, programs
        data = loader.data["sheet"]
        self.data: dict[str, Any] = data if isinstance(data, dict) else {}
        if not isinstance(data, dict):
            self.fault("sheet must be a table", ("sheet",), "[sheet.attributes.something]")

    def sheet(self) -> Sheet:
        self.loader.unknown(self.data, PARTS, ("sheet",))
        form = self.table(("sheet", "attribute"))
        attributes = {n: self._attribute(n, d, form) for n, d in self._parts("attributes")}
        self.attributes = attributes
        proficiency = self._form("proficiency", "rank", {"open"})
        skill = self._form("skill", "value", {"open", "attribute", "fields"})
        self.skill = skill
        skills = {n: self._skill(n, d) for n, d in self._parts("skills")}
        self.known = {*attributes, *skills}
        self._both(attributes, skills)
        proficiencies = {n: self._proficiency(n, d) for n, d in self._parts("proficiencies")}
        if proficiencies and proficiency is None:
            self.fault(
                "what rank does a proficiency have?", ("sheet", "proficiencies"),
                "[sheet.proficiency] with min, max and label",
            )  # fmt: skip
        return Sheet(
            titles=self._titles(),
            attributes=attributes, skill=skill, skills=skills,
            proficiency=proficiency, proficiencies=proficiencies,
            derived={n: self._derived(n, d) for n, d in self._parts("derived")},
            resources={n: self._resource(n, d) for n, d in self._parts("resources")},
            conditions={n: self._condition(n, d) for n, d in self._parts("conditions")},
            traits={n: self._trait(("sheet", "traits", n), n, d) for n, d in self._parts("traits")},
            untrained=self._untrained(),
            picks={n: self._pick(n, d) for n, d in self._parts("picks")},
            told=self._told(),
            lineage=tuple(str(source.data.get("id")) for source in self.loader.sources[::-1]),
            rounds=rounds_of(self) if "rounds" in self.loader.data else None,
        )  # fmt: skip

    # -- services

    def fault(self, message: str, path: Path, hint: str = "") -> None:
        self.loader.fault(message, path, hint)

    def table(self, path: Path) -> dict[str, Any]:
        part: Any = self.loader.data
        for name in path:
            part = part.get(name, {})
            if not isinstance(part, dict):
                self.fault(f"{name} must be a table", path, f"[{'.'.join(path)}]")
                return {}
        return dict(part)

    def _parts(self, section: str) -> list[tuple[str, dict[str, Any]]]:
        """The named parts of a section; what is no name or no table is a mistake."""
        good = []
        for name, data in self.table(("sheet", section)).items():
            path = ("sheet", section, name)
            if not NAME.match(name):
                self.fault(f"{name!r} is not a name: small letters, digits and _", path)
            elif not isinstance(data, dict):
                self.fault(f"{'.'.join(path)} must be a table", path, f"[{'.'.join(path)}]")
            else:
                good.append((name, data))
        return good

    def title(self, path: Path, data: Data, key: str = "title") -> Wording:
        return self.loader.wording((*path, key), data.get(key))

    def texts(
        self, path: Path, value: Any, what: str, known: Sequence[str] = ()
    ) -> tuple[str, ...]:
        """A list of texts, each of them known."""
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            self.fault(f"{path[-1]} must be a list of names", path, f'{path[-1]} = ["…"]')
            return ()
        for one in value:
            if known and one not in known:
                hint = did_you_mean(one, known) or f"there is {listed(known)}"
                self.fault(f"there is no {what} {one!r}", path, hint)
        return tuple(value)

    def _number(
        self, path: Path, name: str, data: Data, title: Wording, typed_at: Path | None = None
    ) -> Param:
        """The number of an attribute, skill or proficiency as a parameter."""
        own = {key: value for key, value in data.items() if key in _NUMBER}
        own = {"type": "number", **own, "label": title or {"en": name}}
        if own["type"] not in ("number", "halves", "die_code"):
            self.fault(
                f"{name} cannot be of that type", (*(typed_at or path), "type"),
                'type = "number", type = "halves" or type = "die_code"',
            )  # fmt: skip
            own["type"] = "number"
        return self.loader.param(path, name, own, {})

    # -- attributes, skills, proficiencies

    def _titles(self) -> dict[str, Wording]:
        titles = self.table(("sheet", "titles"))
        self.loader.unknown(titles, {*SECTIONS}, ("sheet", "titles"))
        return {n: self.loader.wording(("sheet", "titles", n), w) for n, w in titles.items()}

    def _attribute(self, name: str, own: Data, form: Data) -> Attribute:
        path = ("sheet", "attributes", name)
        data = {**form, **own}
        self.loader.unknown(data, {"type", "min", "max", "default", "title", "pips"}, path)
        pips = self.loader.whole(path, data, "pips", -1)
        title = self.title(path, data)
        place = path if "type" in own else ("sheet", "attribute")
        number = self._number(path, name, data, title, place)
        return Attribute(name, title, number, None if pips < 0 else pips)

    def _form(self, name: str, called: str, further: set[str]) -> Form | None:
        path = ("sheet", name)
        if name not in self.data:
            return None
        data = self.table(path)
        self.loader.unknown(data, _NUMBER | {"called"} | further, path)
        called = str(data.get("called", called))
        if not NAME.match(called):
            self.fault(f"{called!r} is not a name: small letters, digits and _", (*path, "called"))
        fields = self.table((*path, "fields"))
        return Form(
            called,
            self._number(path, called, data, self.title(path, data, "label")),
            self._truth(path, data, "open"),
            self._truth(path, data, "attribute"),
            {n: self.loader.param((*path, "fields", n), n, d, {}) for n, d in fields.items()},
        )

    def _truth(self, path: Path, data: Data, key: str) -> bool:
        if not isinstance(data.get(key, False), bool):
            self.fault(f"{key} must be true or false", (*path, key), f"{key} = true")
        return data.get(key) is True

    def _skill(self, name: str, data: Data) -> Skill:
        path = ("sheet", "skills", name)
        form = self.skill
        if form is None:
            self.fault(
                "what number does a skill have?", path, "[sheet.skill] with min, max and label"
            )
            return Skill(name, {})
        self.loader.unknown(data, {"title", *(["attribute"] * form.governed), *form.fields}, path)
        if form.governed and data.get("attribute") not in self.attributes:
            hint = did_you_mean(str(data.get("attribute")), self.attributes)
            hint = hint or f"it is {listed(self.attributes)}"
            self.fault(f"which attribute does {name} belong to?", (*path, "attribute"), hint)
        fields = {}
        for key, param in form.fields.items():
            if key in data:
                try:
                    fields[key] = param.read(data[key])
                except Refused as refusal:
                    self.fault(refusal.message, (*path, key), refusal.hint)
        return Skill(name, self.title(path, data), str(data.get("attribute", "")), fields)

    def _both(self, attributes: Data, skills: Mapping[str, Skill]) -> None:
        for name in skills:
            if name in attributes:
                self.fault(
                    f"an attribute is already called {name!r}", ("sheet", "skills", name),
                    "use another name",
                )  # fmt: skip

    def _proficiency(self, name: str, data: Data) -> Proficiency:
        path = ("sheet", "proficiencies", name)
        self.loader.unknown(data, {"title", "skills"}, path)
        known = list(self.table(("sheet", "skills")))
        granted = self.texts((*path, "skills"), data.get("skills", []), "skill", known)
        return Proficiency(name, self.title(path, data), granted)

    # -- formulas

    def formula(self, path: Path, text: Any, section: str) -> Program:
        return formula(self.loader, self.names, self.programs, path, text, section)

    def _derived(self, name: str, data: Data) -> Derived:
        path = ("sheet", "derived", name)
        self.loader.unknown(data, {"title", "value", "min", "max", "type"}, path)
        title = self.title(path, data)
        formula = self.formula((*path, "value"), data.get("value"), "derived")
        return Derived(name, title, formula, self._number(path, name, data, title))

    def _resource(self, name: str, data: Data) -> Resource:
        path = ("sheet", "resources", name)
        self.loader.unknown(data, {"title", "min", "max", "start", "kinds", "spent", "uses"}, path)
        least = self._bound(path, data, "min", 0)
        most = self._bound(path, data, "max", 1000)
        if isinstance(least, int) and isinstance(most, int) and least > most:
            self.fault(f"the range of {name} is empty", (*path, "max"), "min must not exceed max")
        kinds = self.texts((*path, "kinds"), data.get("kinds", list(KINDS)), "kind", KINDS)
        return Resource(
            name, self.title(path, data), least, most,
            self._bound(path, data, "start", most), kinds, self._spent(path, data),
            self._uses(path, data),
        )  # fmt: skip

    def _bound(self, path: Path, data: Data, key: str, default: Any) -> int | Program:
        value = data.get(key, default)
        if isinstance(value, str):
            return self.formula((*path, key), value, "resources")
        if isinstance(value, Program):
            return value
        return self.loader.whole(path, data, key, default)

    def _uses(self, path: Path, data: Data) -> dict[str, Use]:
        """What one of a resource buys outside of checks."""
        uses = {}
        for name in self.loader.table(path, data, "uses"):
            where = (*path, "uses", name)
            own = self.loader.table((*path, "uses"), data["uses"], name)
            self.loader.unknown(own, {"title", "when", "changes"}, where)
            changes = self.loader.table(where, own, "changes")
            known = list(self.table(("sheet", "resources")))
            self.texts((*where, "changes"), list(changes), "resource", known)
            uses[name] = Use(
                name,
                self.title(where, own),
                self.formula((*where, "when"), own.get("when", "True"), "conditions"),
                {key: self.loader.whole((*where, "changes"), changes, key, 0) for key in changes},
            )
        return uses

    def _spent(self, path: Path, data: Data) -> dict[str, tuple[str, ...]]:
        """Values of parameters and answers to decisions that cost one of a resource."""
        spent = {}
        for name, values in self.loader.table(path, data, "spent").items():
            where = (*path, "spent", name)
            params = [c.params[name] for c in self.checks.values() if name in c.params]
            if not params and name not in self.names.decisions:
                known = [*self._parameters(), *self.names.decisions]
                self.fault(
                    f"there is no parameter or decision {name!r}", where,
                    did_you_mean(name, known) or f"there is {listed(known)}",
                )  # fmt: skip
            possible = sorted({value for param in params for value in param.values})
            spent[name] = self.texts(where, values, "value", possible)
        return spent

    def _condition(self, name: str, data: Data) -> Condition:
        path = ("sheet", "conditions", name)
        self.loader.unknown(data, {"title", "when", "gives", "cannot"}, path)
        return Condition(
            name,
            self.title(path, data),
            self.formula((*path, "when"), data.get("when"), "conditions"),
            self.gifts(path, data),
            self.title(path, data, "cannot") if "cannot" in data else {},
        )

    # -- what reaches a check

    def _parameters(self) -> list[str]:
        return sorted({name for check in self.checks.values() for name in check.params})

    def _trait(self, path: Path, name: str, data: Data) -> Trait:
        self.loader.unknown(data, {"title", "gives"}, path)
        return Trait(name, self.title(path, data), self.gifts(path, data))

    def _untrained(self) -> Trait | None:
        if "untrained" not in self.data:
            return None
        path = ("sheet", "untrained")
        return self._trait(path, "untrained", self.table(path))

    def gifts(self, path: Path, data: Data) -> tuple[Gift, ...]:
        gives = data.get("gives", [])
        if not isinstance(gives, list) or not all(isinstance(one, dict) for one in gives):
            self.fault("gives must be a list of tables", (*path, "gives"), "gives = [{ … = 1 }]")
            return ()
        gifts = []
        for one in gives:
            gift, mistakes = read_gift(one, self.checks, sorted(self.known))
            for message, hint in mistakes:
                self.fault(message, (*path, "gives"), hint)
            gifts.append(gift)
        return tuple(gifts)

    def _pick(self, name: str, data: Data) -> Pick:
        path = ("sheet", "picks", name)
        self.loader.unknown(data, {"attributes", "skills"}, path)
        self._parameter((*path,), name)
        form = self.skill
        own = [form.called, *form.fields] if form else []
        fields = {
            "attributes": ["value", "name"],
            "skills": ["name", *own, *(["attribute"] if form and form.governed else [])],
        }
        made: dict[str, dict[str, str]] = {}
        for group, known in fields.items():
            made[group] = {}
            for param, one in self.loader.table(path, data, group).items():
                self._parameter((*path, group, param), param)
                if one not in known:
                    hint = did_you_mean(str(one), known) or f"it is {listed(known)}"
                    self.fault(f"{group} have no {one!r}", (*path, group, param), hint)
                made[group][param] = str(one)
        return Pick(name, made["attributes"], made["skills"])

    def _parameter(self, path: Path, name: str) -> None:
        known = self._parameters()
        if name not in known:
            hint = did_you_mean(name, known) or f"there is {listed(known)}"
            self.fault(f"no check has the parameter {name!r}", path, hint)

    def _told(self) -> dict[str, tuple[str, ...]]:
        """The words under which a roll tells of a parameter; its own name unless said otherwise."""
        told: dict[str, tuple[str, ...]] = {
            name: (name,) for name in self._parameters() if name in self.names.words
        }
        for name, words in self.table(("sheet", "told")).items():
            path = ("sheet", "told", name)
            self._parameter(path, name)
            told[name] = self.texts(path, words, "word", list(self.names.words))
        return told
