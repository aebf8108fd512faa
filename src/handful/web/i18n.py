"""What the server says, in the language of whoever reads it.

The core speaks English, and everything it says is written there and nowhere else.  A catalogue has
the German for each message by its shape, `{name} has no seat`: what was filled in is found again in
the English text and put into the German one.  So a translation never tells more than the message.
A text that no shape fits stays English.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from starlette.datastructures import Headers

from handful.library.files import read_text
from handful.rules.ruleset import Ruleset, word_keys

LANGUAGES = ("en", "de")
MESSAGES = Path(__file__).with_name("messages")
LONGEST = 2000  # characters of a text that is looked at; longer ones stay as they are
DEEPEST = 5  # parts of parts
# Parts of answers that are sentences for people: how decisions are taken, and what is different.
TOLD = ("assumed", "decides", "policy", "unfit", "waits_for", "words")
LISTS = {"or": " oder ", "and": " und "}
FIELD = re.compile(r"\{(\w+)(?::(\w+))?\}")
ONE = r"(?:a )?[\w.-]+"
NAMES = re.compile(rf"(?:{ONE}, )*{ONE} or {ONE}")  # a list of bare names, or of kinds of things
QUOTED = re.compile(r"'[^']*'(?:, '[^']*')* or '[^']*'")  # a list of names in quotation marks
NO_WORDS: Mapping[str, str] = {}


def language_of(headers: Headers, wanted: str = "") -> str:
    """What was asked for by name, else the first known one of Accept-Language, else English."""
    liked: list[tuple[float, str]] = []
    for entry in headers.get("accept-language", "")[:200].split(","):
        name, _, weight = entry.strip().partition(";q=")
        try:
            liked.append((-float(weight or 1), name))
        except ValueError:
            continue
    for name in (wanted, *(name for _, name in sorted(liked, key=lambda one: one[0]))):
        if (code := name.strip()[:2].lower()) in LANGUAGES:
            return code
    return LANGUAGES[0]


class Shape:
    """A message with places for what is filled in."""

    def __init__(self, english: str, other: str) -> None:
        self.texts = [_braces(one) for one in FIELD.split(_hidden(english))[::3]]
        self.names = [name for name, _ in FIELD.findall(_hidden(english))]
        self.other = _hidden(other)
        self.has_list = ":or}" in english or ":and}" in english
        self.weight = sum(map(len, self.texts))
        self.fits = self.weight > 0 and all(self.texts[1:-1])  # parts side by side: who knows where

    def parts(self, text: str) -> dict[str, str] | None:
        """What was filled in; None if the text has another shape."""
        first, *rest = self.texts
        if not text.startswith(first):
            return None
        if not rest:
            return {} if text == first else None
        found, at = [], len(first)
        for one in rest[:-1]:
            end = text.find(one, at + 1)
            if end < 0:
                return None
            found.append(text[at:end])
            at = end + len(one)
        end = len(text) - len(rest[-1])
        if end <= at or not text.endswith(rest[-1]):
            return None
        return dict(zip(self.names, [*found, text[at:end]], strict=True))


def _hidden(text: str) -> str:
    """Braces that stand for themselves, out of the way of those around names."""
    return text.replace("{{", "\0").replace("}}", "\1")


def _braces(text: str) -> str:
    return text.replace("\0", "{").replace("\1", "}")


def _likely(shape: Shape) -> tuple[int, bool]:
    """Much of its own first; of equal ones that with a list, which is the narrower one."""
    return -shape.weight, not shape.has_list


class Tongue:
    """A language beside English."""

    def __init__(self, words: Mapping[str, str], messages: Mapping[str, str]) -> None:
        self.words = words
        shapes = (Shape(english, other) for english, other in messages.items())
        self.shapes = sorted((one for one in shapes if one.fits), key=_likely)

    def says(self, text: str, game: Mapping[str, str] = NO_WORDS, *, of_a_file: bool = False) -> str:
        """A message; `game` has the words of the game for its own.

        One of a file has names and keywords that stay as the file has them.
        """
        if len(text) > LONGEST:
            return text
        return "\n".join(Saying(self, game, of_a_file).whole(one)[1] for one in text.split("\n"))


Said = tuple[int, str]  # how many characters of the English text are known, and the other one


class Saying:
    """One message: of all shapes that fit, the one of which the most is known, parts included."""

    def __init__(self, tongue: Tongue, game: Mapping[str, str], of_a_file: bool) -> None:
        self.tongue, self.game, self.of_a_file = tongue, game, of_a_file
        self._known: dict[str, Said] = {}

    def whole(self, text: str, deep: int = 0) -> Said:
        if text in self.game:
            return len(text), self.game[text]
        if text not in self._known:
            self._known[text] = 0, text  # also while its parts are looked at
            found = [self._filled(one, parts, deep) for one, parts in self._fitting(text, deep)]
            found += [self._list(text, "or", deep)] if NAMES.fullmatch(text) else []
            self._known[text] = max(found, key=lambda one: one[0], default=(0, text))
        return self._known[text]

    def _fitting(self, text: str, deep: int) -> Iterator[tuple[Shape, dict[str, str]]]:
        for shape in self.tongue.shapes if deep <= DEEPEST else ():
            parts = shape.parts(text)
            if parts is not None:
                yield shape, parts

    def _filled(self, shape: Shape, parts: dict[str, str], deep: int) -> Said:
        made = {name: self.part(parts[name], word, deep + 1) for name, word in FIELD.findall(shape.other)}
        known = shape.weight + sum(count for count, _ in made.values())
        return known, _braces(FIELD.sub(lambda one: made[one[1]][1], shape.other))

    def part(self, text: str, word: str, deep: int) -> Said:
        """Something that was filled in; `word` stands before the last entry of a list."""
        if text[:1] in "'\"" and not (word and QUOTED.fullmatch(text)):
            return 0, text
        if text in self.tongue.words and text not in self.game and not self.of_a_file:
            return len(text), self.tongue.words[text]
        found = self.whole(text, deep)
        if word:
            found = max(found, self._list(text, word, deep), key=lambda one: one[0])
        return found

    def _list(self, text: str, word: str, deep: int) -> Said:
        joined = f" {word} "
        *rest, last = text.split(joined)
        if not rest:
            return 0, text
        *before, end = (self.part(one, "", deep) for one in [*joined.join(rest).split(", "), last])
        known = len(joined) + sum(count for count, _ in (*before, end))
        return known, ", ".join(said for _, said in before) + LISTS[word] + end[1]


@lru_cache(maxsize=len(LANGUAGES))
def tongue(language: str) -> Tongue | None:
    """None for English, which needs no help."""
    if language == LANGUAGES[0]:
        return None
    read = tomllib.loads(read_text(str(MESSAGES / f"{language}.toml")))
    return Tongue(read["words"], read["messages"])


def spoken(answer: dict[str, Any], language: str, rules: Ruleset | None = None) -> dict[str, Any]:
    """An answer whose error is said in a language; the code stays, programs read it."""
    speaks = tongue(language)
    if speaks is None or "error" not in answer:
        return answer
    game = words_of_game(rules, language) if rules is not None else NO_WORDS
    error = answer["error"]
    said = {name: speaks.says(error[name], game) for name in ("message", "hint")}
    return {**answer, "error": {**error, **said}}


def spoken_mistakes(mistakes: list[dict[str, Any]], language: str) -> list[dict[str, Any]]:
    """What is wrong with a text that somebody writes; its places and codes stay."""
    speaks = tongue(language)
    if speaks is None:
        return mistakes
    says = partial(speaks.says, of_a_file=True)
    return [one | {name: says(one[name]) for name in ("message", "hint")} for one in mistakes]


def told(answer: Any, language: str, *rules: Ruleset) -> Any:
    """An answer whose words are said in a language, those of games by their rules."""
    speaks = tongue(language)
    if speaks is None:
        return answer
    game = {name: one for own in rules for name, one in words_of_game(own, language).items()}
    return _told(answer, partial(speaks.says, game=game, of_a_file=True))


def _told(part: Any, says: Callable[[str], str], is_told: bool = False) -> Any:
    if isinstance(part, Mapping):
        own = {name for name, one in part.items() if name in TOLD and not isinstance(one, str)}
        return {name: _told(one, says, is_told or name in own) for name, one in part.items()}
    if is_told and isinstance(part, list | tuple):
        return [_told(one, says, is_told) for one in part]
    return says(part) if is_told and isinstance(part, str) else part


def words_of_game(rules: Ruleset, language: str) -> Mapping[str, str]:
    """What a game calls things in a language: by their English words, and by their names."""
    place = ("words", language)
    if place not in rules.cache:
        rules.cache[place] = {**dict(_wordings(rules.content, language)), **dict(_names(rules, language))}
    found: Mapping[str, str] = rules.cache[place]
    return found


def _wordings(part: Any, language: str) -> Iterator[tuple[str, str]]:
    if isinstance(part, Mapping):
        english, other = part.get("en"), part.get(language)
        if isinstance(english, str) and isinstance(other, str) and english:
            yield english, other
        for inner in part.values():
            yield from _wordings(inner, language)


def _names(rules: Ruleset, language: str) -> Iterator[tuple[str, str]]:
    titled = [(name, data["title"]) for name, data in rules.ladder.items()]
    for check in rules.checks.values():
        titled.append((check.name, check.title))
        for param in check.params.values():
            titled.append((param.name, param.label))
            for value in (*param.values, *param.words):
                says = (rules.words.get(one) for one in word_keys(param.name, value))
                titled += [(str(value), one) for one in says if one][:1]
    if rules.sheet is not None:
        for section in (rules.sheet.attributes, rules.sheet.skills, rules.sheet.resources):
            titled += [(name, one.title) for name, one in section.items()]
    for name, says in titled:
        if language in says:
            yield name, says[language]
