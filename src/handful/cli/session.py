"""The session at a terminal: pick a check, see its odds, roll, decide, look back.

What is settled of a check says which question comes next; any question also takes the words of
the session (`help` lists them) and a check as on the command line.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from handful import library
from handful import odds as exact
from handful.cli import editing, paper, rim
from handful.cli.asking import People, say, tell
from handful.cli.played import Played
from handful.cli.settling import Back, Enough, pick, settle
from handful.cli.show_odds import odds_text
from handful.cli.show_roll import brief_text, roll_text
from handful.cli.show_session import WORDS, help_lines, history_lines, option_lines
from handful.cli.supply import Supply
from handful.cli.wanted import Wanted, following, names_a_check, playable, read, split
from handful.cli.words import cut, whole
from handful.errors import HandfulError, Refused, TooBig, did_you_mean
from handful.library import Roll
from handful.roll import Throw
from handful.rules.params import canonical, lookup
from handful.rules.ruleset import text

if TYPE_CHECKING:
    pass

READY = "Enter rolls, d rolls with your own dice, name=value changes the check."
ROLLED = "Enter rolls again; history {} says where each die and point comes from."
MOST_ROWS = 10  # of a table of odds: the chance above it stays in sight
EXPLAINED = (
    "press Enter to roll, or type d to type in what your own dice show; target=3 and the like "
    "changes the check, back picks another one"
)


class Undo(Exception):
    """The last decision is taken back."""


class Go(Exception):
    """Somebody typed what to roll next."""

    def __init__(self, wanted: Wanted, *, roll: bool = False) -> None:
        super().__init__()
        self.wanted, self.roll = wanted, roll


class Session:
    """Somebody at a terminal, what they want to roll, and what they have rolled."""

    def __init__(self, wanted: Wanted | None = None) -> None:
        self.people = People(self.otherwise)
        self.wanted = wanted or Wanted()
        self.weighed: Wanted | None = None  # whose odds need not be shown again
        self.rolled: Wanted | None = None  # what the last roll was of
        self.played = Played()
        self.due: Roll | None = None  # the roll to play next
        self.playing = False
        self.own_dice = False

    # -- from question to question

    def lead(self) -> None:
        """Ask and roll until somebody leaves."""
        while True:
            try:
                self._step()
            except Back:
                self.wanted = self.wanted.back()
            except Undo:
                self._reopen()
            except Go as go:
                self._tell_what_stays(go.wanted)
                self.wanted, self.weighed = go.wanted, None
                if go.roll and go.wanted.words is not None:
                    self._begin(own_dice=False)
            except HandfulError as trouble:  # a rule that fails, say; there is more to roll
                if self.wanted.rules is None:
                    raise
                tell(trouble)

    def _step(self) -> None:
        wanted = self.wanted
        if self.due is not None:
            roll, self.due = self.due, None
            self._play(roll)
        elif wanted.rules is None:
            self.wanted = Wanted.of_game(self._pick_game())
        elif wanted.check is None:
            rows = [(n, text(wanted.rules.checks[n].title)) for n in playable(wanted.rules)]
            question = f"\n{text(wanted.rules.title)}: which check?"
            self.wanted = wanted.checked(pick(self.people, question, "check", rows))
        elif wanted.words is None:
            self.wanted = settle(self.people, wanted)
        else:
            self._at_the_table(wanted)

    def _tell_what_stays(self, wanted: Wanted) -> None:
        """House rules, and who makes the checks: what stays is worth a line when it changes."""
        if wanted.who != self.wanted.who:
            who = (
                f"from now on {wanted.who} makes the checks" if wanted.who else "nobody from now on"
            )
            say("\n".join(paper.folded(f"--as: {who}", 2, 4)))
        if wanted.options and wanted.options != self.wanted.options:
            rules = " ".join(f"{name}={value}" for name, value in wanted.options.items())
            say("\n".join(paper.folded(f"house rules from now on: {rules}", 2, 4)))

    def _pick_game(self) -> str:
        games = [library.ruleset(name) for name in library.shipped()]
        rows = [(game.id, f"{game.title}: {text(game.rules.about)}") for game in games]
        return pick(self.people, "\nWhich game?", "game", rows)

    def _at_the_table(self, wanted: Wanted) -> None:
        """Everything is settled: odds, then a roll or a change."""
        if self.weighed != wanted:
            self.weighed = wanted
            editing.remember(wanted.line())
            say("")
            self._show_odds()
        rolled = self.rolled == wanted
        say("\n" + (ROLLED.format(len(self.played.rolls)) if rolled else READY))
        assert wanted.rules is not None
        assert wanted.check is not None
        names = [f"{name}=" for name in wanted.check.params]
        prompt = f"{wanted.rules.id} {wanted.check.name}> "
        self.people.ask(prompt, lambda typed: self._ready(wanted, typed), EXPLAINED, names)

    def _ready(self, wanted: Wanted, typed: str) -> None:
        word = typed.lower()
        if word in ("", "roll", "d", "dice"):
            self._begin(own_dice=word in ("d", "dice"))
        elif "=" in typed and not typed.startswith("-") and "=" in split(typed)[0]:
            raise Go(wanted.changed(split(typed)))
        else:
            raise Refused(f"{cut(typed)!r} is not understood; press Enter to roll, or type help")

    # -- rolls

    def _begin(self, *, own_dice: bool) -> None:
        bound, draft = self.wanted.asked()
        roll = Roll.begin(bound)
        self.own_dice = own_dice
        self.weighed = self.rolled = self.wanted
        editing.remember(self.wanted.line())
        self.played.begin(roll, draft)
        self.due = roll

    def _reopen(self) -> None:
        """Go on with the last roll as it was at its last decision."""
        if not self.played.open:
            self._take_back()
        self.due = self.played.rolls[-1]

    def _take_back(self) -> Roll:
        say("  taken back")
        return self.played.take_back()

    def _play(self, roll: Roll) -> None:
        """A roll to its end; it stays open when somebody turns to something else."""
        supply = Supply([] if self.own_dice else None, None, self.people.faces)
        self.playing = True
        try:
            while roll.ask is not None:
                self.played.go_on(roll)
                try:
                    roll = self._next(roll, supply)
                except Undo:
                    roll = self._take_back()
        except (Back, Go) as turn:
            say("  the roll stays open; undo returns to it")
            if isinstance(turn, Go):
                raise
            return
        finally:
            self.playing = False
        self.played.go_on(roll)
        say(f"\n{brief_text(roll)}")

    def _next(self, roll: Roll, supply: Supply) -> Roll:
        if isinstance(roll.ask, Throw):
            return supply.throw(roll)
        after = self.people.decision(roll)
        self.played.decide(roll)
        return after

    # -- what answers no question

    def otherwise(self, typed: str, refusal: Refused) -> None:
        """A word of the session, or a check; anything else is the mistake that it seems to be."""
        first, *more = split(typed) or [""]
        words: dict[str, Callable[[Sequence[str]], None]] = {
            "help": self._help,
            "odds": self._odds,
            "undo": self._undo,
            "again": self._again,
            "history": self._history,
            "options": self._options,
            "back": self._back,
            "done": self._done,
        }
        if first.lower() == "handful" and more:
            first, *more = more
        if (word := lookup(first, words)) is not None:
            words[word](more)
        elif first.lower() == "roll" and more:
            raise Go(read(more, self.wanted), roll=True)
        elif names_a_check(first, self.wanted):
            raise Go(read([first, *more], self.wanted))
        else:
            self._command([first, *more], refusal)

    def _command(self, words: Sequence[str], refusal: Refused) -> None:
        """Any other command of handful."""
        from handful.cli.app import COMMANDS, handful

        if words[0] not in COMMANDS or words[0] in ("roll", "play"):
            checks = playable(self.wanted.rules) if self.wanted.rules is not None else []
            known = (*self.people.names, *WORDS, *checks, *library.shipped())
            hint = refusal.hint or did_you_mean(canonical(words[0]), known)
            raise Refused(refusal.message, hint)
        args = [*words, self.wanted.game] if words == ["checks"] and self.wanted.game else words
        try:
            handful.main(list(args), prog_name="handful", standalone_mode=False)
        except HandfulError:
            raise
        except Exception as trouble:  # click's own, mostly
            rim.flush()
            rim.told(trouble)

    def offers(self, before: Sequence[str], begun: str) -> list[str]:
        """What Tab offers at the question at hand."""
        own = [] if before else [*self.people.names, *WORDS]
        return own + following(before, begun, self.wanted)

    def _help(self, _: Sequence[str]) -> None:
        say("\n".join(help_lines(self.people.explained)))

    def _odds(self, more: Sequence[str]) -> None:
        if more:
            raise Go(read(more, self.wanted))
        self._show_odds()

    def _show_odds(self) -> None:
        """The odds from here; Ctrl-C stops the work, not the session."""
        roll = self.played.rolls[-1] if self.playing else None
        if roll is None and self.wanted.words is None:
            raise Refused("there is nothing to weigh yet; pick a check first")
        try:
            if roll is not None:
                bound, draft = roll.bound, self.played.drafts[-1]
            else:
                bound, draft = self.wanted.asked()
            odds = roll.odds() if roll is not None else exact.odds(bound)
            say(odds_text(bound, odds, roll, most_rows=MOST_ROWS, draft=draft))
        except TooBig as refusal:
            tell(Refused(f"the odds: {refusal.message}", refusal.hint))
        except KeyboardInterrupt:
            say("\n  the odds: stopped")

    def _undo(self, _: Sequence[str]) -> None:
        if self.playing or not self.played.open:
            self.played.check_undo()
        raise Undo

    def _again(self, _: Sequence[str]) -> None:
        if self.rolled is None:
            raise Refused("nothing was rolled yet; pick a check first")
        raise Go(self.rolled, roll=True)

    def _history(self, more: Sequence[str]) -> None:
        rolls = self.played.rolls
        if not more:
            say("\n".join(history_lines(rolls, self.played.taken_back)))
            return
        number = whole(more[0])
        if number is None or not 1 <= number <= len(rolls):
            known = f"1 to {len(rolls)}" if rolls else "none so far"
            raise Refused(f"there is no roll {cut(more[0])!r}; there are {known}")
        say(roll_text(rolls[number - 1], self.played.drafts[number - 1]))

    def _options(self, more: Sequence[str]) -> None:
        if self.wanted.rules is None:
            raise Refused("house rules belong to a game; pick one first")
        if any("=" in word for word in more):
            raise Go(self.wanted.ruled(more))
        say("\n".join(option_lines(self.wanted.rules, self.wanted.options, more)))

    def _back(self, _: Sequence[str]) -> None:
        if self.wanted.rules is None and not self.playing:
            raise Refused("this is the beginning; quit leaves")
        raise Back

    def _done(self, _: Sequence[str]) -> None:
        if self.playing or self.wanted.check is None or self.wanted.words is not None:
            raise Refused("nothing is left to be asked here; done is for parameters")
        raise Enough
