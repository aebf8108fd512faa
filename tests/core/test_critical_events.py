"""Critical events: those that a game names, by default those with `critical` in their name."""

from __future__ import annotations

import pytest
from toy_rulesets import toml

from handful.errors import HandfulError
from handful.library import ruleset, shipped
from handful.rules.load import Source, load

GAME = toml('event("boom")\nevent("critical_hit")\nresult(total = 1)').replace("language = 1", "language = 2")
EVENTS = "[events.critical_hit]\nen = 'A hit'\n"


def critical(named: str = "") -> tuple[str, ...]:
    text = GAME.replace("[events.boom]", f"{EVENTS}[events.boom]").replace(
        'id = "toy"', f'id = "toy"\n{named}'
    )
    return load([Source("toy.toml", text)]).critical


@pytest.mark.parametrize(
    ("named", "found"),
    [("", ("critical_hit",)), ('critical = ["boom"]', ("boom",)), ("critical = []", ())],
)
def test_a_game_may_name_its_critical_events(named: str, found: tuple[str, ...]) -> None:
    assert critical(named) == found


def test_an_unknown_event_is_refused() -> None:
    with pytest.raises(HandfulError, match="bom"):
        critical('critical = ["bom"]')


def test_only_one_of_the_games_knows_critical_results() -> None:
    found = {name: ruleset(name).rules.critical for name in shipped()}
    assert {name: one for name, one in found.items() if one} == {
        "me-d6": ("critical_success", "critical_failure")
    }
