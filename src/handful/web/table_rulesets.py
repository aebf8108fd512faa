"""The rulesets that tables are played by: shipped games, and published rulesets of this server.

The texts of a table's rules are stored with it, so that it can be opened when its game has changed.
Invariant: a published ruleset has no mistakes, and is never changed.
"""

from __future__ import annotations

from typing import Any

from handful.errors import Message
from handful.library.tables import DRAFT_PREFIX, rules_for
from handful.records import record
from handful.rules.program import Record
from handful.rules.ruleset import Ruleset
from handful.store import DraftRuleset, RulesetTexts, SQLStore, StoreFault, TableHeader
from handful.web import games
from handful.web.database import Database
from handful.web.faults import Fault
from handful.web.ratelimit import RateLimits
from handful.web.settings import ServerLimits
from handful.web.worker_processes import IsDisconnected, WorkerProcesses


@record()
class NewTableRules:
    """The rules of a new table: the game's name in the store, the rules and their texts."""

    game: str
    rules: Ruleset
    texts: RulesetTexts


class TableRulesets:
    """Publishes rulesets, and finds those of new and existing tables."""

    def __init__(
        self, database: Database, processes: WorkerProcesses, rates: RateLimits, limits: ServerLimits
    ) -> None:
        self.database, self.processes, self.rates, self.limits = database, processes, rates, limits

    async def publish(
        self, visitor: str, text: str, cases: str, is_disconnected: IsDisconnected
    ) -> DraftRuleset:
        """Publish a draft ruleset; refused if it has mistakes."""
        self.rates.limit_publishing(visitor)
        hash, texts = await self.processes.read_draft(visitor, text, is_disconnected)
        draft = DraftRuleset(hash, text, cases)

        def write(store: SQLStore) -> None:
            is_new = store.published_ruleset(draft.hash) is None
            if is_new and store.count_published() >= self.limits.published:
                raise Fault(429, "too_many", Message("server.shelf_full"), Message("server.keep_as_file"))
            with store.transaction():
                store.save_rules(draft.rules_hash, texts)
                store.publish_ruleset(draft)

        await self.database.write(write)
        return draft

    async def published(self, hash: str) -> DraftRuleset:
        """Return a published ruleset by its hash."""
        found = await self.database.read(lambda store: store.published_ruleset(hash))
        if found is None:
            raise Fault(404, "not_found", Message("server.no_such_draft"), Message("server.link_is_cut"))
        return found

    async def rules_for(self, game: str, draft: str) -> tuple[str, RulesetTexts]:
        """Return hash and texts of other rules for an existing table, and store them."""
        if draft:
            hash = (await self.published(draft)).rules_hash
            return hash, await self.database.read(lambda store: store.rules(hash))
        require_game(game)
        rules, texts = await self.database.run(lambda _: games.installed_rules(game))
        await self.database.write(lambda store: store.save_rules(rules.hash, texts))
        return rules.hash, texts

    async def of_new_table(
        self, game: str, draft: str, visitor: str, is_disconnected: IsDisconnected
    ) -> NewTableRules:
        """Return the rules of a new table; those of a draft are read in the sandbox, and only named here."""
        if not draft:
            require_game(game)
            return NewTableRules(game, *await self.database.read(lambda _: games.installed_rules(game)))
        hash = (await self.published(draft)).rules_hash
        texts = await self.database.read(lambda store: store.rules(hash))
        question = {"do": "identify", "texts": texts}
        found = await self.processes.ask_sandbox(visitor, question, is_disconnected)
        if found["hash"] != hash:
            raise StoreFault(Message("store.rules_changed", where=""), Message("store.file_changed"))
        return NewTableRules(f"{DRAFT_PREFIX}{found['id']}", _named_rules(found["id"], hash), texts)

    async def texts(self, header: TableHeader, rules: str) -> RulesetTexts:
        """Return the texts of rules of a table, for a worker to load."""
        stored = await self.database.read(lambda store: store.rules(rules))
        return stored or (await self.database.read(lambda _: games.installed_rules(header.game)))[1]


def require_game(game: str) -> None:
    """Refuse a name that is not a shipped game."""
    if game not in games.game_names():
        raise Fault(
            422,
            "refused",
            Message("server.unknown_game", game=game[:40]),
            Message("server.games", game_names=games.game_names()),
        )


def _named_rules(id: str, hash: str) -> Ruleset:
    """Return a ruleset that has nothing but its name: enough to open a table and to seat people."""
    nothing: dict[str, Any] = {}
    return Ruleset(
        id=id,
        content=nothing,
        title=nothing,
        about=nothing,
        options=nothing,
        defaults=Record(),
        ladder=nothing,
        decisions=nothing,
        events=nothing,
        words=nothing,
        rules=nothing,
        checks=nothing,
        compute_hash=lambda: hash,
        load_sheet=lambda: None,
    )


def is_foreign(header: TableHeader) -> bool:
    """Return whether a table began with rules that are not those of a shipped game, of any version."""
    return header.game not in games.game_names()


def rules_of_table(store: SQLStore, header: TableHeader) -> Ruleset:
    """Return the rules of an existing table; those of a shipped game are shared by its tables."""
    if header.game in games.game_names():
        rules = games.installed_rules(header.game)[0]
        if rules.hash == header.rules_hash:
            return rules
    return rules_for(store, header)
