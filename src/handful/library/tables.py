"""Opens tables in files, with the system clock, random secrets and the right rules.

A log can only be replayed with the exact rules that it was played with, so their texts are stored
with it.  Invariant: a table continues with its stored rules, even if the installed game changes.
"""

from __future__ import annotations

from datetime import UTC, datetime
from secrets import token_bytes, token_hex
from typing import TYPE_CHECKING

from handful.errors import HandfulError, Message, Refused
from handful.library.files import is_trusted, read_sources, ruleset_path, short_name
from handful.rules import load as loading
from handful.rules.ruleset import Ruleset
from handful.store import (
    Conflict,
    MemoryStore,
    RulesetTexts,
    Store,
    StoredTable,
    TableHeader,
    display_name,
    open_store,
    read_stored_rules,
)
from handful.table import Command, KeyedDice, Table, decide

if TYPE_CHECKING:
    from pathlib import Path


DRAFT_PREFIX = "brew:"  # before the name of a draft ruleset, whose rules are stored with its tables only
ENTROPY_BYTES = 16  # of a throw


def new_entropy() -> str:
    """Return random bytes of this device as text: the `entropy` of a throw."""
    return token_hex(ENTROPY_BYTES)


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def new_table(
    game: str, *, name: str = "table", gm: str = "gm", file: str | Path | None = None
) -> StoredTable:
    """Create a table of a game in a file, or in memory."""
    rules, texts = installed_rules(game)
    secret, command = token_bytes(32), Command("open", "open", {"table": name})
    decide(Table(rules), command, gm, KeyedDice(secret))  # refuse before anything is created
    store: Store = MemoryStore() if file is None else open_store(str(file), create=True)
    header = TableHeader(name, game, secret, rules.hash)
    store.save_rules(rules.hash, texts)
    try:
        store.create_table(header)
    except Conflict as conflict:
        raise Refused(Message("store.name_conflict", conflict=conflict)) from None
    stored = StoredTable(store, header, rules, now)
    stored.do(gm, command)
    return stored


def open_table(file: str | Path, name: str | None = None) -> StoredTable:
    """Open a table of a file; `name` is needed if the file has several."""
    store = open_store(str(file))
    try:
        header = _select_header(file, store, name)
        return StoredTable(store, header, rules_for(store, header), now)
    except BaseException:
        store.close()
        raise


kept_table = open_table  # documented name of earlier versions


def _select_header(file: str | Path, store: Store, name: str | None) -> TableHeader:
    found = {one.table: one for one in store.tables()}
    if name is None and len(found) != 1:
        raise Refused(
            Message("store.which_table", file=display_name(str(file)), number=len(found), names=found)
        )
    if name is not None and name not in found:
        raise Refused(
            Message("store.unknown_table", file=display_name(str(file)), name=name[:60], found=found)
        )
    return found[name] if name is not None else next(iter(found.values()))


# -- the rules of a table


def rules_for(store: Store, header: TableHeader) -> Ruleset:
    """Return the rules of a table: the installed ones, or those stored with it."""
    texts = store.rules(header.rules_hash)
    if header.game.startswith(DRAFT_PREFIX):  # an installed game of that name is a different one
        return _stored_rules(header, texts)
    try:
        rules, own = installed_rules(header.game)
    except HandfulError:
        if not texts:
            raise
        return _stored_rules(header, texts)
    if header.rules_hash not in ("", rules.hash) and texts:
        return _stored_rules(header, texts)
    if header.rules_hash == rules.hash and not texts:
        store.save_rules(rules.hash, own)  # a file older than stored rules
    return rules  # if they differ and none were stored, StoredTable refuses them


def installed_rules(game: str) -> tuple[Ruleset, RulesetTexts]:
    """Return the installed rules of a game and their texts."""
    path = ruleset_path(game)
    sources = read_sources(path)
    texts = [(short_name(source.file), source.text) for source in sources]
    return loading.load(sources, trusted=is_trusted(path)), texts


def _stored_rules(header: TableHeader, texts: RulesetTexts) -> Ruleset:
    return read_stored_rules(header.rules_hash, texts, f"{header.table}: ")
