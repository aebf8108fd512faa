"""Answers of `handful odds`; without click, whose import takes longer than an answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from handful import library
from handful import odds as exact
from handful.cli import console
from handful.errors import Message, NotInstalled, Refused, RuleError, TooBig, format_count
from handful.explore.query import Query
from handful.odds import Odds
from handful.roll import BoundCheck

if TYPE_CHECKING:
    from handful.library import Roll
    from handful.sheet import Draft
    from handful.solver.solver import SolvedRules

SAMPLE = "100000"
MAX_ROLLS = 1_000_000_000  # as in `handful.simulate`, which is slow to import
SAMPLE_SEED = 1  # fixed: the same check always gives the same answer


def answer_query(
    query: Query,
    faces: Sequence[str] = (),
    answers: Sequence[str] = (),
    sample: str | None = None,
    plot: str | None = None,
    *,
    as_json: bool = False,
) -> None:
    """Print the odds of a query, from the start or from the middle of a roll."""
    game = library.ruleset(query.game)
    bound, draft = query.bind(game.rules, game.character)
    policy = query.policy
    rolls = None if sample is None else _parse_count(sample)
    if query.worth and (faces or answers):
        raise Refused(Message("command.worth_whole_roll"))
    roll = _play_up_to(bound, faces, answers) if faces or answers else None
    try:
        found: Odds = (
            exact.odds(bound, policy=policy, solved=game.solved) if roll is None else roll.odds(policy)
        )
    except TooBig as reason:
        if rolls is None:
            raise TooBig(reason.problem, _hint_with_sample(bound, roll, policy, reason.advice)) from None
        console.emit(_sampled_answer(bound, roll, rolls, policy, reason, as_json=as_json))
        return
    if plot is not None:
        from handful.cli.plotting import save_plot

        save_plot(found, plot)
    if as_json:
        console.emit_json(
            found.to_dict() | _origin_data(draft, bound, roll) | _worth_data(bound, game.solved, query.worth)
        )
        return
    if plot is not None:
        console.emit(f"{plot}: {format_count(len(found.distribution), 'value')}")
        return
    from handful.cli.show_odds import odds_text

    console.emit(odds_text(bound, found, roll, draft=draft))
    if query.worth:
        from handful.cli.show_odds import worth_text
        from handful.explore.worth import worth

        console.emit(worth_text(worth(bound, solved=game.solved)))


def _worth_data(bound: BoundCheck, solved: SolvedRules, requested: bool) -> dict[str, Any]:
    """Return the field of `--worth`; null if the check has no decisions."""
    if not requested:
        return {}
    from handful.explore.worth import worth

    found = worth(bound, solved=solved)
    return {"worth": None if found is None else found.to_dict()}


def _origin_data(draft: Draft | None, bound: BoundCheck, roll: Roll | None) -> dict[str, Any]:
    """Return the additional fields of a check that a character makes."""
    if draft is None:
        return {}
    from handful.cli.show_sheet import opening_modifiers, origin_data

    return origin_data(draft, opening_modifiers(bound) if roll is None else roll.modifiers)


def _play_up_to(bound: BoundCheck, faces: Sequence[str], answers: Sequence[str]) -> Roll:
    """Play the roll as far as the given faces and answers reach."""
    from handful.cli.face_source import read_faces
    from handful.cli.roll_loop import roll_up_to  # imported late: rarely needed

    return roll_up_to(bound, read_faces(faces) or [], answers)


def _parse_count(typed: str) -> int:
    from handful.cli.check_request import parse_digits

    found = parse_digits(typed, 100)
    if found is None or not 1 <= found <= MAX_ROLLS:
        expected = Message("command.number_up_to", most=MAX_ROLLS)
        expected = Message("command.number_in_digits") if found is None else expected
        raise Refused(Message("command.bad_sample", typed=typed[:40], expected=expected, sample=SAMPLE))
    return found


def _hint_with_sample(bound: BoundCheck, roll: Roll | None, policy: str, hint: Message) -> Message:
    """Add `--sample` to a hint if sampling works for this check; one roll is tried."""
    node = None if roll is None else roll.node
    try:
        library.simulation().simulate_dice(bound, node, count=1, seed=SAMPLE_SEED, policy=policy)
    except (TooBig, RuleError):
        return hint
    except NotInstalled:
        pass  # --sample names the missing package
    return Message("command.or_sample", hint=hint) if hint else Message("command.sample_instead")


def _sampled_answer(
    bound: BoundCheck, roll: Roll | None, rolls: int, policy: str, reason: TooBig, *, as_json: bool
) -> str:
    """Sample the odds.  JSON has them under `sampled`, so that they are not mistaken for exact odds."""
    import json

    from handful.cli.progress import ProgressBar

    simulation = library.simulation()
    node = None if roll is None else roll.node
    with ProgressBar() as bar:
        sampled = simulation.simulate_dice(
            bound, node, count=rolls, seed=SAMPLE_SEED, policy=policy, progress=bar.update
        )
    if as_json:
        fields = {"too_big": reason.message, "sampled": sampled.figures(), "policy": dict(sampled.policy)}
        return json.dumps(fields | exact.describe_check(bound), ensure_ascii=True, indent=2)
    from handful.cli.show_odds import faces_text
    from handful.cli.show_simulation import sampled_text

    thrown = faces_text(roll) if roll is not None and roll.dice else ""
    return sampled_text(bound, sampled, reason.message, thrown)
