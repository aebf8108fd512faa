"""A process that works out odds: questions come as lines of JSON, answers go back the same way.

`python -m handful.web.worker_main`; `reckoning.py` has the other end, and `brewing.py` uses the same
loop.  Rules may be a stranger's, and their sums as large as they like: a process has only so much
memory and writes no files, and what does not fit is too big for whoever asked, and for nobody else.
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
from handful.rules.ruleset import Ruleset
from handful.store import RulesetTexts
from handful.table.position import bind_check
from handful.web import odds_queries

Question = dict[str, Any]
Progress = Callable[[int, int], None]  # how much of how much is done
Result = TypeVar("Result")
MEMORY_LIMIT = 1 << 31  # bytes
MOST_CACHED = 24  # rulesets that a process remembers
MAX_LINE_BYTES = 64 * 1024 * 1024
PROGRESS_INTERVAL = 0.1  # seconds between two words of progress

_RULES: dict[str, Ruleset | HandfulError] = {}


def limit_resources() -> None:
    """From here on: so much memory and no files, where the system can see to that."""
    try:
        import resource
    except ImportError:  # not on every system
        return
    for value, most in ((resource.RLIMIT_AS, MEMORY_LIMIT), (resource.RLIMIT_FSIZE, 0)):
        with suppress(ValueError, OSError):  # less is allowed already
            resource.setrlimit(value, (most, most))


def serve_stdin(answer: Callable[[Question], Any]) -> None:
    """Answer until nobody asks any more."""
    limit_resources()
    while line := sys.stdin.buffer.readline(MAX_LINE_BYTES):
        reply: dict[str, Any]
        try:
            reply = {"answer": answer(json.loads(line))}
        except TooBig as error:
            reply = {"too_big": [error.message, error.hint]}
        except HandfulError as error:
            reply = {"refused": [error.message, error.hint]}
        except Exception as error:  # its words may hold what nobody should read in a log
            reply = {"broken": type(error).__name__}
        _write_line(reply)


def _write_line(reply: dict[str, Any]) -> None:
    sys.stdout.buffer.write(json.dumps(reply).encode() + b"\n")
    sys.stdout.buffer.flush()


def cache_recent(cached: dict[str, Result], name: str, value: Result) -> None:
    """The one that was used longest ago makes room; both sides of a pipe agree on it."""
    cached.pop(name, None)
    cached[name] = value
    while len(cached) > MOST_CACHED:
        del cached[next(iter(cached))]


def answer(question: Question) -> Any:
    """The answer to a question about rules, which come along the first time."""
    name = question["rules"]
    cache_recent(_RULES, name, _RULES[name] if name in _RULES else _load(question["texts"]))
    rules = _RULES[name]
    if isinstance(rules, HandfulError):
        raise rules.with_traceback(None)  # else it grows with every question
    return _compute(question, rules)


def _load(texts: RulesetTexts) -> Ruleset | HandfulError:
    """Rules, or what is wrong with them: that is remembered, too."""
    try:
        return loading.load([loading.Source(*one) for one in texts], proven=True)
    except HandfulError as error:
        return error


def _compute(question: Question, rules: Ruleset) -> Any:
    if "warm" in question:
        return None
    if "luck" in question:
        others = {hash: _load(texts) for hash, texts in question["shelf"].items()}
        rulesets = {hash: one for hash, one in others.items() if isinstance(one, Ruleset)}
        return tables.luck_of_rolls(question["luck"], {rules.hash: rules, **rulesets})
    if "explore" in question:
        return odds_queries.answer(question, rules, _progress_writer())
    bound = bind_check(rules, question["asked"])
    node = None
    for reply in question.get("replies", []):
        reply = tuple(reply) if isinstance(reply, list) else reply
        node = resume(bound, node or start(bound), reply)
    found = exact.odds(bound, node, policy=question["policy"], budget=question["budget"])
    return found.to_dict()


def _progress_writer() -> Progress:
    """Tells now and then how far the work is."""
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
