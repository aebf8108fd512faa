"""The exceptions of Handful, and the messages they carry.

`Refused`: the input is not allowed; other input is.
`RuleError`: a ruleset file has a mistake.
`NotInstalled` and `FileFault`: something is missing on this machine.
Invariant: every expected failure is one of these; the command line prints each as one line.
A message has a code and arguments; its texts are in `messages/`, one file per language.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from typing import Any

MAX_SOURCE_LENGTH = 300  # characters of a quoted source line
MAX_GUESS_LENGTH = 60  # longest name for which a similar one is suggested
MAX_GUESSES = 500
MAX_LISTED = 60


class Message:
    """A text for people: its code in the catalogues, and the values to fill in.

    An argument may be a message itself, a list of names or messages, or a text in several languages.
    `str(message)` is the English text; `handful.catalogue` has the other languages.
    A message without code is false if it is empty, else a text that is shown as it is.
    """

    __slots__ = ("args", "code")
    code: str
    args: dict[str, object]

    def __init__(self, code: str = "", /, **args: object) -> None:
        object.__setattr__(self, "code", code)
        object.__setattr__(
            self,
            "args",
            {name: tuple(one) if isinstance(one, (Iterator, Set)) else one for name, one in args.items()},
        )

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a Message cannot be changed")

    def __bool__(self) -> bool:
        return bool(self.code or self.args)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Message):
            return NotImplemented
        return (self.code, self.args) == (other.code, other.args)

    def __hash__(self) -> int:
        return hash((self.code, *self.args))

    def __repr__(self) -> str:
        return f"Message({', '.join([repr(self.code), *(f'{k}={v!r}' for k, v in self.args.items())])})"

    def __str__(self) -> str:
        from handful.catalogue import render  # imported late: only texts that are shown need it

        return render(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (self.code, self.args)


def _rebuild(code: str, args: dict[str, object]) -> Message:
    return Message(code, **args)


NO_MESSAGE = Message()


Text = Message | str  # a plain text is shown as it is, such as a line of code


def as_message(text: Text) -> Message:
    """Return a message as it is, and a text as a message that shows it."""
    if isinstance(text, Message):
        return text
    return Message("", text=text) if text else NO_MESSAGE


def unplaced(message: Message) -> Message:
    """Return a message without the place that stands before it: `n: is too large` is `is too large`."""
    problem = message.args.get("problem")
    return problem if message.code == "at" and isinstance(problem, Message) else message


class HandfulError(Exception):
    """Base of all expected failures: what is wrong, and optionally what would be right.

    `problem` and `advice` are messages, `message` and `hint` their English texts.
    """

    def __init__(self, message: Text, hint: Text = NO_MESSAGE) -> None:
        super().__init__(message)
        self.problem, self.advice = as_message(message), as_message(hint)

    @property
    def code(self) -> str:
        """Code of the problem, such as `sheet.unknown_field`; programs can rely on it."""
        return self.problem.code

    @property
    def message(self) -> str:
        return str(self.problem)

    @property
    def hint(self) -> str:
        return str(self.advice)

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle without calling `__init__`, whose parameters differ from class to class."""
        return _rebuild_error, (type(self), self.args, self.__dict__)


def _rebuild_error(cls: type[HandfulError], args: tuple[object, ...], state: dict[str, Any]) -> HandfulError:
    error = cls.__new__(cls)
    error.args = args
    error.__dict__.update(state)
    return error


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

    def __init__(self, message: Text, hint: Text = NO_MESSAGE, cost: int | None = None) -> None:
        super().__init__(message, hint)
        self.cost = cost


class NotInstalled(HandfulError):
    """A feature needs an optional package that is not installed."""


class FileFault(HandfulError):
    """A file is missing, unreadable or not of the expected kind."""


class BadCharacter(FileFault):
    """A character does not fit its game; `problems` has a message for each mistake."""

    def __init__(self, problems: Sequence[Message], file: str = "") -> None:
        more = len(problems) - 1
        hint = NO_MESSAGE
        if more:
            code = "character.more_mistakes_in_file" if file else "character.more_mistakes"
            hint = Message(code, count=more, **({"file": file} if file else {}))
        owner = file or Message("character.unnamed")
        super().__init__(Message("at", place=owner, problem=problems[0]), hint)
        self.problems, self.file = tuple(problems), file

    @property
    def mistakes(self) -> tuple[str, ...]:
        """Mistakes in English, one line each."""
        return tuple(map(str, self.problems))


class RuleError(HandfulError):
    """A mistake in a ruleset, with its position."""

    def __init__(
        self,
        message: Text,
        *,
        hint: Text = NO_MESSAGE,
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
        if self.advice:
            text += f"\n    {self.hint}"
        return text


def _truncate(text: str) -> str:
    return text if len(text) <= MAX_SOURCE_LENGTH else text[: MAX_SOURCE_LENGTH - 1] + "…"


def closest_name(name: str, candidates: Iterable[str], cutoff: float = 0.6) -> str:
    """Return the candidate that a mistyped name resembles most, or an empty text."""
    from difflib import get_close_matches  # imported late: only needed for mistakes

    if len(name) > MAX_GUESS_LENGTH:
        return ""
    names = [own for own in candidates if len(own) <= MAX_GUESS_LENGTH][:MAX_GUESSES]
    return next(iter(get_close_matches(name.lower(), names, n=1, cutoff=cutoff)), "")


def did_you_mean(name: str, candidates: Iterable[str], cutoff: float = 0.6) -> Message:
    """Return a suggestion for a mistyped name, or an empty message."""
    close = closest_name(name, candidates, cutoff)
    return Message("did_you_mean", name=close) if close else NO_MESSAGE


def format_count(number: int, what: str) -> str:
    """Return a count with its noun: `1 face`, `2 faces`, `1,000 faces`."""
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def format_choices(names: Iterable[object], word: str = "or") -> str:
    """Join names for a message: `a, b or c`."""
    all_ = list(map(str, names)) or ["nothing"]
    *rest, last = all_ if len(all_) <= MAX_LISTED else [*all_[:MAX_LISTED], "…"]
    return f"{', '.join(rest)} {word} {last}" if rest else last
