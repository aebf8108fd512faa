"""`make golden`: record the scenes that have no golden log yet; what is recorded is never changed.

A golden log is three things: `NAME.jsonl`, the entries as a store keeps them; `NAME.json`, what
each seat sees and was told then; and the texts of its rules in `rules/HASH.json`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import handful
from handful import table as tables
from handful.ed25519 import SigningKey
from handful.errors import HandfulError
from handful.library.tables import installed_rules
from handful.rules import load as loading
from handful.rules.ruleset import Ruleset
from handful.table import Command, Event, KeyedDice, Table
from handful.table.events import LinkMade
from handful.table.key_ledger import epoch_begun

HERE = Path(__file__).parent
SECRET = bytes(range(32))
KEY = SigningKey(SECRET)
DICE = KeyedDice(SECRET, KEY.public_key.hex())


class RecordedRules(Mapping[str, Ruleset]):
    """The rules that are recorded, by their hash."""

    def __getitem__(self, hash: str) -> Ruleset:
        if not _texts(hash).exists():
            raise KeyError(hash)
        return rules_of(hash)

    def __iter__(self) -> Iterator[str]:
        return (path.stem for path in (HERE / "rules").glob("*.json"))

    def __len__(self) -> int:
        return len([*self])


def begun(rules: Ruleset) -> Table:
    """A table before anything happened, with every recorded ruleset on its shelf."""
    return Table(rules, rulesets=RecordedRules())


def recorded(rules: Ruleset, lines: list[Any]) -> list[dict[str, Any]]:
    """The entries of a scene, with a clock that ticks once for each command."""
    table, entries = begun(rules), []
    for at, (who, do, key, fields) in enumerate(lines):
        time = f"2026-11-15T20:{at // 60:02}:{at % 60:02}.000+00:00"
        fields = _other_rules(_sheets(table, who, fields))
        try:
            events = _events(table, who, Command(do, key, fields))
        except HandfulError as refusal:
            raise SystemExit(f"{who} {do} {key}: {refusal.message}") from None
        for event in events:
            hash = table.rules.hash
            entry = tables.log_entry(event, seq=table.seq + 1, time=time, ruleset=hash)
            entries.append(json.loads(json.dumps(entry)))
            table = tables.evolve(table, event)
    return entries


def _events(table: Table, who: str, command: Command) -> Sequence[Event]:
    """The events of a line: of a command, of a table that is opened again, or of a link."""
    if command.kind == "begin epoch":
        return [epoch_begun(table, DICE)]
    if command.kind == "make link":
        return [Event(LinkMade(**command.data), who)]
    return tables.decide(table, command, who, DICE)


def _sheets(table: Table, who: str, fields: dict[str, Any]) -> dict[str, Any]:
    """The fields of a line, with the data of the character that it names."""
    if "sheet" not in fields:
        return fields
    game = handful.ruleset(table.rules.id)
    sheet = json.loads(game.export(game.character(fields["sheet"])))
    made = {**fields, "sheet": sheet}
    if "replaces" in made:
        made["replaces"] = tables.preview_sheet(table, who, sheet)["replaces"]
    return made


def _other_rules(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields of a line, with the hash of the game that it names; its texts are kept."""
    if "hash" not in fields:
        return fields
    return {**fields, "hash": _store_rules(*installed_rules(fields["hash"]))}


def _texts(hash: str) -> Path:
    return HERE / "rules" / f"{hash}.json"


def _store_rules(rules: Ruleset, texts: Any) -> str:
    """The hash of rules whose texts are there from now on."""
    file = _texts(rules.hash)
    file.parent.mkdir(exist_ok=True)
    if not file.exists():
        file.write_text(json.dumps(texts, indent=0) + "\n", encoding="utf-8")
    return rules.hash


def seen(rules: Ruleset, entries: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the view of each seat and a hash of each line of its log."""
    table = tables.fold(begun(rules), map(tables.read_event, entries))
    made = {}
    for seat in table.seats:
        view = json.loads(json.dumps(tables.view(table, seat)))
        for one in (view, *(item for part in view.values() if isinstance(part, list) for item in part)):
            one.pop("may", None)  # there may be more to do some day
        for one in (view["fight"] or {}).get("order", []):
            one.pop("may", None)
        export = tables.export_log(begun(rules), entries, seat, KEY.sign).splitlines()
        last = json.loads(export[-1])
        marks = [json.loads(line)["hash"][:12] for line in export[1:-1]]
        made[seat] = {"view": view, "lines": marks, "head": last["head"]}
    return made


@cache
def rules_of(hash: str) -> Ruleset:
    texts = json.loads(_texts(hash).read_text(encoding="utf-8"))
    return loading.load([loading.Source(name, text) for name, text in texts])


def record(name: str, game: str, lines: list[Any]) -> None:
    log, expected = HERE / f"{name}.jsonl", HERE / f"{name}.json"
    if log.exists() or expected.exists():
        raise SystemExit(f"{name} is recorded already; give what is new a scene of its own")
    rules, texts = installed_rules(game)
    entries = recorded(rules, lines)
    _store_rules(rules, texts)
    log.write_text("".join(f"{json.dumps(one)}\n" for one in entries), encoding="utf-8")
    text = json.dumps(seen(rules, entries), indent=0, separators=(",", ":"))
    expected.write_text(text + "\n", encoding="utf-8")


def main(names: list[str]) -> None:
    from scenes import SCENES

    missing = [name for name in SCENES if not (HERE / f"{name}.jsonl").exists()]
    for name in names or missing:
        if name not in SCENES:
            raise SystemExit(f"there is no scene {name}; there is {', '.join(SCENES)}")
        record(name, *SCENES[name])
        print(f"recorded {name}")
    if not names and not missing:
        print("every scene is recorded")


if __name__ == "__main__":
    main(sys.argv[1:])
