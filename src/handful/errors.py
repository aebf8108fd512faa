"""The exceptions of Handful, and helpers for their messages.

`Refused`: the input is not allowed; other input is.
`RuleError`: a ruleset file has a mistake.
`NotInstalled` and `FileFault`: something is missing on this machine.
Invariant: every expected failure is one of these; the command line prints each as one line.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

MAX_SOURCE_LENGTH = 300  # characters of a quoted source line
MAX_GUESS_LENGTH = 60  # longest name for which a similar one is suggested
MAX_GUESSES = 500
MAX_LISTED = 60


class HandfulError(Exception):
    """Base of all expected failures; `hint` is an optional second line."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class Refused(HandfulError):
    """The request is not allowed; nothing was changed."""


class NotAccepted(Refused):
    """Words that one check does not accept; another check may."""


class BadReply(Refused):
    """A reply that the rules do not allow at this point of a roll."""


class TooBig(Refused):
    """The work exceeds the budget; nothing was computed.

    `cost` is the estimated number of steps, or None if it is unknown.
    """

    def __init__(self, message: str, hint: str = "", cost: int | None = None) -> None:
        super().__init__(message, hint)
        self.cost = cost


class NotInstalled(HandfulError):
    """A feature needs an optional package that is not installed."""


class FileFault(HandfulError):
    """A file is missing, unreadable or not of the expected kind."""


class BadCharacter(FileFault):
    """A character does not fit its game; `mistakes` has a line for each mistake."""

    def __init__(self, mistakes: Sequence[str], file: str = "") -> None:
        more = len(mistakes) - 1
        shows = f": `handful sheet --check {file}` shows them all" if file else ""
        super().__init__(
            f"{file or 'the character'}: {mistakes[0]}",
            f"and {format_count(more, 'more mistake')}{shows}" if more else "",
        )
        self.mistakes, self.file = tuple(mistakes), file


class RuleError(HandfulError):
    """A mistake in a ruleset, with its position."""

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
        self.end = end  # line and column behind the mistake; 0 if unknown
        self.file, self.rule, self.line, self.column = file, rule, line, column
        self.source = _truncate("".join(c if c.isprintable() or c == "\t" else "\ufffd" for c in source))

    @property
    def place(self) -> str:
        """Position as text: the known ones of file, line, column and rule."""
        position = ":".join(str(part) for part in (self.file, self.line, self.column) if part)
        return f"{position} [{self.rule}]" if self.rule else position

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


def did_you_mean(name: str, candidates: Iterable[str], cutoff: float = 0.6) -> str:
    """Return a suggestion for a mistyped name, or an empty text."""
    from difflib import get_close_matches  # imported late: only needed for mistakes

    if len(name) > MAX_GUESS_LENGTH:
        return ""
    names = [own for own in candidates if len(own) <= MAX_GUESS_LENGTH][:MAX_GUESSES]
    close = get_close_matches(name.lower(), names, n=1, cutoff=cutoff)
    return f"did you mean {close[0]!r}?" if close else ""


def format_count(number: int, what: str) -> str:
    """Return a count with its noun: `1 face`, `2 faces`, `1,000 faces`."""
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def format_choices(names: Iterable[str]) -> str:
    """Join names for a message: `a, b or c`."""
    all_ = list(names) or ["nothing"]
    *rest, last = all_ if len(all_) <= MAX_LISTED else [*all_[:MAX_LISTED], "…"]
    return f"{', '.join(rest)} or {last}" if rest else last
