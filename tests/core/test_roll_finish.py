"""`Roll.finish` and `Roll.endings` equal throwing and answering step by step."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random, SystemRandom
from typing import Any

import pytest
from ruleset_cases import GAMES, all_cases, start_case
from sample_checks import IDS, SAMPLES
from toy_rulesets import toml, toy

import handful
from handful.errors import HandfulError
from handful.library.chance import faces_from
from handful.roll import Throw, bind
from handful.rules.load import Source, load

POLICIES = ("usual", "never")


def one_by_one(roll: handful.Roll, rng: Random, policy: str = "usual") -> handful.Roll:
    while roll.ask is not None:
        roll = roll.throw(rng) if isinstance(roll.ask, Throw) else roll.usual(policy)
    return roll


def everything(roll: handful.Roll) -> tuple[Any, ...]:
    """Return all that can be read from a roll, for comparison."""
    return roll, roll.policies, roll.node, roll.to_dict(), roll.to_json()


def pauses(roll: handful.Roll, rng: Random) -> Iterator[handful.Roll]:
    """Yield a roll at each of its questions, and at its end."""
    yield roll
    while roll.ask is not None:
        if isinstance(ask := roll.ask, Throw):
            roll = roll.reply(tuple(rng.randrange(ask.sides) + 1 for _ in range(ask.count)))
        else:
            roll = roll.usual()
        yield roll


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("game", GAMES)
def test_all_cases_finish_with_the_same_rolls(game: str, policy: str) -> None:
    for seed, case in enumerate(all_cases()):
        if case.game != game or case.refused:
            continue
        start, one, other = start_case(case), Random(seed), Random(seed)
        for end in start.endings(one, 2, policy):
            assert everything(end) == everything(one_by_one(start, other, policy)), case.id
        assert one.getstate() == other.getstate()


@pytest.mark.parametrize("place", range(len(SAMPLES)), ids=IDS)
def test_from_every_pause_on(place: int) -> None:
    for seed in range(3):
        for roll in pauses(SAMPLES[place].start(), Random(seed)):
            one, other = Random(seed), Random(seed)
            for end in roll.endings(one, 2):
                assert everything(end) == everything(one_by_one(roll, other))
            assert roll.finish(Random(seed)) == one_by_one(roll, Random(seed))


def test_an_option_that_a_throw_or_the_result_reads_is_named() -> None:
    option = "[options.n]\nmin = 1\nmax = 3\ndefault = 2\nlabel = { en = 'N' }\n"
    for text in (
        "p = roll(options.n, d6)\nresult(total = sum(p))",
        "p = roll(2, d6)\nresult(total = sum(p) + options.n)",
        'p = roll(2, d6)\nr = choose("pick", p, options.n)\nresult(total = sum(r))',
    ):
        check = bind(load([Source("toy.toml", toml(text) + option)]), "c")
        end = handful.Roll.begin(check).finish(Random(1))
        assert end.node.trace.options == frozenset("n")


# -- errors


def test_mistakes_are_reported_with_their_place() -> None:
    check = toy("x = sum(roll(1, d2))\ny = 6 / (x - 1)\nresult(total = y)")
    with pytest.raises(HandfulError, match="division by zero"):
        list(handful.Roll.begin(check).endings(Random(2), 50))


def test_loops_without_end_are_stopped() -> None:
    check = toy("x = 0\nwhile x < 1:\n    x = sum(roll(1, d6)) - 10\nresult(total = x)")
    with pytest.raises(handful.TooBig, match="repetitions"):
        handful.Roll.begin(check).finish(Random(1))


def test_an_unknown_policy_is_refused() -> None:
    start = SAMPLES[0].start()
    with pytest.raises(handful.Refused, match="best"):
        start.endings(Random(1), 3, "best")
    with pytest.raises(handful.BadReply, match="randomness"):
        start.endings(3, 3)  # type: ignore[arg-type]


def test_a_finished_roll_stays_unchanged() -> None:
    end = SAMPLES[0].start().finish(Random(1))
    assert [everything(again) for again in end.endings(Random(2), 5)] == [everything(end)] * 5


# -- faces


class Counting(Random):
    """A subclass with dice of its own: every face in turn."""

    at = 0

    def randrange(self, start: int, *_: Any, **__: Any) -> int:
        self.at += 1
        return self.at % start


class Loaded:
    """Dice that always show one face too many."""

    def randrange(self, stop: int, /) -> int:
        return stop


@pytest.mark.parametrize("sides", [2, 3, 4, 6, 7, 8, 10, 12, 20, 100, 1000])
def test_seeds_keep_their_faces(sides: int) -> None:
    one, other = Random(sides), Random(sides)
    assert faces_from(one)(200, sides) == tuple(other.randrange(sides) + 1 for _ in range(200))
    assert one.getstate() == other.getstate()


def test_other_dice_are_thrown_by_their_own_method() -> None:
    assert faces_from(Counting())(4, 3) == (2, 3, 1, 2)
    assert set(faces_from(SystemRandom())(500, 6)) == set(range(1, 7))
    with pytest.raises(handful.BadReply, match="shows 1 to 6, not 7"):
        SAMPLES[0].start().finish(Loaded())
