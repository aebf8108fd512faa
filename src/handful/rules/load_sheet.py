"""Loads the `[sheet]` table of a ruleset as `Sheet`.

Order matters: attributes and skills come first, because modifiers and formulas refer to them.
Errors are reported to the document, together with all others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from handful.errors import Message, Refused, did_you_mean
from handful.records import replace
from handful.rules.check_modifiers import read_modifier
from handful.rules.document import NAME, RulesetDocument
from handful.rules.file_format import INTRODUCED_IN, field_names
from handful.rules.formulas import compile_formula
from handful.rules.grammar import Declarations
from handful.rules.load_creation import load_creation
from handful.rules.load_items import ItemLoader
from handful.rules.load_params import read_param
from handful.rules.load_resources import ResourceLoader, parameter_names
from handful.rules.load_rounds import load_rounds
from handful.rules.params import Param, Wording
from handful.rules.program import Program
from handful.rules.ruleset import Check
from handful.rules.sheet_rules import (
    SECTIONS,
    Attribute,
    CheckModifier,
    Condition,
    Derived,
    Pick,
    Proficiency,
    RankFormat,
    Sheet,
    Skill,
    Trait,
)

Path = tuple[str, ...]
Data = Mapping[str, Any]

_RANK_KEYS = {"type", "min", "max", "default", "label", "help"}
Loaded = TypeVar("Loaded")


class SheetLoader:
    """Loads one `[sheet]` table."""

    def __init__(
        self,
        document: RulesetDocument,
        declarations: Declarations,
        checks: Mapping[str, Check],
        programs: Mapping[str, Any],
    ) -> None:
        self.document, self.declarations, self.checks, self.programs = (
            document,
            declarations,
            checks,
            programs,
        )
        data = document.data["sheet"]
        self.data: dict[str, Any] = data if isinstance(data, dict) else {}
        if not isinstance(data, dict):
            self.document.report(Message("ruleset.kind.sheet"), ("sheet",), "[sheet.attributes.something]")

    def sheet(self) -> Sheet:
        """Load all sections; attributes and skills first."""
        self.document.reject_unknown_keys(self.data, field_names("sheet"), ("sheet",))
        shared = self.document.table_at("sheet", "attribute")
        other = self._other_attribute(shared)
        attributes = self._each("attributes", lambda n, d: self._attribute(n, d, shared))
        self.attributes = attributes
        proficiency = self._rank_format("proficiency", "rank")
        skill = self._rank_format("skill", "value")
        self.skill = skill
        skills = self._each("skills", self._skill)
        self.known = {*attributes, *skills}
        self._reject_shared_names(attributes, skills)
        proficiencies = self._each("proficiencies", self._proficiency)
        if proficiencies and proficiency is None:
            self.document.report(
                Message("ruleset.missing.rank"),
                ("sheet", "proficiencies"),
                Message("ruleset_advice.proficiency"),
            )
        self.items = ItemLoader(self.document, self.data)
        resources = ResourceLoader(self.document, self.declarations, self.checks, self.compile_formula)
        sheet = Sheet(
            titles=self._titles(),
            attributes=attributes,
            other_attribute=other,
            skill=skill,
            skills=skills,
            proficiency=proficiency,
            proficiencies=proficiencies,
            derived=self._each("derived", self._derived),
            resources=self._each("resources", resources.read),
            conditions=self._each("conditions", self._condition),
            traits=self._each("traits", lambda n, d: self._trait(("sheet", "traits", n), n, d)),
            untrained=self._untrained(),
            picks=self._each("picks", self._pick),
            parameter_words=self._parameter_words(),
            lineage=tuple(str(source.data.get("id")) for source in self.document.sources[::-1]),
            rounds=load_rounds(self) if "rounds" in self.document.data else None,
            item=self.items.form,
            items=self._each("items", self.items.read) if "items" in self.data else {},
        )
        if "creation" not in self.data:
            return sheet
        return replace(sheet, creation=load_creation(self.document, sheet, self.compile_formula))

    def _each(self, section: str, make: Callable[[str, Data], Loaded]) -> dict[str, Loaded]:
        """Load the named parts of a section."""
        return {name: make(name, data) for name, data in self.document.named_tables("sheet", section).items()}

    def _rank(self, path: Path, name: str, data: Data, title: Wording, typed_at: Path | None = None) -> Param:
        """Load the rank of an attribute, skill or proficiency as a parameter."""
        param_data = {key: value for key, value in data.items() if key in _RANK_KEYS}
        param_data = {"type": "number", **param_data, "label": title or {"en": name}}
        if param_data["type"] not in ("number", "halves", "die_code"):
            self.document.report(
                Message("ruleset.kind.wrong_type", name=name),
                (*(typed_at or path), "type"),
                Message("ruleset_advice.sheet_types"),
            )
            param_data["type"] = "number"
        return read_param(self.document, path, name, param_data, {})

    # -- attributes, skills, proficiencies

    def _titles(self) -> dict[str, Wording]:
        titles = self.document.table_at("sheet", "titles")
        self.document.reject_unknown_keys(titles, {*SECTIONS}, ("sheet", "titles"))
        return {n: self.document.wording(("sheet", "titles", n), w) for n, w in titles.items()}

    def _other_attribute(self, shared: Data) -> Attribute | None:
        """Load the definition of custom attributes; None if the game does not allow them."""
        path = ("sheet", "attribute")
        self.document.reject_unknown_keys(shared, field_names("attribute"), path)
        if not self._truth(path, shared, "open"):
            return None
        title = {"en": "attribute"}
        pips = self.document.integer(path, shared, "pips", -1)
        number = self._rank(path, "attribute", shared, title, path)
        return Attribute("", title, number, None if pips < 0 else pips)

    def _attribute(self, name: str, own: Data, shared: Data) -> Attribute:
        path = ("sheet", "attributes", name)
        self.document.reject_unknown_keys(own, field_names("attribute", without="open"), path)
        data = {**shared, **own}
        pips = self.document.integer(path, data, "pips", -1)
        title = self.document.title(path, data)
        type_path = path if "type" in own else ("sheet", "attribute")
        number = self._rank(path, name, data, title, type_path)
        aliases = self.document.aliases(path, own)
        return Attribute(name, title, number, None if pips < 0 else pips, aliases)

    def _rank_format(self, name: str, called: str) -> RankFormat | None:
        path = ("sheet", name)
        if name not in self.data:
            return None
        data = self.document.table_at(*path)
        self.document.reject_unknown_keys(data, field_names(f"{name} form"), path)
        called = str(data.get("called", called))
        if not NAME.match(called):
            self.document.report(Message("ruleset.name.not_a_name", key=called), (*path, "called"))
        fields = self.document.table_at(*path, "fields")
        return RankFormat(
            called,
            self._rank(path, called, data, self.document.title(path, data, "label")),
            self._truth(path, data, "open"),
            self._truth(path, data, "attribute"),
            {n: read_param(self.document, (*path, "fields", n), n, d, {}) for n, d in fields.items()},
        )

    def _truth(self, path: Path, data: Data, key: str) -> bool:
        if not isinstance(data.get(key, False), bool):
            self.document.report(Message("ruleset.kind.truth", key=key), (*path, key), f"{key} = true")
        return data.get(key) is True

    def _skill(self, name: str, data: Data) -> Skill:
        path = ("sheet", "skills", name)
        rank_format = self.skill
        if rank_format is None:
            self.document.report(
                Message("ruleset.missing.skill_number"), path, Message("ruleset_advice.skill")
            )
            return Skill(name, {})
        allowed = {"title", "help", "aliases", *(["attribute"] * rank_format.governed), *rank_format.fields}
        self.document.reject_unknown_keys(data, allowed, path)
        for key, version in INTRODUCED_IN["skill"].items():
            if key in data and key not in rank_format.fields:
                self.document.require_language(version, (*path, key))
        if rank_format.governed and data.get("attribute") not in self.attributes:
            hint = did_you_mean(str(data.get("attribute")), self.attributes)
            hint = hint or Message("advice.it_is", names=self.attributes)
            self.document.report(
                Message("ruleset.unknown-name.attribute", name=name), (*path, "attribute"), hint
            )
        fields = {}
        for key, param in rank_format.fields.items():
            if key in data:
                try:
                    fields[key] = param.read(data[key])
                except Refused as refusal:
                    wrong = Message("ruleset.range.value", problem=refusal.problem)
                    self.document.report(wrong, (*path, key), refusal.advice)
        own = {key: value for key, value in data.items() if key not in rank_format.fields}
        aliases = self.document.aliases(path, own)
        governed = str(data.get("attribute", ""))
        title = self.document.title(path, data)
        return Skill(name, title, governed, fields, aliases, self._help(path, own))

    def _help(self, path: Path, data: Data) -> Wording:
        return self.document.title(path, data, "help") if "help" in data else {}

    def _reject_shared_names(self, attributes: Data, skills: Mapping[str, Skill]) -> None:
        for name in skills:
            if name in attributes:
                self.document.report(
                    Message("ruleset.name-taken.attribute", name=name),
                    ("sheet", "skills", name),
                    Message("advice.use_another_name"),
                )

    def _proficiency(self, name: str, data: Data) -> Proficiency:
        path = ("sheet", "proficiencies", name)
        self.document.reject_unknown_keys(data, field_names("proficiency"), path)
        known = list(self.document.table_at("sheet", "skills"))
        granted = self.document.text_list((*path, "skills"), data.get("skills", []), "skill", known)
        aliases = self.document.aliases(path, data)
        title = self.document.title(path, data)
        return Proficiency(name, title, granted, aliases, self._help(path, data))

    # -- formulas

    def compile_formula(self, path: Path, text: Any, section: str) -> Program:
        return compile_formula(self.document, self.declarations, self.programs, path, text, section)

    def _derived(self, name: str, data: Data) -> Derived:
        path = ("sheet", "derived", name)
        self.document.reject_unknown_keys(data, field_names("derived"), path)
        title = self.document.title(path, data)
        formula = self.compile_formula((*path, "value"), data.get("value"), "derived")
        return Derived(name, title, formula, self._rank(path, name, data, title))

    def _condition(self, name: str, data: Data) -> Condition:
        path = ("sheet", "conditions", name)
        self.document.reject_unknown_keys(data, field_names("condition"), path)
        return Condition(
            name,
            self.document.title(path, data),
            self.compile_formula((*path, "when"), data.get("when"), "conditions"),
            self.modifiers(path, data),
            self.document.title(path, data, "cannot") if "cannot" in data else {},
            self.document.aliases(path, data),
        )

    # -- modifiers and picks

    def _trait(self, path: Path, name: str, data: Data) -> Trait:
        self.document.reject_unknown_keys(data, field_names("trait"), path)
        aliases = self.document.aliases(path, data)
        title = self.document.title(path, data)
        return Trait(name, title, self.modifiers(path, data), aliases, self._help(path, data))

    def _untrained(self) -> Trait | None:
        if "untrained" not in self.data:
            return None
        path = ("sheet", "untrained")
        return self._trait(path, "untrained", self.document.table_at(*path))

    def modifiers(self, path: Path, data: Data) -> tuple[CheckModifier, ...]:
        """Load the `gives` list of a part."""
        gives = data.get("gives", [])
        if not isinstance(gives, list) or not all(isinstance(entry, dict) for entry in gives):
            self.document.report(Message("ruleset.kind.gives"), (*path, "gives"), "gives = [{ … = 1 }]")
            return ()
        modifiers = []
        for entry in gives:
            modifier, errors = read_modifier(entry, self.checks, sorted(self.known))
            for message, hint in errors:
                self.document.report(message, (*path, "gives"), hint)
            modifiers.append(modifier)
        return tuple(modifiers)

    def _pick(self, name: str, data: Data) -> Pick:
        path = ("sheet", "picks", name)
        self.document.reject_unknown_keys(data, field_names("pick"), path)
        self._parameter((*path,), name)
        rank_format = self.skill
        rank_fields = [rank_format.called, *rank_format.fields] if rank_format else []
        fields = {
            "attributes": ["value", "name"],
            "skills": [
                "name",
                *rank_fields,
                *(["attribute"] if rank_format and rank_format.governed else []),
            ],
        }
        fills: dict[str, dict[str, str]] = {}
        for group, known in fields.items():
            fills[group] = {}
            for param, field in self.document.subtable(path, data, group).items():
                self._parameter((*path, group, param), param)
                if field not in known:
                    hint = did_you_mean(str(field), known) or Message("advice.it_is", names=known)
                    self.document.report(
                        Message("ruleset.unknown-name.field", group=group, field=field),
                        (*path, group, param),
                        hint,
                    )
                fills[group][param] = str(field)
        whole = self._truth(path, {"whole": True, **data}, "whole")
        return Pick(name, fills["attributes"], fills["skills"], whole)

    def _parameter(self, path: Path, name: str) -> None:
        known = parameter_names(self.checks)
        if name not in known:
            hint = did_you_mean(name, known) or Message("advice.there_is", names=known)
            self.document.report(Message("ruleset.unknown-name.check_parameter", name=name), path, hint)

    def _parameter_words(self) -> dict[str, tuple[str, ...]]:
        """Load the words by which a rule reports each parameter; by default its own name."""
        parameter_words: dict[str, tuple[str, ...]] = {
            name: (name,) for name in parameter_names(self.checks) if name in self.declarations.words
        }
        for name, words in self.document.table_at("sheet", "told").items():
            path = ("sheet", "told", name)
            self._parameter(path, name)
            parameter_words[name] = self.document.text_list(
                path, words, "word", list(self.declarations.words)
            )
        return parameter_words
