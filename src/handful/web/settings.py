"""Settings of the server (flags and environment variables) and its limits, with defaults.

Limits cannot be set from outside; tests and benchmarks pass their own.  The table of limits in
docs/web.md lists them for users.
"""

from __future__ import annotations

from handful.records import record

KILO = 1024


@record()
class Settings:
    """Command-line settings; each has an environment variable too, such as `HANDFUL_HOST`."""

    host: str = "127.0.0.1"
    port: int = 8000
    data: str = "handful.db"
    public: str = ""  # the public URL, such as https://dice.example
    log_level: str = "info"
    proxies: str = "127.0.0.1,::1"  # with `public`: addresses whose X-Forwarded-For is trusted
    workers: int = 1  # processes that serve
    lan: bool = False  # listen on all interfaces, for others on the same network
    log_format: str = "text"  # or json: one object per line

    @property
    def secure(self) -> bool:
        return self.public.startswith("https://")


@record()
class ServerLimits:
    """Limits for one seat, connection or visitor, and for the whole server."""

    message_bytes: int = 64 * KILO  # bytes of a request or a WebSocket message
    sheet_bytes: int = 256 * KILO  # bytes of one that brings a sheet
    picture_bytes: int = 4 * KILO * KILO  # bytes of an uploaded picture
    pictures: int = 300  # pictures of one table
    pictures_per_hour: int = 60  # that a seat uploads in an hour
    burst: int = 60  # commands of a seat, or messages of a connection, in a burst
    rate: float = 15.0  # of them per second afterwards
    talk_burst: int = 20  # messages, notes and texts of a seat in a burst
    talk_rate: float = 1.0  # of them per second afterwards
    sockets: int = 12  # connections of one seat
    queued_messages: int = 200  # messages that a slow connection may be behind
    queued_bytes: int = 4 * KILO * KILO  # bytes of these messages
    open_rolls: int = 100  # unfinished rolls of one seat
    open_requests: int = 100  # unanswered requests and calls of one seat
    characters: int = 60  # characters of one seat
    sheets_bytes: int = 200 * KILO  # bytes of the sheets of one seat: every view has those it knows
    seats: int = 60  # seats of a table that are taken by open invitations
    odds_budget: int = 2_000_000  # solver budget of one question about odds
    queued_odds: int = 8  # such questions of one seat in the queue
    odds_seconds: float = 60.0  # timeout, for machines too slow for the budget
    query_burst: int = 120  # requests of a seat or visitor in a burst
    query_rate: float = 30.0  # of them per second afterwards
    explorer_burst: int = 240  # odds queries of a visitor without a table, in a burst
    explorer_rate: float = 60.0  # of them per second afterwards
    cells: int = 20_000  # cells of one table of odds
    draft_bytes: int = 128 * KILO  # bytes of a draft ruleset, and of its cases
    draft_burst: int = 60  # questions of a visitor about drafts, in a burst
    draft_rate: float = 5.0  # of them per second afterwards
    draft_seconds: float = 30.0  # timeout, for machines too slow for the budget
    publish_per_hour: int = 60  # rulesets that a visitor publishes in an hour
    published: int = 5_000  # published rulesets of all visitors
    tables_per_hour: int = 30  # new tables of one visitor in an hour
    guesses_per_minute: int = 30  # invalid tokens of one visitor in a minute
    connections: int = 2_000  # open at once, of all visitors
    visitor_connections: int = 200  # of one visitor, and at most an eighth of the free ones
    sockets_open: int = 1_500  # sockets of all visitors: the other connections are for pages
    visitor_sockets: int = 150  # of one visitor, and at most an eighth of the free ones
    head_seconds: float = 10.0  # deadline for the head of a request
    body_seconds: float = 30.0  # deadline for its body, and for accepting a part of the response
    keep_alive_seconds: float = 5.0  # how long an idle HTTP connection stays open
    replayed_lines: int = 2_000  # log lines that a reconnecting client receives; beyond that it starts over
    replayed_bytes: int = KILO * KILO  # bytes of these lines, and of a part of the log
    room_idle_seconds: float = 600.0  # until a room without connections is closed
    queued_queries: int = 32  # questions about one table in the queue
    table_workers: int = 8  # processes for tables whose rules are not shipped; further tables share them
    table_seconds: float = 10.0  # processor time of one request to such a table
    watch_seconds: float = 1.0  # between checks for what other processes wrote
