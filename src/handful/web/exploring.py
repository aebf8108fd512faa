"""What the explorer page asks, answered: in a process for odds, from exact figures.

Everything is worked out by `handful.explore`; here questions are read and answers are put into the
fields that the page shows, each with the command line that gives the same.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from handful.explore import solve, sweep
from handful.explore.claims import Verdict, judge
from handful.explore.differences import Version, difference
from handful.explore.survey import survey
from handful.explore.sweep import Sweep, as_fraction
from handful.explore.worth import worth
from handful.library.claims import claims_in
from handful.roll import bind
from handful.roll.asked import typed
from handful.rules import load as loading
from handful.rules.ruleset import Ruleset

Question = Mapping[str, Any]
Tell = Callable[[int, int], None]
MOST_MOVED = 100  # odds that a comparison lists; the largest come first


def answered(question: Question, rules: Ruleset, tell: Tell) -> Any:
    """The answer to one question of the page."""
    return ANSWERS[question["explore"]](question, rules, tell)


def _survey(question: Question, rules: Ruleset, tell: Tell) -> Any:
    asked = question["asked"]
    return survey(
        rules, asked["check"], asked["sides"], asked["parameters"], options=asked["options"],
        policy=question["policy"], budget=question["budget"],
    ).to_dict()  # fmt: skip


def _worth(question: Question, rules: Ruleset, tell: Tell) -> Any:
    asked = question["asked"]
    bound = bind(rules, asked["check"], asked["sides"], asked["parameters"], asked["options"])
    found = worth(bound, budget=question["budget"])
    return {"worth": None if found is None else found.to_dict()}


def _table(question: Question, rules: Ruleset, tell: Tell) -> Any:
    asked = question["asked"]
    found = sweep(
        rules, asked["check"], asked["sides"], asked["parameters"], options=asked["options"],
        shows=question["shows"], policy=question["policy"], progress=tell, most=question["cells"],
    )  # fmt: skip
    return found.to_dict() | {
        "assumed": dict(found.assumed), "csv": found.to_csv(), "markdown": found.to_markdown(),
        "command": _command("table", rules, asked, _shown(question, found)),
    }  # fmt: skip


def _shown(question: Question, found: Sweep) -> list[str]:
    more = ["--show", found.shows] if question["shows"] else []
    return [*more, *_policy(question)]


def _solve(question: Question, rules: Ruleset, tell: Tell) -> Any:
    asked, side = question["asked"], question["side"]
    found = solve(
        rules, asked["check"], question["find"], as_fraction(question["chance"]), asked["sides"],
        asked["parameters"], side=side, within=question["within"] or None,
        options=asked["options"], policy=question["policy"],
    )  # fmt: skip
    more = ["--for", question["find"], "--chance", question["chance"]]
    more += ["--side", str(side)] if side > 1 else []
    more += ["--within", question["within"]] if question["within"] else []
    return found.to_dict() | {
        "command": _command("solve", rules, asked, [*more, *_policy(question)])
    }


def _policy(question: Question) -> list[str]:
    return ["--policy", question["policy"]] if question["policy"] != "usual" else []


def _command(word: str, rules: Ruleset, asked: Question, more: Sequence[str]) -> str:
    """The command line that gives the same, from what was typed."""
    sides, apart = asked["sides"], rules.check(asked["check"]).sides
    parts = _words(asked["parameters"])
    for number, side in enumerate(sides):
        parts += [apart.word] if number and apart else []
        parts += _words(side)
    for option in _words(asked["options"]):
        parts += ["--option", option]
    return shlex.join(["handful", word, rules.id, asked["check"], *parts, *more])


def _words(values: Mapping[str, Any]) -> list[str]:
    return [f"{name}={typed(value)}" for name, value in values.items()]


def _diff(question: Question, rules: Ruleset, tell: Tell) -> Any:
    other = question["other"]
    after = rules
    if other["texts"]:
        after = loading.load([loading.Source(*one) for one in other["texts"]])
    before, now = _version(question, rules), _version(other, after)
    found = difference(before, now, progress=tell)
    told = found.to_dict()
    return told | {
        "moved": told["moved"][:MOST_MOVED],
        "command": shlex.join(["handful", "diff", before.name, now.name]),
    }  # fmt: skip


def _version(one: Question, rules: Ruleset) -> Version:
    options = one["options"]
    rules.settle(options)  # refused before anything is compared
    name = one["name"]
    return Version(f"{name}:{','.join(_words(options))}" if options else name, rules, options)


def _claims(question: Question, rules: Ruleset, tell: Tell) -> Any:
    claims = claims_in(question["text"], question["where"])
    verdicts: list[Verdict] = []
    for at, claim in enumerate(claims):
        tell(at, len(claims))
        verdicts.append(judge(rules, claim))
    return {
        "claims": [
            one.to_dict() | {
                "parameters": dict(one.claim.params), "sides": list(one.claim.sides),
                "options": dict(one.claim.options), "policy": one.claim.policy,
                "against": one.claim.against and dict(one.claim.against),
            }
            for one in verdicts
        ],
        "false": sum(not one.true for one in verdicts),
        "command": shlex.join(["handful", "claims", question["where"].partition("/")[0]]),
    }  # fmt: skip


ANSWERS: dict[str, Callable[[Question, Ruleset, Tell], Any]] = {
    "survey": _survey, "worth": _worth, "table": _table, "solve": _solve, "diff": _diff,
    "claims": _claims,
}  # fmt: skip
