"""Worker process that computes odds: questions and answers are lines of JSON on stdin and stdout.

Started as `python -m handful.web.worker_main` by `workers.py`; `sandbox.py` uses the same loop.
Rules may come from strangers, with arbitrarily large sums.  Invariant: the process has limited
memory and writes no files, so that a question that is too big fails alone.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Any, TypeVar

from handful import odds as exact
from handful import table as tables
from handful.errors import HandfulError, TooBig
from handful.roll import resume, start
from handful.rules import load as loading
from handful.solver.solver import SolvedRules
from handful.store import RulesetTexts
from handful.table.codec import read_record
from handful.table.events.values import AskedCheck
from handful.table.position import bind_check
from handful.web import odds_queries
from handful.web.message_json import dump_line

Question = dict[str, Any]
Progress = Callable[[int, int], None]  # done, total
Result = TypeVar("Result")
MEMORY_LIMIT = 1 << 31  # bytes
NICENESS = 5  # the server and its tables come first
MOST_CACHED = 24  # rulesets in the cache of a process
MAX_LINE_BYTES = 64 * 1024 * 1024
PROGRESS_INTERVAL = 0.1  # seconds between two progress lines

_RULES: dict[str, SolvedRules | HandfulError] = {}


def limit_resources() -> None:
    """Limit the memory of this process, forbid writing files, and let the server go first, where possible."""
    with suppress(OSError, AttributeError):
        os.nice(NICENESS)
    try:
        import resource
    except ImportError:  # not on every system
        return
    for value, most in ((resource.RLIMIT_AS, MEMORY_LIMIT), (resource.RLIMIT_FSIZE, 0)):
        with suppress(ValueError, OSError):  # a lower limit is already set
            resource.setrlimit(value, (most, most))


def serve_stdin(answer: Callable[[Question], Any]) -> None:
    """Answer questions from stdin until it is closed."""
    limit_resources()
    while line := sys.stdin.buffer.readline(MAX_LINE_BYTES):
        reply: dict[str, Any]
        try:
            reply = {"answer": answer(json.loads(line))}
        except TooBig as error:
            reply = {"too_big": [error.problem, error.advice]}
        except HandfulError as error:
            reply = {"refused": [error.problem, error.advice]}
        except Exception as error:  # not its message, which may hold secrets
            reply = {"broken": type(error).__name__}
        _write_line(reply)


def _write_line(reply: dict[str, Any]) -> None:
    sys.stdout.buffer.write(dump_line(reply))
    sys.stdout.buffer.flush()


def cache_recent(cached: dict[str, Result], name: str, value: Result) -> None:
    """Put an entry into an LRU cache; both ends of the pipe evict the same entries."""
    cached.pop(name, None)
    cached[name] = value
    while len(cached) > MOST_CACHED:
        del cached[next(iter(cached))]


def answer(question: Question) -> Any:
    """Answer a question; it contains the texts of its rules if they are not in the cache."""
    name = question["rules"]
    cache_recent(_RULES, name, _RULES[name] if name in _RULES else _load(question["texts"]))
    solved = _RULES[name]
    if isinstance(solved, HandfulError):
        raise solved.with_traceback(None)  # else the traceback grows with every question
    return _compute(question, solved)


def _load(texts: RulesetTexts) -> SolvedRules | HandfulError:
    """Load rules; return the error if they are invalid, so that it is cached too."""
    try:
        return SolvedRules(loading.load([loading.Source(*one) for one in texts], trusted=True))
    except HandfulError as error:
        return error


def _compute(question: Question, solved: SolvedRules) -> Any:
    rules = solved.ruleset
    if "warm" in question:
        return None
    if "luck" in question:
        others = {hash: _load(texts) for hash, texts in question["rulesets"].items()}
        rulesets = {hash: one.ruleset for hash, one in others.items() if isinstance(one, SolvedRules)}
        return tables.luck_of_rolls(question["luck"], {rules.hash: rules, **rulesets})
    if "explore" in question:
        return odds_queries.answer(question, solved, _progress_writer())
    bound = bind_check(rules, read_record(AskedCheck, question["asked"]))
    node = None
    for reply in question.get("replies", []):
        reply = tuple(reply) if isinstance(reply, list) else reply
        node = resume(bound, node or start(bound, most_work=None), reply, most_work=None)
    own = solved if bound.ruleset is rules else None  # free dice have a ruleset of their own
    found = exact.odds(bound, node, policy=question["policy"], budget=question["budget"], solved=own)
    return found.to_dict()


def _progress_writer() -> Progress:
    """Return a callback that writes a progress line at most every PROGRESS_INTERVAL."""
    last = monotonic()

    def progress(done: int, of: int) -> None:
        nonlocal last
        if monotonic() - last > PROGRESS_INTERVAL:
            last = monotonic()
            _write_line({"progress": [done, of]})

    return progress


if __name__ == "__main__":
    with suppress(KeyboardInterrupt, BrokenPipeError):
        serve_stdin(answer)
        os._exit(0)
