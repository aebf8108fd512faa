"""Counts and times of a server, in the text format of Prometheus (`GET /metrics`).

Labels are taken from fixed lists: kinds of commands, codes of errors, patterns of addresses.
Invariant: no label has a name, a token, a table or anything else that somebody typed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from handful.errors import HandfulError
from handful.table.commands import command_kinds
from handful.web.faults import Fault, fault_of
from handful.web.middleware import LOG

SLOW_SECONDS = 1.0  # a command that takes longer is logged
BUCKETS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Metrics:
    """The metrics of one server."""

    def __init__(self) -> None:
        self.registry = own = CollectorRegistry()
        self.commands = Counter(
            "handful_commands", "Commands by kind and outcome.", ["kind", "outcome"], registry=own
        )
        self.command_seconds = Histogram(
            "handful_command_seconds",
            "Time of a command, from its arrival until all seats were told.",
            registry=own,
            buckets=BUCKETS,
        )
        self.odds_seconds = Histogram(
            "handful_odds_seconds", "Time of a question about odds.", registry=own, buckets=BUCKETS
        )
        self.odds_refused = Counter(
            "handful_odds_refused", "Questions about odds without an answer.", ["code"], registry=own
        )
        self.store_seconds = Histogram(
            "handful_store_seconds",
            "Time to decide and commit a batch of commands.",
            registry=own,
            buckets=BUCKETS,
        )
        self.requests = Counter(
            "handful_requests", "HTTP requests by address and status.", ["route", "status"], registry=own
        )
        self.workers_ended = Counter(
            "handful_table_workers_ended", "Processes of tables that were stopped or died.", registry=own
        )

    def gauge(self, name: str, about: str, value: Callable[[], float]) -> None:
        """Add a figure that is looked up whenever the metrics are read."""
        Gauge(name, about, registry=self.registry).set_function(value)

    def count_request(self, route: str, status: int) -> None:
        """Count a request; `route` is the pattern of its address."""
        self.requests.labels(route, str(status)).inc()

    def text(self) -> bytes:
        return generate_latest(self.registry)

    @contextmanager
    def command(self, kind: str) -> Iterator[None]:
        """Count and time a command; log it if it is slow, without what it says."""
        kind = kind if kind in command_kinds() else "unknown"
        begun, outcome = perf_counter(), "done"
        try:
            yield
        except BaseException as error:
            outcome = outcome_of(error)
            raise
        finally:
            seconds = perf_counter() - begun
            self.commands.labels(kind, outcome).inc()
            self.command_seconds.observe(seconds)
            if seconds > SLOW_SECONDS:
                LOG.warning("slow command %s: %s after %d ms", kind, outcome, 1000 * seconds)

    @contextmanager
    def odds(self) -> Iterator[None]:
        """Time a question about odds."""
        begun = perf_counter()
        try:
            yield
        except BaseException as error:
            self.odds_refused.labels(outcome_of(error)).inc()
            raise
        finally:
            self.odds_seconds.observe(perf_counter() - begun)


def outcome_of(error: BaseException) -> str:
    """Return the code of an error, as its response has it."""
    if isinstance(error, Fault):
        return error.code
    return fault_of(error).code if isinstance(error, HandfulError) else "broken"
