"""Whatever is typed into a session, it answers and asks again."""

import builtins
import random
from collections.abc import Iterator

import pytest

from handful.cli import rim
from handful.cli.session import Session

SEEDS = 4
VOCABULARY = [
    "", "", "", "1", "2", "1 2", "1,2", "none", "d", "4D+1", "yes", "help", "?", "odds", "undo",
    "again", "history", "history 1", "history x", "options", "options half_dice",
    "options reroll_stack=stacking", "back", "back", "done", "roll", "uwr", "agga direct", "tuurna",
    "me-d6", "me-d6 check dice=2D spend=ask difficulty=5", "uwr direct attribute=2 rerolls=1",
    "uwr opposed attribute=2 rerolls=2 vs attribute=1", "target=2", "target=none", "attribute=1",
    "tuurna group judge=min level=2 with level=1", "contest level=1 vs level=1", "fate=lucky",
    "roll fons direct attribute=2 rerolls=2", "direct", "check", "--option", "--option x=y",
    "--option reroll_mode=sequential", "handful", "handful odds", "=", "a=b", "'", "\x00", "ü",
    "9" * 50, "rulesets", "checks nosuch", "lint", "play", "vs", "with level=1", "cancel", "skill",
    "uwr direct --as mira attribute=Grace rerolls=1", "attribute=Grce", "skill=Stealth", "as=none",
    "as=tove", "--as", "tuurna check --as=zejhe level=craft,3", "labor+=2", "sheet ylir",
]  # fmt: skip


@pytest.mark.parametrize("seed", range(SEEDS))
def test_any_line_is_answered(
    seed: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = random.Random(seed).choices(VOCABULARY, k=150)
    waiting: Iterator[str] = iter([*lines, "quit"])
    monkeypatch.setattr(builtins, "input", lambda prompt: next(waiting))
    monkeypatch.setattr(random, "SystemRandom", lambda: random.Random(seed))
    session = Session()
    with pytest.raises(rim.Left):
        session.lead()
    shown = capsys.readouterr()
    assert session.played.rolls
    assert "mistake inside" not in shown.err
    assert [line for line in shown.out.splitlines() if len(line) > 80] == []
