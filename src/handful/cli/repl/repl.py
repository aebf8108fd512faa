"""The read-eval-print loop of a table, for the seat at the screen.

Every command is saved as soon as it is accepted, so Ctrl-C, Ctrl-D and a power cut lose nothing.
A table in memory has the same commands; its only seat is both GM and player, and nothing is saved.
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
from handful.errors import HandfulError, Message, Refused, format_count
from handful.library.tables import new_entropy
from handful.rules.ruleset import Ruleset
from handful.store import StoredTable
from handful.table import Command, Event, Table

if TYPE_CHECKING:
    from handful.cli.repl.parsing import ParsedCheck

KEY_LETTERS = "bcdfghjkmnpqrstvwxz"  # of random keys; no vowels, so they spell no words
KEY_LENGTH = 4
MAX_UNREAD = 15
# these commands print the roll itself, so SHOWN_EVENTS of that roll are not printed as sentences
SHOWN_COMMANDS = frozenset({"declare", "contest", "throw", "answer"})
# before these, a table with one seat finalises its decided rolls
FINAL_BEFORE = frozenset({"declare", "contest", "harm", "end_turn", "next_round", "end_fight"})
SHOWN_EVENTS = frozenset({"dice_thrown", "faces_typed", "decision_taken", "roll_finalised"})


class Repl:
    """A stored table and the state of its screen."""

    def __init__(self, stored: StoredTable, seat: str, *, interactive: bool, in_memory: bool = False) -> None:
        self.stored, self.seat, self.interactive, self.in_memory = stored, seat, interactive, in_memory
        self.last_read = stored.table  # the table as of the last event read
        self.unread: dict[str, list[str]] = {}  # seat -> sentences it has not read yet
        self.histories: dict[str, list[str]] = {}  # seat -> lines it has typed
        self.pending_roll = ""  # the roll whose question is on the screen
        self.own_dice: set[str] = set()  # rolls with physical dice
        self.default_characters: dict[str, str] = {}  # seat -> character set by `as`
        self.current_checks: dict[str, ParsedCheck] = {}  # seat -> its current check
        self.odds_shown = False  # odds of the current check are on the screen, and Enter rolls it
        self.prompter = Prompter(self.handle_other_input)  # asks for parameters
        self._cached_view: tuple[Table | None, str, dict[str, Any]] = (None, "", {})

    # -- state

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
        """Return the view of this seat; cached until the table or the seat changes."""
        table, seat, _ = self._cached_view
        if table is not self.table or seat != self.seat:
            self._cached_view = self.table, self.seat, self.stored.view(self.seat)
        return self._cached_view[2]

    # -- commands

    def submit(self, do: str, /, **data: Any) -> tuple[Event, ...]:
        """Submit a command of this seat, and print the resulting events."""
        data = {name.rstrip("_"): one for name, one in data.items() if one is not None}
        if do == "throw":
            data = _with_entropy(data)
        elif do in ("declare", "answer") and "throw" in data:
            data["throw"] = _with_entropy(data["throw"])
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
                if (self.seat, key) in self.table.command_digests:  # taken by another process
                    continue
                raise show_table.in_typed_words(refusal) from None
            if events:
                break
        shown = data.get("roll", f"{self.seat}/{key}")
        echo_lines(self.read_events(own=True, shown=shown if do in SHOWN_COMMANDS else ""))
        return events

    def _finalise(self) -> None:
        """Finalise every decided roll: at a table with one seat nobody else has to confirm."""
        for roll in names.possible_values(self.view(), "finalise", "roll"):
            self.stored.do(self.seat, Command("finalise", self._key(counts=False), {"roll": roll}))
        self.read_events(own=True)

    def _is_seen_by_all(self, do: str, data: dict[str, Any]) -> bool:
        asked = tables.known_to(self.table, self.seat).requests.get(data.get("request", ""))
        name = asked.mode if asked is not None else data.get("mode", "public")
        if do not in ("declare", "accept") or name not in tables.MODES:
            return False
        return tables.MODES[name].stricter(tables.MODES[self.table.mode]).others > 0

    def _key(self, counts: bool) -> str:
        """Return a fresh key for a command.

        Rolls visible to everyone are numbered; all else gets a random key, so that no gap in the
        numbers reveals a secret.
        """
        taken = {key for seat, key in self.table.command_digests if seat == self.seat}
        if counts:
            return str(1 + max((int(one) for one in taken if one.isdecimal()), default=0))
        while (key := "".join(choice(KEY_LETTERS) for _ in range(KEY_LENGTH))) in taken:
            continue
        return key

    def read_events(self, *, own: bool = False, shown: str = "") -> list[str]:
        """Read new events and queue their sentences for every seat.

        With `own`, sentences for this seat are returned instead, except `SHOWN_EVENTS` of the roll
        `shown`.
        """
        self.stored.refresh()
        fresh: list[str] = []
        for entry in self.stored.store.read(self.stored.header.table, after=self.last_read.seq):
            event = tables.read_event(entry)
            self.last_read = tables.evolve(self.last_read, event)
            texts = tables.EntryTexts(self.last_read, entry)
            for seat in self.last_read.seats:
                data = texts.data_for(self.last_read.viewer(seat))
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
        """Pass the screen to another seat, clearing all the previous one saw."""
        if seat != self.seat and self.interactive:
            self.histories[self.seat] = editing.swap_history(self.histories.get(seat, []))
            clear_screen()
            self.seat, self.pending_roll = seat, ""
            wait_for_enter(f"Pass the screen to {seat}, then press Enter. ")
            clear_screen()
        self.seat, self.pending_roll, self.odds_shown = seat, "", False
        self.show_table()

    def show_table(self) -> None:
        """Print heading, unread events and state for the seat at the screen."""
        if not self.is_solo:
            echo("\n".join(show_table.heading_lines(self.rules, self.view())))
        self.show_unread()
        echo("")
        self.show_state()

    def show_state(self) -> None:
        """Print the open state of the table; with one seat also the menu of checks."""
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
        echo("\n" + layout.apply_style("while you were away", "bold"))
        if left > 0:
            echo(f"  {format_count(left, 'earlier line')}: log {len(lines)}")
        echo_lines(lines[-MAX_UNREAD:])

    def prompt(self) -> str:
        return f"{self._prompt_label()}{self._question()}> "

    def _prompt_label(self) -> str:
        """Return the game, or the table and the seat; then the check that Enter rolls."""
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
        """Run in a terminal until the user leaves."""
        self.show_table()
        while True:
            self.step(self.run_line)

    def step(self, run_line: Callable[[str], None]) -> None:
        """Read a line and run it."""
        try:
            self.read_events()
            self.show_unread()
        except HandfulError as error:
            echo_error(error)
        line = self.read_line()
        try:
            run_line(line)
        except HandfulError as error:
            echo_error(error)
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
        """Run a script; return the number of refused lines."""
        echo("\n".join(show_table.heading_lines(self.rules, self.view())))
        return run_script(script, self._script_prompt, self.run_line)

    def _script_prompt(self) -> str:
        self.read_events()
        self.unread.pop(self.seat, None)
        return self.prompt()

    def run_line(self, line: str) -> None:
        """Run a line: a command, a check, or the answer to the pending question."""
        if not line.strip():
            self.press_enter()
        elif self.pending_roll and self.is_answer(line):  # first: an option may also be a command
            self.answer(line)
        else:
            from handful.cli.repl.dispatch import run_words

            run_words(self, split(line))

    def press_enter(self) -> None:
        """Handle an empty line: give the usual answer, roll the current check, or show the state."""
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
                raise Refused(Message("play.type_what_dice_show", due=due))
            throw(self, [self.pending_roll, *line.split()])
        else:
            answer_with(self, self.pending_roll, line)

    def handle_other_input(self, typed: str, refusal: Refused) -> None:
        """Handle a line that does not answer the question for a parameter."""
        from handful.cli.repl.dispatch import handle_other_input

        handle_other_input(self, typed, refusal)

    def completions(self, before: Sequence[str], begun: str) -> list[str]:
        """Return completions for Tab; never raises."""
        from handful.cli.repl.completion import completions

        try:
            return completions(self, before, begun)
        except HandfulError:
            return []


def _with_entropy(throw: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a throw; virtual dice get randomness of this device before what was typed."""
    return throw if "faces" in throw else {**throw, "entropy": new_entropy() + throw.get("entropy", "")}
