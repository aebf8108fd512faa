"""What each die adds to a result: it follows from the rules, for every game and family."""

from __future__ import annotations

from typing import Any

import pytest
from ruleset_cases import Case, all_cases, play_case, ruleset

import handful
from handful.roll import Reply, Throw, policy_reply, resume, start
from handful.roll.contributions import contributions


def marks(game: str, check: str, replies: list[Reply], **params: Any) -> list[str | None]:
    return contributions(ruleset(game).bind(check, **params), replies)


def test_a_pool_that_counts_has_hits_and_misses() -> None:
    assert marks("uwr", "direct", [(6, 5, 2, 1)], attribute=4, target=2) == ["hit", "hit", "none", "none"]
    assert marks("ten-again", "pool", [(9, 8, 3)], dice=3) == ["hit", "hit", "none"]


def test_before_a_decision_a_die_shows_what_it_reads() -> None:
    rolled = marks("uwr", "direct", [(6, 3)], attribute=2, rerolls=1, target=2)
    assert rolled == ["hit", "none"]


def test_of_a_rerolled_die_only_the_face_that_stands_counts() -> None:
    better = marks("uwr", "direct", [(6, 3), (2,), (5,)], attribute=2, rerolls=1, target=2)
    assert better == ["hit", "none", "hit"]
    worse = marks("uwr", "direct", [(6, 5), (2,), (1,)], attribute=2, rerolls=1, target=2)
    assert worse == ["hit", "hit", "none"]


def test_dice_that_bring_others_are_marked_one_by_one() -> None:
    assert marks("ten-again", "pool", [(10, 3), (10,), (4,)], dice=2) == ["hit", "none", "hit", "none"]


def test_dice_that_add_up_are_no_hits_and_those_left_out_count_for_nothing() -> None:
    assert marks("roll-and-keep", "roll", [(7, 2, 9)], dice=3, keep=2) == ["sum", "none", "sum"]
    tossed_on = marks("roll-and-keep", "roll", [(10, 2), (4,)], dice=2, keep=1)
    assert tossed_on == ["sum", "none", "sum"]


def test_a_die_that_a_ruling_takes_away_counts_for_nothing() -> None:
    cancelled = marks("me-d6", "check", [(1,), (6, 3)], dice="3D", difficulty=10, ruling="cancel")
    assert cancelled[1:] == ["none", "sum"]
    assert marks("me-d6", "check", [(4,), (6, 3)], dice="3D", difficulty=10) == ["sum"] * 3


PLAYED = [one for one in all_cases() if one.faces and not one.refused]


@pytest.mark.parametrize("case", PLAYED, ids=lambda case: case.id)
def test_every_worked_example_can_be_traced(case: Case) -> None:
    """At every pause each die has its mark."""
    for rolled in play_case(case):
        assert len(contributions(rolled.bound, rolled.replies)) == len(rolled.node.trace.dice)


@pytest.mark.parametrize("game", ["uwr", "agga", "fons"])
def test_hits_are_as_many_as_successes(game: str) -> None:
    bound = handful.ruleset(game).bind("direct", attribute=5, rerolls=2)
    for seed in range(40):
        node, replies = start(bound), []
        while node.ask is not None:
            if isinstance(node.ask, Throw):
                reply: Reply = tuple(1 + (seed * 7 + at * 5) % 6 for at in range(node.ask.count))
            else:
                reply = policy_reply(node, "usual")
            replies.append(reply)
            node = resume(bound, node, reply)
        assert node.outcome is not None
        assert contributions(bound, replies).count("hit") == node.outcome["successes"]
