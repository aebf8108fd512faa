"""Answers the queries of the odds explorer; runs in a worker process.

A question holds the words of a `Query`; the answer has the fields that the page shows, and the
command line that gives the same result.  Invariant: no file is read here, rules come as texts.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from typing import Any

from handful.explore.claims import judge
from handful.explore.query import Query
from handful.library.claims import claims_in
from handful.rules import load as loading
from handful.rules.ruleset import Ruleset
from handful.solver.solver import SolvedRules

Question = Mapping[str, Any]
Progress = Callable[[int, int], None]
MOST_MOVED = 100  # odds that a comparison lists, largest change first


def answer(question: Question, solved: SolvedRules, progress: Progress) -> Any:
    """Return the answer to one question of the page."""
    rules = solved.ruleset
    if question["explore"] == "claims":
        return _claims(question, solved, progress)
    query, budget = Query.parse(question["query"]), question["budget"]
    match question["explore"]:
        case "odds":
            return query.odds(rules, budget=budget, solved=solved).to_dict()
        case "survey":
            return query.survey(rules, budget=budget, solved=solved).to_dict()
        case "worth":
            worth = query.weigh(rules, budget=budget, solved=solved)
            return {"worth": None if worth is None else worth.to_dict()}
        case "table":
            return _table(query, solved, progress, question["cells"])
        case "solve":
            found = query.solve(rules, progress=progress, solved=solved).to_dict()
            return found | {"command": query.command()}
        case "diff":
            return _diff(query, rules, progress, question["texts_after"])
    raise KeyError(question["explore"])


def _table(query: Query, solved: SolvedRules, progress: Progress, most: int) -> Any:
    found = query.table(solved.ruleset, progress=progress, most=most, solved=solved)
    return found.to_dict() | {
        "assumed": dict(found.assumed),
        "csv": found.to_csv(),
        "markdown": found.to_markdown(),
        "command": query.command(),
    }


def _diff(query: Query, rules: Ruleset, progress: Progress, texts: Any) -> Any:
    """Compare the rules with those of other texts, or with themselves under other house rules."""
    after = loading.load([loading.Source(*one) for one in texts]) if texts else rules
    found = query.compare(lambda name: rules if name == rules.id else after, progress=progress)
    data = found.to_dict()
    moved = data["moved"][:MOST_MOVED]
    return data | {"words": list(found.descriptions), "moved": moved, "command": query.command()}


def _claims(question: Question, solved: SolvedRules, progress: Progress) -> Any:
    claims = claims_in(question["text"], question["where"])
    verdicts = []
    for at, claim in enumerate(claims):
        progress(at, len(claims))
        verdicts.append(judge(solved.ruleset, claim, solved=solved))
    return {
        "claims": [
            one.to_dict()
            | {
                "parameters": dict(one.claim.params),
                "sides": list(one.claim.sides),
                "options": dict(one.claim.options),
                "policy": one.claim.policy,
                "against": one.claim.against and dict(one.claim.against),
            }
            for one in verdicts
        ],
        "false": sum(not one.true for one in verdicts),
        "command": shlex.join(["handful", "claims", question["where"].partition("/")[0]]),
    }
