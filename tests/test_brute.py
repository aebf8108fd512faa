"""The brute-force oracle against hand-computed odds, the worked examples and the product."""

from __future__ import annotations

import ast
import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from oracles import brute

TOP = Path(__file__).parents[1]
CUT = Fraction(1, 10**5)
MOST = 3000  # ways of one case: enough for most of them, and each case takes less than a second
Case = dict[str, Any]


def read_game(folder: Path) -> dict[str, Any]:
    """Read a ruleset over the one that it extends."""
    game = tomllib.loads((folder / "ruleset.toml").read_text(encoding="utf-8"))
    if "extends" not in game:
        return game
    base = read_game(TOP / "rulesets" / game["extends"])
    return brute.merged(base, game, game.get("replace", ()))


GAMES = {
    path.parent.name: read_game(path.parent)
    for path in sorted(TOP.glob("rulesets/**/ruleset.toml"))
}
COOKBOOK = read_game(TOP / "docs" / "cookbook")


def cases() -> list[Any]:
    """List the cases with odds under a policy that gives outcomes."""
    return [
        pytest.param(path.parent.name, case, id=f"{path.parent.name}: {case['name']}")
        for path in sorted(TOP.glob("rulesets/**/cases.toml"))
        for case in tomllib.loads(path.read_text(encoding="utf-8"))["case"]
        if "odds" in case and case.get("policy") != "best"
    ]


# -- independence


def test_the_oracle_imports_nothing_of_the_product() -> None:
    files = list((TOP / "tests" / "oracles" / "brute").glob("*.py"))
    assert len(files) >= 4
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.level == 0:
                names.append(node.module or "")
            assert not [name for name in names if name.partition(".")[0] == "handful"], file


# -- the worked examples


@pytest.mark.parametrize(("game", "case"), cases())
def test_worked_examples(game: str, case: Case) -> None:
    """Each stated chance lies between what was counted and that plus what was not followed."""
    try:
        answer = brute.enumerate_check(
            GAMES[game],
            case["check"],
            case.get("params", {}),
            sides=case.get("sides", ()),
            options=case.get("options", {}),
            policy=case.get("policy", "usual"),
            cut=CUT,
            most=MOST,
        )
    except brute.TooManyWays:
        pytest.skip("more ways than a test waits for")
    main = GAMES[game]["checks"][case["check"]]["main"]
    stated = figures(case["odds"])
    found = counted(answer, main, stated)
    for name, chance in stated.items():
        if name == "mean" and answer.cut:
            continue
        assert found[name] <= chance <= found[name] + answer.cut, name


def figures(odds: Case) -> dict[str, Fraction]:
    """Return every number that the odds of a case state, by name."""
    flat: dict[str, Any] = {}
    for name, value in odds.items():
        if isinstance(value, dict):
            flat |= {f"{name} {key}": chance for key, chance in value.items()}
        elif isinstance(value, list):
            flat |= {f"{name} {place}": chance for place, chance in enumerate(value)}
        else:
            flat[name] = value
    return {name: Fraction(value) for name, value in flat.items() if value != "none"}


def counted(answer: brute.Answer, main: str, names: Any) -> dict[str, Fraction]:
    """Return what the oracle counts for each of these numbers."""
    found = {}
    for name in names:
        what, _, which = name.partition(" ")
        found[name] = {
            "success": lambda which: share(answer, "success", which),
            "wins": lambda which: share(answer, "wins", which),
            "tie": lambda _: tie(answer),
            "mean": lambda _: answer.mean(main),
            "events": lambda event: answer.events().get(event, Fraction(0)),
            "distribution": lambda value: answer.spread(main).get(Fraction(value), Fraction(0)),
        }[what](which)
    return found


def share(answer: brute.Answer, field: str, which: str) -> Fraction:
    """Return the chance that a field is true, or that one entry of it is."""
    chances = answer.spread(field).items()
    return sum((p for value, p in chances if (value[int(which)] if which else value)), Fraction(0))


def tie(answer: brute.Answer) -> Fraction:
    """Return the chance that none of several sides wins."""
    chances = answer.spread("wins").items()
    return sum((p for wins, p in chances if len(wins) > 1 and not any(wins)), Fraction(0))
