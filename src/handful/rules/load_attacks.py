"""Loads `[rounds.attacks]`: how a check against a target goes on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from handful.errors import Message, did_you_mean
from handful.rules.file_format import field_names
from handful.rules.round_rules import Attack, FollowUp

if TYPE_CHECKING:
    from handful.rules.load_rounds import RoundsLoader

Path = tuple[str, ...]
Data = Mapping[str, Any]


def read_attacks(loader: RoundsLoader, declared: Mapping[str, Data]) -> dict[str, Attack]:
    """Load how each check with a target goes on; by default with the first check that costs no action."""
    attacks = {name: _attack(loader, name, data) for name, data in declared.items()}
    rounds = loader.data
    free = [name for name in rounds.get("free", []) if name in loader.sheet.checks]
    if not free or "harm" not in rounds:
        return attacks
    usual = FollowUp(free[0], {}, {})
    targets = [name for name in loader.document.table_at("rounds", "targets") if name in loader.sheet.checks]
    return {name: Attack(name, {}, usual, usual) for name in targets} | attacks


def _attack(loader: RoundsLoader, name: str, data: Data) -> Attack:
    """Load the attack of this name, which is a check with a target."""
    path = ("rounds", "attacks", name)
    loader.document.reject_unknown_keys(data, field_names("attack"), path)
    targets = list(loader.document.table_at("rounds", "targets"))
    check = loader.declared(path, name, "check", targets)
    return Attack(
        check,
        _fills(loader, path, data, check),
        _follow_up(loader, path, data, "damage"),
        _follow_up(loader, path, data, "resist"),
    )


def _follow_up(loader: RoundsLoader, attack: Path, data: Data, key: str) -> FollowUp | None:
    if key not in data:
        return None
    path, own = (*attack, key), loader.document.subtable(attack, data, key)
    loader.document.reject_unknown_keys(own, field_names("follow-up"), path)
    check = loader.declared((*path, "check"), own.get("check"), "check", list(loader.sheet.checks))
    params = list(loader.sheet.checks[check].params) if check else []
    presets = loader.document.subtable(path, own, "parameters")
    for name in presets:
        loader.declared((*path, "parameters", name), name, "parameter", params)
    return FollowUp(
        check, {name: str(value) for name, value in presets.items()}, _fills(loader, path, own, check)
    )


def _fills(loader: RoundsLoader, path: Path, data: Data, check: str) -> dict[str, str]:
    """Load which parameters of a check an item fills, each with one of its fields."""
    params = list(loader.sheet.checks[check].params) if check else []
    known = list(loader.sheet.items.form or ())
    fills = {}
    for name, field in loader.document.subtable(path, data, "item").items():
        loader.declared((*path, "item", name), name, "parameter", params)
        if field not in known:
            hint = did_you_mean(str(field), known) or Message("advice.it_is", names=known)
            loader.document.report(
                Message("ruleset.unknown-name.item_field", field=str(field)[:40]), (*path, "item", name), hint
            )
        fills[name] = str(field)
    return fills
