"""Puts messages into words in the client's language, with the wording of a game.

Responses carry messages until they leave the server; `render_error` and `render_answer` replace them
by texts of the catalogue.  Invariant: a text never contains more than its message.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from starlette.datastructures import Headers

from handful.catalogue import LANGUAGES, NO_WORDS, catalogue, render
from handful.errors import Message
from handful.rules.ruleset import Ruleset, word_keys
from handful.web.ruleset_cache import RulesetCache

MAX_FILE_MESSAGE = 500  # characters
# Fields of responses that hold sentences: how decisions are taken, and what differs.
TRANSLATED_FIELDS = ("assumed", "decides", "policy", "unfit", "waits_for", "words")


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


def render_file_message(message: Message, language: str) -> str:
    """Return a message about a text that somebody writes, cut to a readable length."""
    return render(message, language, keep_names=True)[:MAX_FILE_MESSAGE]


def render_error(answer: dict[str, Any], language: str, game: Mapping[str, str] = NO_WORDS) -> dict[str, Any]:
    """Return a response with the message and hint of its error in words; the code stays."""
    if "error" not in answer:
        return answer
    error = answer["error"]
    texts = {name: render(error[name], language, game) for name in ("message", "hint")}
    return {**answer, "error": {**error, **texts}}


def render_answer(answer: Any, language: str, *rules: Ruleset) -> Any:
    """Return a response with its sentences in words, with the wording of the given rules."""
    game = {name: one for own in rules for name, one in game_words(own, language).items()}
    return render_parts(answer, language, game)


def render_parts(part: Any, language: str, game: Mapping[str, str], is_text: bool = False) -> Any:
    """Return a part of a response with its sentences in words, with the wording of a game."""
    if isinstance(part, Message):
        return render(part, language, game, keep_names=True)
    if isinstance(part, Mapping):
        own = {name for name, one in part.items() if name in TRANSLATED_FIELDS and not isinstance(one, str)}
        return {name: render_parts(one, language, game, is_text or name in own) for name, one in part.items()}
    if is_text and isinstance(part, list | tuple):
        return [render_parts(one, language, game, is_text) for one in part]
    if is_text and isinstance(part, str):
        return game.get(part) or catalogue(language).words.get(part, part)
    return part


def game_words(rules: Ruleset, language: str) -> Mapping[str, str]:
    """Return a game's translations by English wording and by name; none for English."""
    return NO_WORDS if language == LANGUAGES[0] else _GAME_WORDS.get(rules, language)


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
