"""Random typed lines work or are refused in one message."""

from __future__ import annotations

import random

import pytest
from effort import sample

from handful import library
from handful.cli import console
from handful.cli.repl.commands import REPL_COMMANDS
from handful.cli.repl.repl import Repl
from handful.errors import HandfulError
from handful.library.tables import new_table
from handful.table import canonical_json

SEATS = ("kim", "ann", "bob", "eve")
VALUES = (
    "0",
    "1",
    "2",
    "5",
    "-1",
    "none",
    "yes",
    "melee",
    "ranged",
    "grace",
    "con",
    "2D+1",
    "6,5,4",
    "ann",
    "kim",
    "all",
    "as",
    "against",
    "'",
    "=",
    "é",
    "x" * 90,
    "last",
    "target",
)
LITTLE = (
    "as",
    "against",
    "for",
    "to",
    "behind",
    "with",
    "vs",
    "in",
    "order",
    "off",
    "on",
    "move",
    "points",
    "fight",
    "player",
    "gm",
    "open",
    "own",
    "hidden",
)
FIELDS = (
    "mode",
    "hidden",
    "title",
    "faces",
    "as",
    "for",
    "item",
    "task",
    "spends",
    "answers",
    "interrupts",
    "off",
    "resist",
    "grade",
    "uses",
    "hot",
    "together",
)
SHORT = (
    "throw",
    "",
    "none",
    "1",
    "finalise",
    "accept",
    "settle",
    "propose",
    "fix 1",
    "fix 2",
    "end",
    "next",
    "wait",
    "act",
    "undo",
    "cancel",
    "look",
    "luck",
    "what",
    "odds",
    "end fight",
    "parry",
)
NOT_HERE = ("export",)  # writes files
LINES = sample(100, 300)


class Typist:
    """Types what is nearly right, and what is not at all."""

    def __init__(self, game: str, seed: int) -> None:
        self.chance = random.Random(f"{game} {seed}")
        self.rules = library.ruleset(game).rules
        self.people = library.character_names(library.ruleset_path(game))
        owners = zip(self.people, ("ann", "bob", "kim"), strict=False)
        self.first = ["seat ann player", "seat bob player", "seat eve watcher"]
        self.first += [f"bring {name} for {owner}" for name, owner in owners]

    def line(self) -> str:
        if self.first:
            return self.first.pop(0)
        pick = self.chance.choice
        match self.chance.randrange(10):
            case 0:
                return f"seat {pick(SEATS)}"
            case 1:
                return f"fight {' '.join(self.chance.sample(self.people, 2))} wolf!:9"
            case 2 | 3:
                return self._check()
            case 4 | 5:
                return pick(SHORT)
        words = [self._word() for _ in range(self.chance.randrange(5))]
        return " ".join([pick([one for one in REPL_COMMANDS if one not in NOT_HERE]), *words])

    def _check(self) -> str:
        check = self.chance.choice([o for o in self.rules.checks.values() if o.program])
        needed = [f"{o.name}={o.example()}" for o in check.params.values() if o.required]
        word = self.chance.choice(["roll", "declare", "call", "request ann,bob"])
        mode = self.chance.choice(["", "", "mode=blind", "mode=secret", "mode=private"])
        return " ".join([word, check.name, *needed, mode])

    def _word(self) -> str:
        pick = self.chance.choice
        check = pick(list(self.rules.checks.values()))
        return pick(
            [
                check.name,
                pick(SEATS),
                pick(self.people),
                pick(VALUES),
                pick(LITTLE),
                f"{pick(SEATS)}/{self.chance.randint(1, 9)}",
                f"{pick(FIELDS)}={pick(VALUES)}",
                f"{pick([*check.params, 'nothing'])}={pick(VALUES)}",
            ]
        )


@pytest.mark.sampled
@pytest.mark.parametrize("game", library.shipped())
def test_random_lines_work_or_are_refused(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    typist = Typist(game, 5)
    kept = new_table(game, name="night", gm="kim")
    evening = Repl(kept, "kim", interactive=False)
    obeyed = 0
    for _ in range(LINES):
        line = typist.line()
        before = kept.table.seq
        words = line.split() or [""]
        evening.read_events()
        evening.completions(words[:-1], words[-1][:1])
        assert evening.prompt().startswith(f"night {evening.seat} (")
        try:
            evening.run_line(line)
            obeyed += 1
        except console.UserLeft:
            assert words[0] == "quit"
        except HandfulError:
            # `roll` and the like declare first: what is refused then is the throw
            assert kept.table.seq == before or words[0] in ("roll", "interrupt", "respond", "parry")
    assert obeyed > LINES // 6
    shown = capsys.readouterr().out
    assert not [one for one in shown.splitlines() if len(one) > 80 and "x" * 20 not in one]
    # every seat's log holds what its screen may have said
    for seat in kept.table.seats:
        assert canonical_json(kept.view(seat))
        assert kept.export(seat)
