"""What can be set, by flags and by the environment, with defaults that work."""

from __future__ import annotations

from handful.records import record

KILO = 1024


@record()
class Settings:
    """How the server runs; `HANDFUL_HOST` and so on say the same as the flags."""

    host: str = "127.0.0.1"
    port: int = 8000
    data: str = "handful.db"
    public: str = ""  # the address that people type, such as https://dice.example
    log_level: str = "info"
    proxies: str = "127.0.0.1,::1"  # with `public`: who may say from where a request comes

    @property
    def secure(self) -> bool:
        return self.public.startswith("https://")


@record()
class ServerLimits:
    """What one seat, connection or visitor may ask of the server."""

    message_bytes: int = 64 * KILO  # bytes of a request or a WebSocket message
    sheet_bytes: int = 256 * KILO  # of one that brings a sheet
    burst: int = 60  # commands of a seat, or messages of a connection, at once
    rate: float = 15.0  # of them a second after that
    sockets: int = 12  # connections of one seat
    queued_messages: int = 200  # messages that a slow connection may be behind
    queued_bytes: int = 4 * KILO * KILO  # of them together
    open_rolls: int = 100  # of one seat, not finalised
    open_requests: int = 100  # of one seat, not answered; calls count, too
    characters: int = 60  # of one seat
    seats: int = 60  # at one table, by open invitations
    odds_budget: int = 2_000_000  # work for one question about odds
    queued_odds: int = 8  # such questions of one seat that wait for their turn
    odds_seconds: float = 60.0  # of a machine that is too slow for the budget
    query_burst: int = 120  # questions of a seat or visitor at once
    query_rate: float = 30.0  # of them a second after that
    explorer_burst: int = 240  # questions of a visitor about odds without a table, at once
    explorer_rate: float = 60.0  # of them a second after that
    cells: int = 20_000  # of one table of odds
    draft_bytes: int = 128 * KILO  # bytes of a ruleset that somebody wrote, and of its cases
    draft_burst: int = 60  # questions of a visitor about such a text, at once
    draft_rate: float = 5.0  # of them a second after that
    draft_seconds: float = 30.0  # of a machine that is too slow for the budget
    publish_per_hour: int = 60  # rulesets that a visitor puts on the shelf in an hour
    published: int = 5_000  # of them altogether
    tables_per_hour: int = 30  # new tables of one visitor in an hour
    guesses_per_minute: int = 30  # tokens of one visitor that lead nowhere, in a minute
    connections: int = 2_000  # open at once, of all visitors
    visitor_connections: int = 200  # of one visitor; and an eighth of those that are free
    sockets_open: int = 1_500  # of all visitors: the other connections are for pages
    visitor_sockets: int = 150  # of one visitor; and an eighth of those that are free
    head_seconds: float = 10.0  # for the head of a request
    body_seconds: float = 30.0  # for its body, and for taking a part of the answer
    keep_alive_seconds: float = 5.0  # until the next request
    replayed_lines: int = 2_000  # lines that a reconnecting client is told; beyond that it begins anew
    room_idle_seconds: float = 600.0  # seconds until a room is closed to which nobody listens
    watch_seconds: float = 1.0  # seconds between looks at what other processes wrote
