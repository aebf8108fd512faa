"""Toy games made of rule texts: one check `c`, and the rules that it calls.

A toy declares just what its texts name, because a ruleset that declares something in vain is
refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from handful.roll import Bound, bind
from handful.rules.load import Source, load

Rules = Mapping[str, tuple[Sequence[str], str]]  # name -> parameters and text

HEAD = """language = 1
id = "toy"
title = { en = "Toy" }
about = { en = "A game for tests" }
"""
DECLARED = {
    '"pick"': "[decisions.pick]\nby = 'player'\nquestion = { en = '?' }\nusual = { en = '-' }\n",
    '"ruling"': "[decisions.ruling]\nby = 'gm'\nquestion = { en = '?' }\nusual = { en = '-' }\n"
    "answers.yes = { en = 'Yes' }\nanswers.no = { en = 'No' }\n",
    '"boom"': "[events.boom]\nen = 'Boom'\n",
    '"bang"': "[events.bang]\nen = 'Bang'\n",
}


def toml(text: str, rules: Rules | None = None) -> str:
    """The file of a toy game."""
    rules = rules or {}
    texts = "\n".join([text, *(body for _, body in rules.values())])
    parts = [HEAD, *(part for word, part in DECLARED.items() if word in texts)]
    for name, (params, body) in rules.items():
        parts.append(f'[rules.{name}]\nparams = {list(params)}\ndoes = """\n{body}\n"""\n')
    check = '[checks.c]\ntitle = { en = "C" }\nhelp = { en = "C" }\nmain = "total"\n'
    return "".join([*parts, check, f'does = """\n{text}\n"""\n'])


def toy(text: str, rules: Rules | None = None) -> Bound:
    """The check of a toy game, ready to be rolled."""
    return bind(load([Source("toy.toml", toml(text, rules))]), "c")
