"""Translates English texts that have no code yet: the messages of `handful.table`.

A template such as `{name} has no seat` has a translation; the values of the placeholders are read from
the English text and put into the translated one.  The templates are those of `messages/de.toml` beside
this module, and the texts of the catalogues, which may be parts of a message.
A text that matches no template stays English.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from handful.catalogue import LANGUAGES, NO_WORDS, catalogue
from handful.library.files import read_text

MESSAGES = Path(__file__).with_name("messages")
MAX_LENGTH = 2000  # characters; longer texts are not translated
MAX_DEPTH = 5  # of placeholders whose values are messages themselves
LIST_WORDS = {"or": " oder ", "and": " und "}
FIELD = re.compile(r"\{(\w+)(?::(\w+))?\}")
LISTED_NAME = r"(?:a )?[\w.-]+"
# a list of bare names, or of kinds of things
NAMES = re.compile(rf"(?:{LISTED_NAME}, )*{LISTED_NAME} or {LISTED_NAME}")
QUOTED = re.compile(r"'[^']*'(?:, '[^']*')* or '[^']*'")  # a list of names in quotation marks


def translate_text(
    text: str, language: str, game: Mapping[str, str] = NO_WORDS, *, keep_names: bool = False
) -> str:
    """Translate a text; `game` maps English words of the game to its own translations."""
    translator = templates_of(language)
    return text if translator is None else translator.translate(text, game, keep_names=keep_names)


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
def templates_of(language: str) -> Catalog | None:
    """Return the templates of a language; None for English."""
    if language == LANGUAGES[0]:
        return None
    own = tomllib.loads(read_text(str(MESSAGES / f"{language}.toml")))["messages"]
    return Catalog(catalogue(language).words, {**dict(_catalogue_pairs(language)), **own})


def _catalogue_pairs(language: str) -> Iterator[tuple[str, str]]:
    """Yield the texts of the catalogues as templates."""
    translations = catalogue(language).texts
    for code, english in catalogue(LANGUAGES[0]).texts.items():
        forms = english if isinstance(english, list) else [english]
        translated = translations.get(code, "")
        others = translated if isinstance(translated, list) else [translated]
        for index, form in enumerate(forms):
            if " " not in form or not re.search("[a-z:;]", FIELD.sub("", _plain_fields(form))):
                continue  # single words and mere spaces would match anything
            yield _plain_fields(form), _plain_fields(others[min(index, len(others) - 1)])


def _plain_fields(text: str) -> str:
    """Return a text whose fields have no formats except lists."""
    return re.sub(r"\{(\w+)(?:!r)?(?::(?!or\}|and\})[^}]*)?(:or|:and)?\}", r"{\1\2}", text)
