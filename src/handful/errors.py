"""What can go wrong, by name.

`Refused` is for what somebody typed or answered: say it differently and it works.
`RuleError` is for a broken ruleset file: somebody has to mend the file.
`NotInstalled` and `FileFault` are for the machine: something has to be put there first.
The rim turns each into one line and an exit status; nothing else may reach a user.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

MAX_SOURCE_LENGTH = 300  # characters of a line that is shown
MAX_GUESS_LENGTH = 60  # of a name for which it is worth looking for a similar one
MAX_GUESSES = 500
MAX_LISTED = 60


class HandfulError(Exception):
    """Every expected failure; `hint` is a second line that may help."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class Refused(HandfulError):
    """The request is not allowed as it stands; nothing happened."""


class NotAccepted(Refused):
    """Words that one check does not take; another one may."""


class BadReply(Refused):
    """A reply that the rules do not allow at this point of the roll."""


class TooBig(Refused):
    """More work than the budget allows; nothing was computed.

    `cost` is about how many steps it would have taken, where that is known.
    """

    def __init__(self, message: str, hint: str = "", cost: int | None = None) -> None:
        super().__init__(message, hint)
        self.cost = cost


class NotInstalled(HandfulError):
    """Something that Handful can do, but not in this installation."""


class FileFault(HandfulError):
    """A file that is missing, unreadable or not a ruleset."""


class BadCharacter(FileFault):
    """A character that does not fit its game; `mistakes` has a line for each."""

    def __init__(self, mistakes: Sequence[str], file: str = "") -> None:
        more = len(mistakes) - 1
        shows = f": `handful sheet --check {file}` shows them all" if file else ""
        super().__init__(
            f"{file or 'the character'}: {mistakes[0]}",
            f"and {format_count(more, 'more mistake')}{shows}" if more else "",
        )
        self.mistakes, self.file = tuple(mistakes), file


class RuleError(HandfulError):
    """A mistake in a ruleset, with the place where it stands."""

    def __init__(
        self,
        message: str,
        *,
        hint: str = "",
        file: str = "",
        rule: str = "",
        line: int = 0,
        column: int = 0,
        source: str = "",
        end: tuple[int, int] = (0, 0),
    ) -> None:
        super().__init__(message, hint)
        self.end = end  # the line and the column behind it; 0: not known
        self.file, self.rule, self.line, self.column = file, rule, line, column
        self.source = _truncate("".join(c if c.isprintable() or c == "\t" else "\ufffd" for c in source))

    @property
    def place(self) -> str:
        """Where it is: file, line and column, rule, as far as they are known."""
        where = ":".join(str(part) for part in (self.file, self.line, self.column) if part)
        return f"{where} [{self.rule}]" if self.rule else where

    def __str__(self) -> str:
        text = f"{self.place}: {self.message}" if self.place else self.message
        if self.source and self.column <= MAX_SOURCE_LENGTH:
            caret = " " * max(self.column - 1, 0) + "^"
            text += f"\n    {self.source}\n    {caret}"
        if self.hint:
            text += f"\n    {self.hint}"
        return text


def _truncate(text: str) -> str:
    return text if len(text) <= MAX_SOURCE_LENGTH else text[: MAX_SOURCE_LENGTH - 1] + "…"


def did_you_mean(name: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """A suggestion for a mistyped name, or an empty text."""
    from difflib import get_close_matches  # only a mistake pays for loading it

    if len(name) > MAX_GUESS_LENGTH:
        return ""
    names = [own for own in known if len(own) <= MAX_GUESS_LENGTH][:MAX_GUESSES]
    close = get_close_matches(name.lower(), names, n=1, cutoff=cutoff)
    return f"did you mean {close[0]!r}?" if close else ""


def format_count(number: int, what: str) -> str:
    """`1 face`, `2 faces`, `1,000 faces`."""
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def format_choices(names: Iterable[str]) -> str:
    """Names for a message: `a, b or c`."""
    all_ = list(names) or ["nothing"]
    *rest, last = all_ if len(all_) <= MAX_LISTED else [*all_[:MAX_LISTED], "…"]
    return f"{', '.join(rest)} or {last}" if rest else last
