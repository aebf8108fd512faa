"""The read-eval-print loop of a table: one typed line after the other, by the seat at the screen.

Every command is saved as soon as it is obeyed, so there is nothing to lose: Ctrl-C, Ctrl-D and a
power cut end it all alike.  A table in memory has the same words; its one seat is GM and player,
and nothing of it is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from secrets import choice
from typing import TYPE_CHECKING, Any

from handful import table as tables
from handful.cli import console, editing, layout
from handful.cli.prompts import Prompter, echo, echo_error
from handful.cli.repl import decisions, names, show_table
from handful.cli.repl.event_text import Teller
from handful.cli.repl.parsing import split
from handful.cli.repl.screen import clear, say_lines, wait
from handful.cli.repl.script import play_script
from handful.errors import HandfulError, Refused
from handful.rules.ruleset import Ruleset
from handful.store import StoredTable
from handful.table import Command, Event, Table

if TYPE_CHECKING:
    from handful.cli.repl.parsing import Checked

LETTERS = "bcdfghjkmnpqrstvwxz"  # of names that count nothing
LENGTH = 4
MOST_NEWS = 15
# of a roll that is shown itself, after these commands
SHOWN = frozenset({"declare", "contest", "throw", "answer"})
# before these a table with one seat makes its decided rolls final
FINAL_BEFORE = frozenset({"declare", "contest", "harm", "end_turn", "next_round", "end_fight"})
QUIET = frozenset({"dice_thrown", "faces_typed", "decision_taken", "roll_finalised"})


class Repl:
    """A kept table, and who has the screen."""

    def __init__(self, kept: StoredTable, seat: str, *, by_hand: bool, in_memory: bool = False) -> None:
        self.kept, self.seat, self.by_hand, self.in_memory = kept, seat, by_hand, in_memory
        self.heard = kept.table  # up to where the news were told
        self.news: dict[str, list[str]] = {}  # seat -> what it has not read yet
        self.lines: dict[str, list[str]] = {}  # seat -> what it has typed
        self.asked = ""  # the roll whose question stands on the screen
        self.own_dice: set[str] = set()  # rolls whose faces are typed in
        self.chosen: dict[str, str] = {}  # seat -> who makes its checks, where `as` said so
        self.currents: dict[str, Checked] = {}  # seat -> the check at hand
        self.ready = False  # its odds are on the screen, and Enter rolls it
        self.people = Prompter(self.otherwise)  # who is asked for parameters
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

    @property
    def alone(self) -> bool:
        """True at a table in memory that has only its one seat."""
        return self.in_memory and len(self.table.seats) == 1

    @property
    def current(self) -> Checked | None:
        return self.currents.get(self.seat)

    @current.setter
    def current(self, read: Checked) -> None:
        self.currents[self.seat] = read

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
        if self.alone and do in FINAL_BEFORE and not {"answers", "interrupts"} & {*data}:
            self._finalise()
        counts = self._is_seen_by_all(do, data)
        while True:
            key = self._key(counts)
            command = Command(do, key, data)
            try:
                events = self.kept.do(self.seat, command)
            except Refused as refusal:
                if (self.seat, key) in self.table.command_digests:  # another screen has taken it meanwhile
                    continue
                raise show_table.in_words(refusal) from None
            if events:
                break
        shown = data.get("roll", f"{self.seat}/{key}")
        say_lines(self.hear(own=True, shown=shown if do in SHOWN else ""))
        return events

    def _finalise(self) -> None:
        """Make every decided roll final: there is nobody who would have to be told."""
        for roll in names.possible(self.view(), "finalise", "roll"):
            self.kept.do(self.seat, Command("finalise", self._key(counts=False), {"roll": roll}))
        self.hear(own=True)

    def _is_seen_by_all(self, do: str, data: dict[str, Any]) -> bool:
        asked = tables.project(self.table, self.seat).requests.get(data.get("request", ""))
        name = asked.mode if asked is not None else data.get("mode", "public")
        if do not in ("declare", "accept") or name not in tables.MODES:
            return False
        return tables.MODES[name].stricter(tables.MODES[self.table.mode]).others > 0

    def _key(self, counts: bool) -> str:
        """A fresh name for what a command makes.

        Rolls that everybody hears of are counted; everything else has a name by chance, so that no
        gap in the numbers tells of a secret.
        """
        taken = {key for seat, key in self.table.command_digests if seat == self.seat}
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
        for entry in self.kept.store.read(self.kept.header.table, after=self.heard.seq):
            event = tables.read_event(entry)
            before, self.heard = self.heard, tables.evolve(self.heard, event)
            for seat, role in self.heard.seats.items():
                data = tables.redact(before, event, seat, role)
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
            self.lines[self.seat] = editing.swap_history(self.lines.get(seat, []))
            clear()
            self.seat, self.asked = seat, ""
            wait(f"pass the screen to {seat}, then press Enter ")
            clear()
        self.seat, self.asked, self.ready = seat, "", False
        self.sit()

    def sit(self) -> None:
        """What a seat sees when it has the screen."""
        if not self.alone:
            echo("\n".join(show_table.head(self.rules, self.view())))
        self.tell_news()
        echo("")
        self.show_state()

    def show_state(self) -> None:
        """Everything that is open; alone also the checks, to be picked by number."""
        from handful.cli.repl.checks import check_menu

        lines = show_table.now(self.rules, self.view(), alone=self.alone)
        if self.alone:
            lines += [*([""] if lines else []), *check_menu(self.rules)]
        echo("\n".join(lines))

    def tell_news(self) -> None:
        news = self.news.pop(self.seat, [])
        if not news:
            return
        left = len(news) - MOST_NEWS
        echo("\n" + layout.apply_style("since you looked", "bold"))
        if left > 0:
            echo(f"  and {left} more before: log {len(news)}")
        say_lines(news[-MOST_NEWS:])

    def prompt(self) -> str:
        return f"{self._place()}{self._question()}> "

    def _place(self) -> str:
        """The game, or the table and the seat; then the check that Enter rolls."""
        role = self.rules.role_title(self.role, "gm")
        place = self.rules.id if self.alone else f"{self.table.id} {self.seat} ({role})"
        now = self.current
        return f"{place} {now.check.name}" if now is not None and self._enter_rolls() else place

    def _enter_rolls(self) -> bool:
        return self.current is not None and (self.alone or self.ready)

    def _question(self) -> str:
        if not self.asked:
            return ""
        usual = decisions.usual_answer(self.table, self.seat, self.asked)
        if usual is not None:
            return f" answer [{usual}]"
        if due := decisions.faces_due(self.view(), self.asked):
            return f" faces of {due}"
        self.asked = ""
        return ""

    # -- one line after the other

    def lead(self) -> None:
        """Somebody at a terminal, until they leave."""
        self.sit()
        while True:
            self.step(self.obey)

    def step(self, obey: Callable[[str], None]) -> None:
        """Ask for a line and do what it says."""
        try:
            self.hear()
            self.tell_news()
        except HandfulError as trouble:
            echo_error(trouble)
        line = self.typed()
        try:
            obey(line)
        except HandfulError as trouble:
            echo_error(trouble)
        except KeyboardInterrupt:
            echo("\n  stopped")

    def typed(self) -> str:
        console.flush()
        try:
            line = input(self.prompt()).strip()
        except (EOFError, KeyboardInterrupt):
            raise console.UserLeft from None
        if line:
            editing.add_history(line)
        return line

    def play(self, script: Iterable[str]) -> int:
        """Obey a script; return how many lines were refused."""
        echo("\n".join(show_table.head(self.rules, self.view())))
        return play_script(script, self._script_prompt, self.obey)

    def _script_prompt(self) -> str:
        self.hear()
        self.news.pop(self.seat, None)
        return self.prompt()

    def obey(self, line: str) -> None:
        """One line: a word with what belongs to it, a check, or the answer to what is asked."""
        if not line.strip():
            self.enter()
        elif self.asked and self.is_answer(line):  # such as an option that is a word, too
            self.answer(line)
        else:
            from handful.cli.repl.dispatch import obey

            obey(self, split(line))

    def enter(self) -> None:
        """Enter alone: the usual answer, the check at hand, or what is open."""
        from handful.cli.repl.checks import roll_now

        if self.asked:
            self.answer("")
        elif self.current is not None and self._enter_rolls():
            roll_now(self, self.current)
        else:
            self.show_state()

    def is_answer(self, line: str) -> bool:
        if decisions.asked_roll(self.table, self.seat, self.asked) is None:
            return decisions.are_faces(line)
        return decisions.reads_as_answer(self.table, self.seat, self.asked, line)

    def answer(self, line: str) -> None:
        from handful.cli.repl.rolls import answer_with, throw

        if due := decisions.faces_due(self.view(), self.asked):
            if not line:
                raise Refused(f"type what your dice show, {due}: one face, or several by comma")
            throw(self, [self.asked, *line.split()])
        else:
            answer_with(self, self.asked, line)

    def otherwise(self, typed: str, refusal: Refused) -> None:
        """A line that does not answer the question for a parameter."""
        from handful.cli.repl.dispatch import in_between

        in_between(self, typed, refusal)

    def offers(self, before: Sequence[str], begun: str) -> list[str]:
        """What Tab offers; a completion never fails."""
        from handful.cli.repl.completion import offers

        try:
            return offers(self, before, begun)
        except HandfulError:
            return []
