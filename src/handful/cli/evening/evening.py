"""An evening: one typed line after the other, by the seat that has the screen.

Every command is kept as soon as it is obeyed, so there is nothing to lose: Ctrl-C, Ctrl-D and a
lamp that falls over end an evening all alike.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from secrets import choice
from typing import Any

from handful import table as tables
from handful.cli import editing, paper, rim
from handful.cli.asking import say, tell
from handful.cli.evening import deciding, showing
from handful.cli.evening.phrase import split
from handful.cli.evening.screen import clear
from handful.cli.evening.telling import Teller
from handful.errors import HandfulError, Refused
from handful.rules.ruleset import Ruleset
from handful.store import Kept
from handful.table import Command, Event, Table

LETTERS = "bcdfghjkmnpqrstvwxz"  # of names that count nothing
LENGTH = 4
MOST_NEWS = 15
# of a roll that is shown itself, after these commands
SHOWN = frozenset({"declare", "contest", "throw", "answer"})
QUIET = frozenset({"dice_thrown", "faces_typed", "decision_taken", "roll_finalised"})


class Evening:
    """A kept table, and who has the screen."""

    def __init__(self, kept: Kept, seat: str, *, by_hand: bool) -> None:
        self.kept, self.seat, self.by_hand = kept, seat, by_hand
        self.heard = kept.table  # up to where the news were told
        self.news: dict[str, list[str]] = {}  # seat -> what it has not read yet
        self.lines: dict[str, list[str]] = {}  # seat -> what it has typed
        self.asked = ""  # the roll whose question stands on the screen
        self.refusals = 0
        self._seen: tuple[Table | None, str, dict[str, Any]] = (None, "", {})

    # -- what is known

    @property
    def rules(self) -> Ruleset:
        return self.kept.rules

    @property
    def table(self) -> Table:
        return self.kept.table

    @property
    def role(self) -> str:
        return self.table.role(self.seat)

    def view(self) -> dict[str, Any]:
        """What this seat sees; made once for a table as it is."""
        table, seat, _ = self._seen
        if table is not self.table or seat != self.seat:
            self._seen = self.table, self.seat, self.kept.view(self.seat)
        return self._seen[2]

    # -- what is done

    def do(self, do: str, /, **data: Any) -> tuple[Event, ...]:
        """A command of this seat; what it was told of it is said."""
        data = {name.rstrip("_"): one for name, one in data.items() if one is not None}
        self.hear()
        counts = self._is_seen_by_all(do, data)
        while True:
            key = self._key(counts)
            command = Command(do, key, data)
            try:
                events = self.kept.do(self.seat, command)
            except Refused as refusal:
                if (self.seat, key) in self.table.done:  # another screen has taken it meanwhile
                    continue
                raise showing.in_words(refusal) from None
            if events:
                break
        shown = data.get("roll", f"{self.seat}/{key}")
        say_lines(self.hear(own=True, shown=shown if do in SHOWN else ""))
        return events

    def _is_seen_by_all(self, do: str, data: dict[str, Any]) -> bool:
        asked = tables.as_known(self.table, self.seat).requests.get(data.get("request", ""))
        name = asked.mode if asked is not None else data.get("mode", "public")
        if do not in ("declare", "accept") or name not in tables.MODES:
            return False
        return tables.MODES[name].stricter(tables.MODES[self.table.mode]).others > 0

    def _key(self, counts: bool) -> str:
        """A fresh name for what a command makes.

        Rolls that everybody hears of are counted; everything else has a name by chance, so that no
        gap in the numbers tells of a secret.
        """
        taken = {key for seat, key in self.table.done if seat == self.seat}
        if counts:
            return str(1 + max((int(one) for one in taken if one.isdecimal()), default=0))
        while (key := "".join(choice(LETTERS) for _ in range(LENGTH))) in taken:
            continue
        return key

    def hear(self, *, own: bool = False, shown: str = "") -> list[str]:
        """Take in what is new, and tell it to every seat.

        `own`: the sentences for this one are given back, without those of a roll that is shown.
        """
        self.kept.refresh()
        fresh: list[str] = []
        for entry in self.kept.store.read(self.kept.opened.table, after=self.heard.seq):
            event = tables.event_of(entry)
            before, self.heard = self.heard, tables.evolve(self.heard, event)
            for seat, role in self.heard.seats.items():
                data = tables.told(before, event, seat, role)
                if data is None:
                    continue
                sentence = Teller(self.heard, seat).sentence(event, data)
                if own and seat == self.seat:
                    if event.kind not in QUIET or data["roll"] != shown:
                        fresh.append(sentence)
                else:
                    self.news.setdefault(seat, []).append(sentence)
        return fresh

    # -- the screen

    def pass_to(self, seat: str) -> None:
        """The screen goes to another seat: whatever the one before saw is gone."""
        if seat != self.seat and self.by_hand:
            self.lines[self.seat] = editing.swap(self.lines.get(seat, []))
            clear()
            self.seat, self.asked = seat, ""
            wait(f"pass the screen to {seat}, then press Enter ")
            clear()
        self.seat, self.asked = seat, ""
        self.sit()

    def sit(self) -> None:
        """What a seat sees when it has the screen."""
        say("\n".join(showing.head(self.rules, self.view())))
        self.tell_news()
        say("")
        say("\n".join(showing.now(self.rules, self.view())))

    def tell_news(self) -> None:
        news = self.news.pop(self.seat, [])
        if not news:
            return
        left = len(news) - MOST_NEWS
        say("\n" + paper.styled("since you looked", "bold"))
        if left > 0:
            say(f"  and {left} more before: log {len(news)}")
        say_lines(news[-MOST_NEWS:])

    def prompt(self) -> str:
        name = f"{self.table.id} {self.seat} ({self.rules.role(self.role, 'gm')})"
        usual = deciding.usual_answer(self.table, self.seat, self.asked) if self.asked else None
        if usual is None:
            self.asked = ""
            return f"{name}> "
        return f"{name} answer [{usual}]> "

    # -- one line after the other

    def lead(self) -> None:
        """Somebody at a terminal, until they leave."""
        self.sit()
        while True:
            try:
                self.hear()
                self.tell_news()
            except HandfulError as trouble:
                tell(trouble)
            line = self.typed()
            if line is None:
                return
            try:
                self.obey(line)
            except rim.Left:
                return
            except HandfulError as trouble:
                tell(trouble)
            except KeyboardInterrupt:
                say("\n  stopped; what was done before is kept")

    def typed(self) -> str | None:
        rim.flush()
        try:
            line = input(self.prompt()).strip()
        except (EOFError, KeyboardInterrupt):
            say("")
            return None
        if line:
            editing.remember(line)
        return line

    def play(self, script: Iterable[str]) -> int:
        """A script, a line after the other; how many of them were refused."""
        say("\n".join(showing.head(self.rules, self.view())))
        for number, raw in enumerate(script, 1):
            line = raw.strip()
            if not line or line.startswith("#"):
                continue
            self.hear()
            self.news.pop(self.seat, None)
            say(self.prompt() + line)
            try:
                self.obey(line)
            except rim.Left:
                break
            except HandfulError as trouble:
                self.refusals += 1
                rim.flush()
                sys.stderr.write(f"line {number}: ")
                rim.told(trouble)
                if split(line)[0].lower() == "seat":
                    complain = "the script ends here: what follows is somebody else's to say"
                    rim.complain(complain)
                    break
        return self.refusals

    def obey(self, line: str) -> None:
        """One line: a word with what belongs to it, or the answer to what is asked."""
        from handful.cli.evening.words import find

        words = split(line)
        if not words:
            if self.asked:
                self.answer("")
            else:
                say("\n".join(showing.now(self.rules, self.view())))
            return
        if self.asked and self.is_answer(line):  # such as an option that is a word, too
            self.answer(line)
            return
        word, rest = find(self.rules, words)
        if word is None:
            raise self.unknown(words[0])
        word.does(self, rest)

    def is_answer(self, line: str) -> bool:
        return deciding.reads_as_answer(self.table, self.seat, self.asked, line)

    def answer(self, line: str) -> None:
        from handful.cli.evening.rolling import answer_with

        answer_with(self, self.asked, line)

    def unknown(self, word: str) -> Refused:
        from handful.cli.evening.words import unknown

        return unknown(self.rules, word)

    def offers(self, before: Sequence[str], begun: str) -> list[str]:
        """What Tab offers; a completion never fails."""
        from handful.cli.evening.completing import offers

        try:
            return offers(self, before, begun)
        except HandfulError:
            return []


def say_lines(lines: Iterable[str]) -> None:
    for line in lines:
        say("\n".join(paper.folded(rim.one_line(line), 2, 4)))


def wait(message: str) -> None:
    """Until somebody presses Enter."""
    rim.flush()
    try:
        input(message)
    except (EOFError, KeyboardInterrupt):
        say("")
        raise rim.Left from None
