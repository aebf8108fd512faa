"""Hints for common slips of authors who do not program."""

from __future__ import annotations

import pytest

from handful.library.draft_rulesets import mistakes_of, read_draft_ruleset
from handful.rules.load import BadRuleset

GAME = '''language = 1
id = "sixes"
extends = "uwr"
[title]
en = "Sixes"
[rules.count_successes]
does = """
pool = roll(dice, d6)
if size(pool == 6) > 1:
    event("many")
result(successes = size(pool >= threshold) + size(pool == 6))
"""
[events.many]
en = "Many"
'''


def slip(right: str, wrong: str) -> tuple[str, str, str]:
    """The line, message and hint of the first mistake."""
    assert right in GAME
    text = GAME.replace(right, wrong, 1)
    with pytest.raises(BadRuleset) as raised:
        read_draft_ruleset(text)
    first = mistakes_of(raised.value)[0]
    return text.split("\n")[first["line"] - 1], first["message"], first["hint"]


def test_the_game_without_a_slip_loads() -> None:
    assert read_draft_ruleset(GAME).id == "sixes"


@pytest.mark.parametrize(
    ("right", "wrong", "line", "helps"),
    [
        ('"Many"', "Many", "en = Many", "quotation marks"),
        ("[title]", "[title", "[title", ""),
        ("[events.many]", "events many", "events many", "a heading [part]"),
        ("[events.many]", "[rules.count_successes]", "[rules.", "appears only once"),
        ("+ size(pool == 6)", "+ size(pool = 6)", "result(", "== compares"),
        ("size(pool == 6) > 1", "size(pool == 6) = 1", "if size", "== compares"),
        ("> 1:", "> 1", "if size", "end with :"),
        ("    event", "event", "event", "four more spaces"),
        ("result(", "  result(", "  result(", "begin with"),
        ("roll(dice, d6)", "roll(2d6)", "pool = ", "roll(2, d6)"),
        ("roll(dice, d6)", "roll(dice, w6)", "pool = ", "did you mean 'd6'?"),
        ("roll(dice, d6)", "roll(dice, d6", "pool = ", "every ( needs its )"),
        ("roll(dice, d6)", "roll(doom, d6)", "pool = ", "make it a parameter"),
        ('event("many")', 'event("many)', "    event", 'begin and end with "'),
    ],
)
def test_a_slip_gets_a_hint(right: str, wrong: str, line: str, helps: str) -> None:
    found, _, hint = slip(right, wrong)
    assert found.startswith(line)
    assert helps in hint


def test_a_long_text_that_is_not_closed_is_named_by_its_first_line() -> None:
    _, _, hint = slip('6))\n"""\n', "6))\n")
    assert hint == 'the long text that begins in line 7 has no """ at its end'


def test_no_message_counts_lines_within_a_rule() -> None:
    _, message, _ = slip("    event", "event")
    assert message == "cannot be read: expected an indented block after 'if' statement"
