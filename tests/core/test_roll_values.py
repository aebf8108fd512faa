"""A roll is a value, its bound check and its replies: saved, compared, refused."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from ruleset_cases import GAMES, Case, all_cases, play_case, ruleset, start_case
from sample_checks import IDS, SAMPLES, finish

import handful
from handful.roll import ChooseDice, Throw
from handful.rules.program import Call

PLAYED = [case for case in all_cases() if case.faces and not case.refused]
SAMPLED = pytest.mark.parametrize("place", range(len(SAMPLES)), ids=IDS)


def saved_and_read(roll: handful.Roll) -> handful.Roll:
    return ruleset(roll.bound.ruleset.id).replay(json.loads(roll.to_json()))


# -- the same again


@SAMPLED
def test_the_same_seed_gives_the_same_trace(place: int) -> None:
    start = SAMPLES[place].start()
    ends = [finish(SAMPLES[place].start(), Random(seed)) for seed in (7, 7, 8, 9, 10)]
    assert ends[0] == ends[1]
    assert ends[0].to_dict() == ends[1].to_dict()
    assert len(set(ends)) > 1
    assert start.replies == ()  # playing changes nothing about where it began


@pytest.mark.parametrize("game", GAMES)
def test_rolls_at_every_pause_survive_json(game: str) -> None:
    for case in PLAYED:
        if case.game == game:
            for roll in play_case(case):
                back = saved_and_read(roll)
                assert back == roll, case.id
                assert hash(back) == hash(roll)
                assert back.ask == roll.ask
                assert back.to_dict() == roll.to_dict()


def test_rolls_are_equal_when_check_and_replies_are() -> None:
    uwr = ruleset("uwr")
    one = uwr.start("direct", attribute=2, target=1)
    two = handful.ruleset("uwr").start("Direct", target="1", attribute="2")
    assert one == two
    assert one.throw(faces=[3, 5]) == two.reply((3, 5))
    assert len({one, two, one.throw(faces=[3, 5]), two.throw(faces=[3, 5])}) == 2
    different = [
        one.throw(faces=[5, 3]),
        uwr.start("direct", attribute=2, target=2).throw(faces=[3, 5]),
        ruleset("fons").start("direct", attribute=2, target=1).throw(faces=[3, 5]),
        uwr.start("direct", attribute=2, target=1, options={"min_pool": 0}).throw(faces=[3, 5]),
    ]
    assert all(one.throw(faces=[3, 5]) != other for other in different)


def test_a_roll_made_with_other_rules_is_not_replayed() -> None:
    saved = json.loads(ruleset("uwr").start("direct", attribute=2).to_json())
    with pytest.raises(handful.Refused, match="other rules"):
        ruleset("agga").replay(saved)


# -- replies that the rules do not allow


def wrong_replies(roll: handful.Roll) -> Iterator[Any]:
    match roll.ask:
        case Throw(count=count) as ask:
            yield from ((1,) * (count + 1), (1,) * (count - 1), (0,) * count, "cancel")
            yield from ((ask.sides + 1,) * count, (1.5,) * count, (True,) * count)
        case ChooseDice() as ask:
            numbers = ask.numbers
            yield from ((99,), (0,), (-1,), (numbers[0], numbers[0]), "cancel")
            if len(numbers) > ask.at_most:
                yield numbers[: ask.at_most + 1]
        case None:
            yield from ((1,), (), "none")
        case ask:
            yield from ("nothing of the kind", (1,), ())


@pytest.mark.parametrize("game", GAMES)
def test_a_refused_reply_changes_nothing(game: str) -> None:
    asked = set()
    for case in PLAYED:
        if case.game != game:
            continue
        for roll in play_case(case):
            asked.add(type(roll.ask))
            before = roll.to_dict(), roll.replies, hash(roll), roll.ask
            for reply in wrong_replies(roll):
                with pytest.raises(handful.BadReply):
                    roll.reply(reply)
            assert (roll.to_dict(), roll.replies, hash(roll), roll.ask) == before
    assert {Throw, type(None)} < asked


# -- dice keep their identity


def test_u6_picking_die_3_rerolls_die_3() -> None:
    start = ruleset("uwr").start("direct", attribute=4, rerolls=2, target=2)
    thrown = start.throw(faces=[1, 2, 1, 2])
    for first, second in [(3, 1), (1, 3), (4, 2), (2, 3)]:
        end = thrown.answer([first, second]).throw(faces=[6, 4])
        assert [(die.role, die.of) for die in end.dice[4:]] == [
            ("reroll", first),
            ("reroll", second),
        ]
        assert end.result == 1
    with pytest.raises(handful.BadReply):
        thrown.answer([5])


def test_u6_stacking_the_same_die_is_named_again_and_keeps_its_number() -> None:
    options = {"reroll_stack": "stacking"}
    roll = ruleset("uwr").start("direct", attribute=3, rerolls=3, target=3, options=options)
    roll = roll.throw(faces=[2, 5, 1]).answer("3").throw(faces=[4]).answer("3").throw(faces=[6])
    assert isinstance(roll.ask, ChooseDice)
    assert [landed.face for landed in sorted(roll.ask.pool)] == [2, 5, 6]
    end = roll.answer("1").throw(faces=[5])
    assert [die.of for die in end.dice] == [None, None, None, 3, 3, 1]
    assert (end.result, end.success) == (3, True)


def test_r3_extra_dice_belong_to_the_dice_that_brought_them() -> None:
    end = ruleset("tuurna").start("check", level=3).throw(faces=[5, 1, 6, 5, 2, 3])
    assert [(die.role, die.of) for die in end.dice[3:]] == [
        ("extra", 1),
        ("extra", 3),
        ("extra", 4),
    ]


def test_d4_later_tosses_of_the_wild_die_belong_to_die_1() -> None:
    end = ruleset("me-d6").start("total", dice="3D").throw(faces=[6, 2, 4, 6, 6, 1])
    assert [(die.role, die.of) for die in end.dice] == [
        ("wild", None),
        ("regular", None),
        ("regular", None),
        *[("extra", 1)] * 3,
    ]
    assert end.result == 25


def test_sides_number_their_own_dice_from_1() -> None:
    sides = [{"attribute": 2, "rerolls": 1}, {"attribute": 3, "rerolls": 1}]
    roll = ruleset("uwr").start("opposed", *sides).throw(faces=[1, 5]).answer("1")
    end = roll.throw(faces=[6, 2, 5, 1]).answer("3").throw(faces=[4])
    assert [(die.side, die.number, die.of) for die in end.dice] == [
        (1, 1, None),
        (1, 2, None),
        (1, 3, 1),
        (2, 1, None),
        (2, 2, None),
        (2, 3, None),
        (2, 4, 3),
    ]


# -- options that are not consulted


def options_read(rules: Any, rule: str, seen: set[str]) -> set[str]:
    """Every option that a rule, or one that it calls, may consult."""
    seen.add(rule)
    found = set(re.findall(r"options\.(\w+)", rules.program(rule).text))
    for step in rules.program(rule).code:
        if isinstance(step, Call) and step.rule not in seen:
            found |= options_read(rules, step.rule, seen)
    return found


def other_values(rules: Any, name: str) -> list[Any]:
    option = rules.options[name]
    if option.values:
        return [value for value in option.values if value != option.default]
    return [[7] * option.length if option.length else option.most]


@pytest.mark.parametrize("game", GAMES)
def test_an_option_that_no_rule_of_the_check_reads_changes_nothing(game: str) -> None:
    untouched = 0
    for sample in SAMPLES:
        if sample.game != game:
            continue
        rules = ruleset(game).rules
        start = sample.start()
        for name in set(rules.options) - options_read(rules, sample.check, set()):
            for value in other_values(rules, name):
                other = sample._replace(options={**sample.options, name: value}).start()
                assert other.odds() == start.odds()
                assert trace(finish(other, Random(3))) == trace(finish(start, Random(3)))
                untouched += 1
    assert untouched


def trace(roll: handful.Roll) -> dict[str, Any]:
    return {name: field for name, field in roll.to_dict().items() if name != "options"}


@pytest.mark.parametrize("game", GAMES)
def test_an_option_that_the_trace_does_not_name_changes_nothing(game: str) -> None:
    rules = ruleset(game).rules
    compared = 0
    for case in PLAYED[::3]:
        if case.game != game:
            continue
        end = play_case(case)[-1]
        for name in set(rules.options) - set(end.to_dict()["decided_by_options"]) - set(case.options):
            for value in other_values(rules, name):
                other = play_case(case.with_option(name, value))[-1]
                assert trace(other) == trace(end), f"{case.id} {name}={value}"
                compared += 1
    assert compared > 20


def test_starting_twice_gives_equal_rolls() -> None:
    chosen: list[Case] = PLAYED[::10]
    assert all(start_case(case) == start_case(case) for case in chosen)
    assert len({start_case(case) for case in chosen}) > len(chosen) // 2


@pytest.mark.parametrize("answer", [None, [3.0], ["3"], [True], 2.5, {3}])
def test_answers_that_are_no_die_numbers_are_refused(answer: Any) -> None:
    roll = ruleset("uwr").start("direct", attribute=3, rerolls=1).throw(faces=[1, 2, 3])
    with pytest.raises(handful.BadReply):
        roll.answer(answer)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda uwr: uwr.odds("opposed", [1], [2]),
        lambda uwr: uwr.odds(3),
        lambda uwr: uwr.odds("direct", options="x"),
        lambda uwr: uwr.start("direct", attribute=3).throw(3),
        lambda uwr: uwr.start("direct", attribute=3).throw(faces=3),
        lambda uwr: uwr.odds("direct", attribute=float("nan")),
        lambda uwr: uwr.odds("direct", attribute=10**30),
    ],
)
def test_wrong_kinds_of_arguments_are_refused_by_name(wrong: Any) -> None:
    with pytest.raises(handful.Refused):
        wrong(ruleset("uwr"))


@pytest.mark.parametrize("game", GAMES)
def test_a_list_of_nothing_is_refused_by_name(game: str) -> None:
    """Rules count on an entry where there is a list; nothing is given by leaving it out."""
    for check in ruleset(game).rules.checks.values():
        for name, param in check.params.items():
            if param.separators:
                with pytest.raises(handful.Refused, match=f"{name}: the list is empty"):
                    param.read([])


def test_a_side_for_a_one_sided_check_explains_the_python_call() -> None:
    uwr = handful.ruleset("uwr")
    for sides in ([{"attribute": 3}], [{"attribute": 3}, {}]):
        with pytest.raises(handful.Refused, match="by name, not as a dict") as caught:
            uwr.odds("direct", *sides)
        assert "vs" not in caught.value.message
        assert caught.value.hint == "for example attribute=3.5"
    with pytest.raises(handful.Refused, match="by name, not as a dict"):
        uwr.draft("direct", {"attribute": "Grace"}, {}, character="mira")
    with pytest.raises(handful.Refused, match="in Python it is a further dict"):
        handful.ruleset("tuurna").odds("contest", {"level": 3})
    with pytest.raises(handful.Refused, match=r"in Python beside the dicts: uncontested="):
        uwr.odds("opposed", {"attribute": 3, "uncontested": True})
