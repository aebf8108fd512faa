"""Toy rulesets built from rule texts: one check `c` and the rules that it calls.

A toy declares only what its texts use, because an unused declaration is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from handful.roll import BoundCheck, bind
from handful.rules.load import Source, load

Rules = Mapping[str, tuple[Sequence[str], str]]  # name -> parameters and text

HEAD = """language = 1
id = "toy"
title = { en = "Toy" }
about = { en = "A game for tests" }
"""
NUMBER = "type = 'number'\nmin = 0\nmax = 99\nlabel = { en = 'A number' }\n"
DECLARED = {
    '"pick"': "[decisions.pick]\nby = 'player'\nquestion = { en = '?' }\nusual = { en = '-' }\n",
    '"ruling"': "[decisions.ruling]\nby = 'gm'\nquestion = { en = '?' }\nusual = { en = '-' }\n"
    "answers.yes = { en = 'Yes' }\nanswers.no = { en = 'No' }\n",
    '"boom"': "[events.boom]\nen = 'Boom'\n",
    '"bang"': "[events.bang]\nen = 'Bang'\n",
}


def toml(text: str, rules: Rules | None = None, numbers: Sequence[str] = ()) -> str:
    """Return the TOML of a toy ruleset; `numbers` are parameters of its check."""
    rules = rules or {}
    texts = "\n".join([text, *(body for _, body in rules.values())])
    parts = [HEAD, *(part for word, part in DECLARED.items() if word in texts)]
    for name, (params, body) in rules.items():
        parts.append(f'[rules.{name}]\nparams = {list(params)}\ndoes = """\n{body}\n"""\n')
    check = '[checks.c]\ntitle = { en = "C" }\nhelp = { en = "C" }\nmain = "total"\n'
    own = [f"[checks.c.params.{name}]\n{NUMBER}" for name in numbers]
    return "".join([*parts, check, f'does = """\n{text}\n"""\n', *own])


def toy(text: str, rules: Rules | None = None, **numbers: int) -> BoundCheck:
    """Return the bound check of a toy ruleset."""
    loaded = load([Source("toy.toml", toml(text, rules, [*numbers]))])
    return bind(loaded, "c", params=numbers)
