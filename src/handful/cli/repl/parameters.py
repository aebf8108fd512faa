"""Asks for the parameters of a check, one after the other.

Labels, help, ranges and defaults come from the ruleset.  The questions are a generator that is
sent the answers; `back` restarts it with one answer fewer, so no question has to support undo.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from handful.cli import layout
from handful.cli.catalog import param_text
from handful.cli.check_request import shorten_word
from handful.cli.heading import format_value as shown_value
from handful.cli.prompts import Prompter, echo, echo_error
from handful.cli.repl.parsing import split
from handful.errors import Message, Refused, did_you_mean
from handful.rules.params import Param, match_name, normalize_name
from handful.rules.ruleset import Check, localize

if TYPE_CHECKING:
    from handful.cli.repl.sheet_names import SheetNames

MAX_PROMPTS = 8  # of longer lists, only the required ones and ladders are asked one by one


class Back(Exception):
    """The user typed `back`."""


class SkipRest(Exception):
    """The user typed `done`: take the defaults of all optional parameters left."""


BACK, DONE = "back", "done"


@dataclass(frozen=True, slots=True)
class Question:
    """The next question: one parameter, any of several, or whether another side follows."""

    title: str  # of the side
    param: Param | None = None
    others: tuple[Param, ...] = ()  # parameters that may also be given in this answer
    side_word: str = ""  # the keyword before another side: vs or with
    likely: bool = False  # Enter means yes
    names: SheetNames | None = None  # names on the sheet that may replace numbers

    @property
    def needed(self) -> bool:
        return self.param is not None and self.param.required

    def validate(self, param: Param, typed: str) -> None:
        """Refuse a value that does not fit a parameter."""
        if self.names is not None:
            self.names.validate(param, typed)
        else:
            param.read(typed)


Questions = Generator[Question, list[str], list[str]]


def ask_parameters(
    prompter: Prompter, check: Check, names: SheetNames | None, fits: Callable[[list[str]], None]
) -> list[str]:
    """Ask for the parameters of a check until `fits` accepts them; return the words."""
    echo("\n".join(["", *layout.wrap_text(f"{localize(check.title)}: {localize(check.help)}", 0)]))
    if names is not None:
        who = f"{names.character.name} makes this check: type names from the sheet where they are listed."
        echo("\n".join(layout.wrap_text(who, 0, 2)))
    echo("Enter takes the value in brackets; done takes all the rest.")
    given: list[list[str]] = []
    while True:
        try:
            words = _run_questions(
                lambda: _questions(check, names), given, lambda asked: _ask_question(prompter, asked)
            )
            fits(words)
            return words
        except Refused as refusal:
            echo_error(refusal)
            del given[-1:]


def _run_questions(
    asked: Callable[[], Questions],
    given: list[list[str]],
    answer: Callable[[Question], list[str]],
) -> list[str]:
    """Replay the given answers, ask the remaining questions; return all words."""
    enough = False
    while True:
        questions = asked()
        try:
            question = next(questions)
            for words in given:
                question = questions.send(words)
            while True:
                try:
                    words = [] if enough and not question.needed else answer(question)
                except SkipRest:
                    enough = True
                    continue
                given.append(words)
                question = questions.send(words)
        except Back:
            if not given:
                raise
            del given[-1]
        except StopIteration as end:
            all_words: list[str] = end.value
            return all_words


def _questions(check: Check, names: SheetNames | None) -> Questions:
    """Yield the questions of a check in order; return all words."""
    sides = check.sides
    if sides is None:
        return (yield from _parameter_questions(list(check.params.values()), "", names))
    words = yield from _parameter_questions(check.overall(), "", names)
    number = 1
    while True:
        title = f"side {number}" if sides.word == "vs" else f"member {number}"
        words += yield from _parameter_questions(check.per_side(), title, names if number == 1 else None)
        number += 1
        if number > sides.most:
            return words
        if number > sides.least and not (yield Question(title, side_word=sides.word, likely=number == 2)):
            return words
        words.append(sides.word)


def _parameter_questions(params: Sequence[Param], title: str, names: SheetNames | None) -> Questions:
    """Yield one question per parameter; in long lists the minor ones share one."""
    asked = list(params)
    if len(asked) > MAX_PROMPTS:
        asked = [p for p in params if p.required or p.type == "ladder"]
    words: list[str] = []
    for param in asked:
        left = tuple(p for p in params if p.name not in _names(words))
        if param in left:
            words += yield Question(title, param, left, names=names)
    rest = tuple(p for p in params if p not in asked and p.name not in _names(words))
    if rest:
        words += yield Question(title, others=rest, names=names)
    return words


def _names(words: Sequence[str]) -> set[str]:
    return {word.partition("=")[0] for word in words}


# -- one question


def _ask_question(prompter: Prompter, question: Question) -> list[str]:
    """Ask one question; return the words of the answer."""
    title = f"{question.title}, " if question.title else ""
    if question.side_word:
        what = "side" if question.side_word == "vs" else "member"
        return prompter.ask(
            f"another {what}? [{'yes' if question.likely else 'no'}]: ",
            lambda typed: [question.side_word] if _read_yes_no(typed, question.likely) else [],
            f"yes adds another {what}, no goes on",
        )
    given = [f"{param.name}=" for param in question.others]
    if question.param is None:
        others = f"{title}also: {', '.join(param.name for param in question.others)}"
        echo("\n".join(layout.wrap_text(others, 0, 2)))
        return prompter.ask(
            "a name, name=value, or ? to explain [none]: ",
            lambda typed: _read_remaining(prompter, question, typed),
            "\n".join(f"{p.name}: {param_text(p)}" for p in question.others),
            given,
        )
    param = question.param
    echo("\n".join(layout.wrap_text(f"{title}{param.name}: {param_text(param)}", 0, 2)))
    names = question.names.names_for(param) if question.names is not None else []
    if question.names is not None and names:
        echo("\n".join(layout.wrap_text(question.names.summary(param), 2, 4)))
    default = "" if param.required else f" [{shown_value(param.default, param)}]"
    return prompter.ask(
        f"{param.name}{default}: ",
        lambda typed: _read_value(question, typed),
        f"{localize(param.label)}: {param.expects()}; several at once: "
        f"{param.name}={param.example()} and more such words",
        [*names, *param.values, *param.ladder, *param.words, *given],
    )


def _read_yes_no(typed: str, likely: bool) -> bool:
    word = typed.lower()
    if word not in ("", "y", "yes", "n", "no"):
        raise Refused(Message("play.yes_or_no", typed=shorten_word(typed)))
    return word.startswith("y") if word else likely


def _read_value(question: Question, typed: str) -> list[str]:
    """Parse an answer: a value of the parameter asked for, or `name=value` words."""
    param = question.param
    assert param is not None
    if "=" in typed:
        return _read_named(question, typed)
    if not param.required and typed.lower() in ("", shown_value(param.default, param).lower()):
        return []
    if not typed:
        raise Refused(Message("play.is_needed", name=param.name, expects=param.expects()))
    if param.type == "text" and normalize_name(typed) in ("?", "help", BACK, DONE):
        raise Refused(Message("play.if_you_mean_that", name=param.name, typed=typed))
    question.validate(param, typed)
    return [f"{param.name}={typed}"]


def _read_remaining(prompter: Prompter, question: Question, typed: str) -> list[str]:
    """Parse the answer for minor parameters; a name alone asks for its value."""
    if not typed:
        return []
    by_name = {param.name: param for param in question.others}
    if (own := match_name(typed, by_name)) is None:
        return _read_named(question, typed)
    param = by_name[own]
    alone = Question(question.title, param, question.others, names=question.names)
    left = tuple(other for other in question.others if other is not param)
    try:
        words = _ask_question(prompter, alone)
    except Back:
        return _ask_question(prompter, question)
    if not left:
        return words
    return words + _ask_question(prompter, Question(question.title, others=left, names=question.names))


def _read_named(question: Question, typed: str) -> list[str]:
    """Parse `name=value` words; refuse unknown parameters and values that do not fit."""
    by_name = {param.name: param for param in question.others}
    found: list[str] = []
    for word in split(typed):
        name, equals, value = word.partition("=")
        own = match_name(name, by_name)
        if own is None or not equals or not value.strip():
            raise Refused(
                Message(
                    "play.write_name_and_value",
                    word=shorten_word(word),
                    name=question.others[0].name,
                    example=question.others[0].example(),
                ),
                "" if own else did_you_mean(normalize_name(name), by_name),
            )
        if own in _names(found):
            raise Refused(Message("value.given_twice", name=own))
        question.validate(by_name[own], value)
        found.append(f"{own}={value}")
    return found
