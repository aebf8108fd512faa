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
from handful.cli.repl.event_text import EventWriter
from handful.cli.repl.parsing import split
from handful.cli.repl.screen import clear_screen, echo_lines, wait_for_enter
from handful.cli.repl.script import run_script
from handful.errors import HandfulError, Refused
from handful.rules.ruleset import Ruleset
from handful.store import StoredTable
from handful.table import Command, Event, Table

if TYPE_CHECKING:
    from handful.cli.repl.parsing import ParsedCheck

LETTERS = "bcdfghjkmnpqrstvwxz"  # of names that count nothing
LENGTH = 4
MAX_UNREAD = 15
# of a roll that is shown itself, after these commands
SHOWN_COMMANDS = frozenset({"declare", "contest", "throw", "answer"})
# before these a table with one seat makes its decided rolls final
FINAL_BEFORE = frozenset({"declare", "contest", "harm", "end_turn", "next_round", "end_fight"})
SHOWN_EVENTS = frozenset({"dice_thrown", "faces_typed", "decision_taken", "roll_finalised"})


class Repl:
    """A kept table, and who has the screen."""

    def __init__(self, stored: StoredTable, seat: str, *, interactive: bool, in_memory: bool = False) -> None:
        self.stored, self.seat, self.interactive, self.in_memory = stored, seat, interactive, in_memory
        self.last_read = stored.table  # up to where the news were told
        self.unread: dict[str, list[str]] = {}  # seat -> what it has not read yet
        self.histories: dict[str, list[str]] = {}  # seat -> what it has typed
        self.pending_roll = ""  # the roll whose question stands on the screen
        self.own_dice: set[str] = set()  # rolls whose faces are typed in
        self.default_characters: dict[str, str] = {}  # seat -> who makes its checks, where `as` said so
        self.current_checks: dict[str, ParsedCheck] = {}  # seat -> the check at hand
        self.odds_shown = False  # its odds are on the screen, and Enter rolls it
        self.prompter = Prompter(self.handle_other_input)  # who is asked for parameters
        self._seen: tuple[Table | None, str, dict[str, Any]] = (None, "", {})

    # -- what is known

    @property
    def rules(self) -> Ruleset:
        return self.stored.rules

    @property
    def table(self) -> Table:
        return self.stored.table

    @property
    def role(self) -> str:
        return self.table.role(self.seat)

    @property
    def is_solo(self) -> bool:
        """True at a table in memory that has only its one seat."""
        return self.in_memory and len(self.table.seats) == 1

    @property
    def current(self) -> ParsedCheck | None:
        return self.current_checks.get(self.seat)

    @current.setter
    def current(self, read: ParsedCheck) -> None:
        self.current_checks[self.seat] = read

    def view(self) -> dict[str, Any]:
        """What this seat sees; made once for a table as it is."""
        table, seat, _ = self._seen
        if table is not self.table or seat != self.seat:
            self._seen = self.table, self.seat, self.stored.view(self.seat)
        return self._seen[2]

    # -- what is done

    def submit(self, do: str, /, **data: Any) -> tuple[Event, ...]:
        """A command of this seat; what it was told of it is said."""
        data = {name.rstrip("_"): one for name, one in data.items() if one is not None}
        self.read_events()
        if self.is_solo and do in FINAL_BEFORE and not {"answers", "interrupts"} & {*data}:
            self._finalise()
        counts = self._is_seen_by_all(do, data)
        while True:
            key = self._key(counts)
            command = Command(do, key, data)
            try:
                events = self.stored.do(self.seat, command)
            except Refused as refusal:
                if (self.seat, key) in self.table.command_digests:  # another screen has taken it meanwhile
                    continue
                raise show_table.in_typed_words(refusal) from None
            if events:
                break
        shown = data.get("roll", f"{self.seat}/{key}")
        echo_lines(self.read_events(own=True, shown=shown if do in SHOWN_COMMANDS else ""))
        return events

    def _finalise(self) -> None:
        """Make every decided roll final: there is nobody who would have to be told."""
        for roll in names.possible_values(self.view(), "finalise", "roll"):
            self.stored.do(self.seat, Command("finalise", self._key(counts=False), {"roll": roll}))
        self.read_events(own=True)

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

    def read_events(self, *, own: bool = False, shown: str = "") -> list[str]:
        """Take in what is new, and tell it to every seat.

        `own`: the sentences for this one are given back, without those of a roll that is shown.
        """
        self.stored.refresh()
        fresh: list[str] = []
        for entry in self.stored.store.read(self.stored.header.table, after=self.last_read.seq):
            event = tables.read_event(entry)
            before, self.last_read = self.last_read, tables.evolve(self.last_read, event)
            for seat, role in self.last_read.seats.items():
                data = tables.redact(before, event, seat, role)
                if data is None:
                    continue
                sentence = EventWriter(self.last_read, seat).sentence(event, data)
                if own and seat == self.seat:
                    if event.kind not in SHOWN_EVENTS or data["roll"] != shown:
                        fresh.append(sentence)
                else:
                    self.unread.setdefault(seat, []).append(sentence)
        return fresh

    # -- the screen

    def pass_to(self, seat: str) -> None:
        """The screen goes to another seat: whatever the one before saw is gone."""
        if seat != self.seat and self.interactive:
            self.histories[self.seat] = editing.swap_history(self.histories.get(seat, []))
            clear_screen()
            self.seat, self.pending_roll = seat, ""
            wait_for_enter(f"pass the screen to {seat}, then press Enter ")
            clear_screen()
        self.seat, self.pending_roll, self.odds_shown = seat, "", False
        self.show_table()

    def show_table(self) -> None:
        """What a seat sees when it has the screen."""
        if not self.is_solo:
            echo("\n".join(show_table.heading_lines(self.rules, self.view())))
        self.show_unread()
        echo("")
        self.show_state()

    def show_state(self) -> None:
        """Everything that is open; alone also the checks, to be picked by number."""
        from handful.cli.repl.checks import check_menu

        lines = show_table.state_lines(self.rules, self.view(), alone=self.is_solo)
        if self.is_solo:
            lines += [*([""] if lines else []), *check_menu(self.rules)]
        echo("\n".join(lines))

    def show_unread(self) -> None:
        lines = self.unread.pop(self.seat, [])
        if not lines:
            return
        left = len(lines) - MAX_UNREAD
        echo("\n" + layout.apply_style("since you looked", "bold"))
        if left > 0:
            echo(f"  and {left} more before: log {len(lines)}")
        echo_lines(lines[-MAX_UNREAD:])

    def prompt(self) -> str:
        return f"{self._place()}{self._question()}> "

    def _place(self) -> str:
        """The game, or the table and the seat; then the check that Enter rolls."""
        role = self.rules.role_title(self.role, "gm")
        place = self.rules.id if self.is_solo else f"{self.table.id} {self.seat} ({role})"
        now = self.current
        return f"{place} {now.check.name}" if now is not None and self._enter_rolls() else place

    def _enter_rolls(self) -> bool:
        return self.current is not None and (self.is_solo or self.odds_shown)

    def _question(self) -> str:
        if not self.pending_roll:
            return ""
        usual = decisions.usual_answer(self.table, self.seat, self.pending_roll)
        if usual is not None:
            return f" answer [{usual}]"
        if due := decisions.faces_due(self.view(), self.pending_roll):
            return f" faces of {due}"
        self.pending_roll = ""
        return ""

    # -- one line after the other

    def run_interactive(self) -> None:
        """Somebody at a terminal, until they leave."""
        self.show_table()
        while True:
            self.step(self.run_line)

    def step(self, run_line: Callable[[str], None]) -> None:
        """Ask for a line and do what it says."""
        try:
            self.read_events()
            self.show_unread()
        except HandfulError as trouble:
            echo_error(trouble)
        line = self.read_line()
        try:
            run_line(line)
        except HandfulError as trouble:
            echo_error(trouble)
        except KeyboardInterrupt:
            echo("\n  stopped")

    def read_line(self) -> str:
        console.flush()
        try:
            line = input(self.prompt()).strip()
        except (EOFError, KeyboardInterrupt):
            raise console.UserLeft from None
        if line:
            editing.add_history(line)
        return line

    def run_script(self, script: Iterable[str]) -> int:
        """Obey a script; return how many lines were refused."""
        echo("\n".join(show_table.heading_lines(self.rules, self.view())))
        return run_script(script, self._script_prompt, self.run_line)

    def _script_prompt(self) -> str:
        self.read_events()
        self.unread.pop(self.seat, None)
        return self.prompt()

    def run_line(self, line: str) -> None:
        """One line: a word with what belongs to it, a check, or the answer to what is asked."""
        if not line.strip():
            self.press_enter()
        elif self.pending_roll and self.is_answer(line):  # such as an option that is a word, too
            self.answer(line)
        else:
            from handful.cli.repl.dispatch import run_words

            run_words(self, split(line))

    def press_enter(self) -> None:
        """Enter alone: the usual answer, the check at hand, or what is open."""
        from handful.cli.repl.checks import roll_now

        if self.pending_roll:
            self.answer("")
        elif self.current is not None and self._enter_rolls():
            roll_now(self, self.current)
        else:
            self.show_state()

    def is_answer(self, line: str) -> bool:
        if decisions.roll_awaiting(self.table, self.seat, self.pending_roll) is None:
            return decisions.are_faces(line)
        return decisions.is_answer_to(self.table, self.seat, self.pending_roll, line)

    def answer(self, line: str) -> None:
        from handful.cli.repl.rolls import answer_with, throw

        if due := decisions.faces_due(self.view(), self.pending_roll):
            if not line:
                raise Refused(f"type what your dice show, {due}: one face, or several by comma")
            throw(self, [self.pending_roll, *line.split()])
        else:
            answer_with(self, self.pending_roll, line)

    def handle_other_input(self, typed: str, refusal: Refused) -> None:
        """A line that does not answer the question for a parameter."""
        from handful.cli.repl.dispatch import handle_other_input

        handle_other_input(self, typed, refusal)

    def completions(self, before: Sequence[str], begun: str) -> list[str]:
        """What Tab offers; a completion never fails."""
        from handful.cli.repl.completion import completions

        try:
            return completions(self, before, begun)
        except HandfulError:
            return []
