"""Translates the core's English messages, by templates.

Messages are written in English where they are raised.  A catalogue has a translation for each
template, such as `{name} has no seat`: the placeholders' values are parsed from the English text
and put into the translated one.  Invariant: a translation never contains more than the message.
A text that matches no template stays English.
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
from handful.web.ruleset_cache import RulesetCache

LANGUAGES = ("en", "de")
MESSAGES = Path(__file__).with_name("messages")
MAX_LENGTH = 2000  # characters; longer texts are not translated
MAX_DEPTH = 5  # of placeholders whose values are messages themselves
# Fields of responses that hold sentences: how decisions are taken, and what differs.
TRANSLATED_FIELDS = ("assumed", "decides", "policy", "unfit", "waits_for", "words")
LIST_WORDS = {"or": " oder ", "and": " und "}
FIELD = re.compile(r"\{(\w+)(?::(\w+))?\}")
LISTED_NAME = r"(?:a )?[\w.-]+"
# a list of bare names, or of kinds of things
NAMES = re.compile(rf"(?:{LISTED_NAME}, )*{LISTED_NAME} or {LISTED_NAME}")
QUOTED = re.compile(r"'[^']*'(?:, '[^']*')* or '[^']*'")  # a list of names in quotation marks
NO_WORDS: Mapping[str, str] = {}


def language_of(headers: Headers, wanted: str = "") -> str:
    """Return the wanted language, else the first supported one of Accept-Language, else English."""
    preferred: list[tuple[float, str]] = []
    for entry in headers.get("accept-language", "")[:200].split(","):
        name, _, weight = entry.strip().partition(";q=")
        try:
            preferred.append((-float(weight or 1), name))
        except ValueError:
            continue
    for name in (wanted, *(name for _, name in sorted(preferred, key=lambda one: one[0]))):
        if (code := name.strip()[:2].lower()) in LANGUAGES:
            return code
    return LANGUAGES[0]


class Template:
    """An English message with placeholders, and its translation."""

    def __init__(self, english: str, translation: str) -> None:
        self.texts = [_show_braces(one) for one in FIELD.split(_hide_braces(english))[::3]]
        self.names = [name for name, _ in FIELD.findall(_hide_braces(english))]
        self.translation = _hide_braces(translation)
        self.has_list = ":or}" in english or ":and}" in english
        self.weight = sum(map(len, self.texts))
        self.is_usable = self.weight > 0 and all(self.texts[1:-1])  # adjacent placeholders cannot be split

    def match(self, text: str) -> dict[str, str] | None:
        """Return the values of the placeholders, or None if the text does not match."""
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


def _hide_braces(text: str) -> str:
    """Replace escaped braces, so that the others mark placeholders."""
    return text.replace("{{", "\0").replace("}}", "\1")


def _show_braces(text: str) -> str:
    return text.replace("\0", "{").replace("\1", "}")


def _specificity(template: Template) -> tuple[int, bool]:
    """Sort key: most literal text first; among equals a template with a list, which is narrower."""
    return -template.weight, not template.has_list


class Catalog:
    """The templates and words of one language other than English."""

    def __init__(self, words: Mapping[str, str], messages: Mapping[str, str]) -> None:
        self.words = words
        templates = (Template(english, translation) for english, translation in messages.items())
        self.templates = sorted((one for one in templates if one.is_usable), key=_specificity)

    def translate(self, text: str, game: Mapping[str, str] = NO_WORDS, *, keep_names: bool = False) -> str:
        """Translate a message; `game` maps English words of the game to its own translations.

        `keep_names` leaves names and keywords as they stand in a ruleset file.
        """
        if len(text) > MAX_LENGTH:
            return text
        return "\n".join(_Translation(self, game, keep_names).translate(one)[1] for one in text.split("\n"))


Scored = tuple[int, str]  # number of translated characters, and the translation


class _Translation:
    """Translates one message: of all matching templates, the one that translates most of it."""

    def __init__(self, catalog: Catalog, game: Mapping[str, str], keep_names: bool) -> None:
        self.catalog, self.game, self.keep_names = catalog, game, keep_names
        self._found: dict[str, Scored] = {}

    def translate(self, text: str, depth: int = 0) -> Scored:
        if text in self.game:
            return len(text), self.game[text]
        if text not in self._found:
            self._found[text] = 0, text  # also stops recursion into the same text
            found = [self._fill(one, parts, depth) for one, parts in self._matches(text, depth)]
            found += [self._list(text, "or", depth)] if NAMES.fullmatch(text) else []
            self._found[text] = max(found, key=lambda one: one[0], default=(0, text))
        return self._found[text]

    def _matches(self, text: str, depth: int) -> Iterator[tuple[Template, dict[str, str]]]:
        for template in self.catalog.templates if depth <= MAX_DEPTH else ():
            parts = template.match(text)
            if parts is not None:
                yield template, parts

    def _fill(self, template: Template, parts: dict[str, str], depth: int) -> Scored:
        translated = {
            name: self.translate_part(parts[name], word, depth + 1)
            for name, word in FIELD.findall(template.translation)
        }
        score = template.weight + sum(count for count, _ in translated.values())
        return score, _show_braces(FIELD.sub(lambda one: translated[one[1]][1], template.translation))

    def translate_part(self, text: str, word: str, depth: int) -> Scored:
        """Translate the value of a placeholder; `word` joins the last entry if it is a list."""
        if text[:1] in "'\"" and not (word and QUOTED.fullmatch(text)):
            return 0, text
        if text in self.catalog.words and text not in self.game and not self.keep_names:
            return len(text), self.catalog.words[text]
        found = self.translate(text, depth)
        if word:
            found = max(found, self._list(text, word, depth), key=lambda one: one[0])
        return found

    def _list(self, text: str, word: str, depth: int) -> Scored:
        joined = f" {word} "
        *rest, last = text.split(joined)
        if not rest:
            return 0, text
        *before, end = (self.translate_part(one, "", depth) for one in [*joined.join(rest).split(", "), last])
        score = len(joined) + sum(count for count, _ in (*before, end))
        return score, ", ".join(part for _, part in before) + LIST_WORDS[word] + end[1]


@lru_cache(maxsize=len(LANGUAGES))
def catalog(language: str) -> Catalog | None:
    """Return the catalogue of a language; None for English."""
    if language == LANGUAGES[0]:
        return None
    data = tomllib.loads(read_text(str(MESSAGES / f"{language}.toml")))
    return Catalog(data["words"], data["messages"])


def translate_error(answer: dict[str, Any], language: str, rules: Ruleset | None = None) -> dict[str, Any]:
    """Return a response with its error message and hint translated; the code stays."""
    translator = catalog(language)
    if translator is None or "error" not in answer:
        return answer
    game = game_words(rules, language) if rules is not None else NO_WORDS
    error = answer["error"]
    text = {name: translator.translate(error[name], game) for name in ("message", "hint")}
    return {**answer, "error": {**error, **text}}


def translate_mistakes(mistakes: list[dict[str, Any]], language: str) -> list[dict[str, Any]]:
    """Translate the mistakes found in a draft ruleset; positions and codes stay."""
    translator = catalog(language)
    if translator is None:
        return mistakes
    translate = partial(translator.translate, keep_names=True)
    return [one | {name: translate(one[name]) for name in ("message", "hint")} for one in mistakes]


def translate_answer(answer: Any, language: str, *rules: Ruleset) -> Any:
    """Translate the sentences in a response, with the wording of the given rules."""
    translator = catalog(language)
    if translator is None:
        return answer
    game = {name: one for own in rules for name, one in game_words(own, language).items()}
    return _translate_parts(answer, partial(translator.translate, game=game, keep_names=True))


def _translate_parts(part: Any, translate: Callable[[str], str], is_text: bool = False) -> Any:
    if isinstance(part, Mapping):
        own = {name for name, one in part.items() if name in TRANSLATED_FIELDS and not isinstance(one, str)}
        return {name: _translate_parts(one, translate, is_text or name in own) for name, one in part.items()}
    if is_text and isinstance(part, list | tuple):
        return [_translate_parts(one, translate, is_text) for one in part]
    return translate(part) if is_text and isinstance(part, str) else part


def game_words(rules: Ruleset, language: str) -> Mapping[str, str]:
    """Return a game's translations by English wording and by name."""
    return _GAME_WORDS.get(rules, language)


def _game_words(rules: Ruleset, language: str) -> Mapping[str, str]:
    return {**dict(_wordings(rules.content, language)), **dict(_names(rules, language))}


_GAME_WORDS = RulesetCache(_game_words)


def _wordings(part: Any, language: str) -> Iterator[tuple[str, str]]:
    if isinstance(part, Mapping):
        english, translation = part.get("en"), part.get(language)
        if isinstance(english, str) and isinstance(translation, str) and english:
            yield english, translation
        for inner in part.values():
            yield from _wordings(inner, language)


def _names(rules: Ruleset, language: str) -> Iterator[tuple[str, str]]:
    titled = [(name, data["title"]) for name, data in rules.ladder.items()]
    for check in rules.checks.values():
        titled.append((check.name, check.title))
        for param in check.params.values():
            titled.append((param.name, param.label))
            for value in (*param.values, *param.words):
                wordings = (rules.words.get(one) for one in word_keys(param.name, value))
                titled += [(str(value), one) for one in wordings if one][:1]
    if rules.sheet is not None:
        for section in (rules.sheet.attributes, rules.sheet.skills, rules.sheet.resources):
            titled += [(name, one.title) for name, one in section.items()]
    for name, wording in titled:
        if language in wording:
            yield name, wording[language]
