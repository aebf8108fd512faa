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
Tell = Callable[[int, int], None]  # how much of how much is done
Made = TypeVar("Made")
MEMORY = 1 << 31  # bytes
MOST_KNOWN = 24  # rulesets that a process remembers
LONGEST_LINE = 64 * 1024 * 1024
BREATH = 0.1  # seconds between two words of progress

_KNOWN: dict[str, Ruleset | HandfulError] = {}


def limit() -> None:
    """From here on: so much memory and no files, where the system can see to that."""
    try:
        import resource
    except ImportError:  # not on every system
        return
    for what, most in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_FSIZE, 0)):
        with suppress(ValueError, OSError):  # less is allowed already
            resource.setrlimit(what, (most, most))


def answer_all(answered: Callable[[Question], Any]) -> None:
    """Answer until nobody asks any more."""
    limit()
    while line := sys.stdin.buffer.readline(LONGEST_LINE):
        said: dict[str, Any]
        try:
            said = {"answer": answered(json.loads(line))}
        except TooBig as error:
            said = {"too_big": [error.message, error.hint]}
        except HandfulError as error:
            said = {"refused": [error.message, error.hint]}
        except Exception as error:  # its words may hold what nobody should read in a log
            said = {"broken": type(error).__name__}
        _say(said)


def _say(said: dict[str, Any]) -> None:
    sys.stdout.buffer.write(json.dumps(said).encode() + b"\n")
    sys.stdout.buffer.flush()


def remember(known: dict[str, Made], name: str, what: Made) -> None:
    """The one that was used longest ago makes room; both sides of a pipe agree on it."""
    known.pop(name, None)
    known[name] = what
    while len(known) > MOST_KNOWN:
        del known[next(iter(known))]


def answered(question: Question) -> Any:
    """The answer to a question about rules, which come along the first time."""
    name = question["rules"]
    remember(_KNOWN, name, _KNOWN[name] if name in _KNOWN else _loaded(question["texts"]))
    rules = _KNOWN[name]
    if isinstance(rules, HandfulError):
        raise rules.with_traceback(None)  # else it grows with every question
    return _worked_out(question, rules)


def _loaded(texts: RulesetTexts) -> Ruleset | HandfulError:
    """Rules, or what is wrong with them: that is remembered, too."""
    try:
        return loading.load([loading.Source(*one) for one in texts], proven=True)
    except HandfulError as error:
        return error


def _worked_out(question: Question, rules: Ruleset) -> Any:
    if "warm" in question:
        return None
    if "luck" in question:
        others = {hash: _loaded(texts) for hash, texts in question["shelf"].items()}
        shelf = {hash: one for hash, one in others.items() if isinstance(one, Ruleset)}
        return tables.luck_of_rolls(question["luck"], {rules.hash: rules, **shelf})
    if "explore" in question:
        return odds_queries.answered(question, rules, _progress())
    bound = bind_check(rules, question["asked"])
    node = None
    for reply in question.get("replies", []):
        said = tuple(reply) if isinstance(reply, list) else reply
        node = resume(bound, node or start(bound), said)
    found = exact.odds(bound, node, policy=question["policy"], budget=question["budget"])
    return found.to_dict()


def _progress() -> Tell:
    """Tells now and then how far the work is."""
    last = monotonic()

    def tell(done: int, of: int) -> None:
        nonlocal last
        if monotonic() - last > BREATH:
            last = monotonic()
            _say({"progress": [done, of]})

    return tell


if __name__ == "__main__":
    with suppress(KeyboardInterrupt, BrokenPipeError):
        answer_all(answered)
        os._exit(0)
