"""Loads the items of `[sheet]`: the fields that an item has, and the items that the game lists."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from handful.errors import Message, Refused
from handful.rules.document import RulesetDocument
from handful.rules.file_format import field_names
from handful.rules.load_params import read_param
from handful.rules.params import Param
from handful.rules.sheet_rules import Item

FORM = ("sheet", "item")
OTHER_FIELDS = ("title", "aliases", "uses")  # of every item, so no game may call a field of its own so
MAX_USES = 100


class ItemLoader:
    """Loads `[sheet.item]` once, then each entry of `[sheet.items]`."""

    def __init__(self, document: RulesetDocument, sheet: Mapping[str, Any]) -> None:
        self.document = document
        self.form = self._form(sheet)

    def _form(self, sheet: Mapping[str, Any]) -> dict[str, Param] | None:
        if "item" not in sheet:
            if "items" in sheet:
                missing = Message("ruleset.missing.item")
                self.document.report(missing, ("sheet", "items"), "[sheet.item.fields]")
            return None
        self.document.reject_unknown_keys(self.document.table_at(*FORM), field_names("item form"), FORM)
        fields = {}
        for name, data in self.document.named_tables(*FORM, "fields").items():
            path = (*FORM, "fields", name)
            if name in OTHER_FIELDS:
                self.document.report(
                    Message("ruleset.name.taken", name=name), path, Message("advice.use_another_name")
                )
            fields[name] = read_param(self.document, path, name, data, {})
        return fields

    def read(self, name: str, data: Mapping[str, Any]) -> Item:
        """Load an item of the game."""
        path = ("sheet", "items", name)
        form = self.form or {}
        if self.form is not None:
            self.document.reject_unknown_keys(data, {*OTHER_FIELDS, *form}, path)
        fields = {}
        for key, param in form.items():
            if key in data:
                try:
                    fields[key] = param.read(data[key])
                except Refused as refusal:
                    wrong = Message("ruleset.range.value", problem=refusal.problem)
                    self.document.report(wrong, (*path, key), refusal.advice)
        uses = self.document.integer(path, data, "uses", 1) if "uses" in data else None
        if uses is not None and not 0 <= uses <= MAX_USES:
            self.document.report(Message("item.number_of_uses"), (*path, "uses"), "uses = 1")
        aliases = self.document.aliases(path, data)
        return Item(name, self.document.title(path, data), fields, uses, aliases)
