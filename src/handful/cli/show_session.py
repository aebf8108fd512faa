"""What a session says about itself: its words, its rolls so far, the house rules of its game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from handful.cli import paper
from handful.cli.asking import explanation
from handful.cli.heading import asked_words, typed
from handful.cli.outcome import verdict
from handful.errors import counted
from handful.library import Roll
from handful.roll import Bound, ThrownDie
from handful.rules.params import find
from handful.rules.ruleset import Ruleset, text

WORDS = {
    "help": "this list; ? explains the question at hand",
    "odds": "the exact odds from where you are",
    "undo": "take back your last decision, if no die has fallen since",
    "again": "roll the last check once more",
    "history": "the rolls of this session; history 2 shows the second in full",
    "options": "the house rules of the game; options name=value changes one",
    "back": "one question back; at last to the lists of checks and games",
    "done": "take the defaults for all parameters that are left",
    "quit": "leave, as do q and Ctrl-D",
}
EXAMPLES = [
    ("uwr direct attribute=4 rerolls=2 target=2", "a check in one line, from anywhere"),
    ("target=3", "the same check with another target"),
    ("opposed attribute=4 vs attribute=3.5", "another check of the same game"),
    ("direct attribute=4 rerolls=2 --option reroll_stack=stacking", "with a house rule"),
    ("uwr direct --as mira attribute=Grace target=2", "a character makes the check"),
    ("--as mira", "the same, and every further check; --as none ends it"),
    ("roll tuurna check level=5 difficulty=easy", "roll at once"),
    ("checks me-d6", "any other command of handful"),
]
MOST_FACES = 40  # of one roll in the history


def help_lines(explained: str) -> list[str]:
    """What the question wants, the words of a session, and examples."""
    lines = [paper.styled("the question", "bold"), *explanation(explained)] if explained else []
    lines += paper.paragraph("words, at any question", paper.columns(list(WORDS.items())))
    examples = paper.columns(EXAMPLES) if _fits(EXAMPLES) else []
    if not examples:
        examples = [line for typed, what in EXAMPLES for line in (f"  {typed}", f"      {what}")]
    return lines + paper.paragraph("examples", examples)


def _fits(rows: Sequence[tuple[str, str]]) -> bool:
    return (
        max(len(first) for first, _ in rows) + max(len(last) for _, last in rows)
        < paper.width() - 4
    )


# -- history


def history_lines(rolls: Sequence[Roll], taken_back: Mapping[int, int]) -> list[str]:
    """Every roll of the session: what was asked, the faces, what came out."""
    if not rolls:
        return ["  nothing was rolled yet"]
    lines = []
    for place, roll in enumerate(rolls):
        lines += paper.beside(f"{place + 1:>3}  ", _asked(roll.bound))
        lines += paper.folded(f"{_faces(roll)}{_ended(roll, taken_back.get(place, 0))}", 5, 7)
    return lines


def _asked(bound: Bound) -> str:
    """What was asked, as it can be typed."""
    options = [
        f"--option {name}={typed(value)}"
        for name, value in bound.options.items()
        if value != bound.ruleset.options[name].default
    ]
    return " ".join([bound.ruleset.id, bound.check.name, asked_words(bound), *options])


def _faces(roll: Roll) -> str:
    """The faces as they lie, side by side."""
    if not roll.dice:
        return ""
    sides = sorted({die.side for die in roll.dice})
    shown = [_side([die for die in roll.dice if die.side == side]) for side in sides]
    return " | ".join(shown) + "; "


def _side(dice: Sequence[ThrownDie]) -> str:
    faces: dict[int, list[int]] = {}
    for die in dice:
        rerolled = die.role == "reroll" and die.of is not None
        faces.setdefault(die.of if rerolled and die.of else die.number, []).append(die.face)
    shown = [paper.arrow().join(map(str, one)) for one in faces.values()]
    more = " …" if len(shown) > MOST_FACES else ""
    return " ".join(shown[:MOST_FACES]) + more


def _ended(roll: Roll, taken_back: int) -> str:
    undone = f" ({counted(taken_back, 'decision')} taken back)" if taken_back else ""
    return (verdict(roll) if roll.finished else "open") + undone


# -- house rules


def option_lines(
    rules: Ruleset, chosen: Mapping[str, str], wanted: Sequence[str] = ()
) -> list[str]:
    """The house rules with what holds now, or everything about one of them."""
    settled = rules.settle(chosen)
    if wanted:
        option = rules.options[find(wanted[0], rules.options, "option")]
        return [
            f"  {option.name}={typed(settled[option.name])}",
            *paper.folded(f"{text(option.label)} [{option.expects()}]", 6),
        ]
    rows = [
        (
            f"{name}={typed(settled[name])}",
            option.expects() + ("" if settled[name] == option.default else "  <- changed"),
        )
        for name, option in rules.options.items()
    ]
    if not rows:
        return ["  this game has no house rules"]
    return [*paper.columns(rows), "  options name=value changes one, options name explains it"]
