"""Texts of messages in every language, found by their codes.

`messages/en.toml` and `messages/de.toml` have a text for each code.  In a text, `{name}` is an
argument, `{name!r}` puts it in quotation marks, `{count:,}` formats a number.  `{names:or}` and
`{names:and}` join a list, `{problems:lines}` puts each of its entries on a line.  A text with two forms
is a list, singular and plural: the argument `count` decides.  `{text:foreign}` translates a text of a
library, which has no code.
Files are read when the first text is rendered, never at start-up.
Invariant: a text shows the arguments of its message and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pkgutil import get_data

from handful.errors import MAX_LISTED, Message
from handful.records import record

LANGUAGES = ("en", "de")
MAX_DEPTH = 12  # of messages inside messages
MAX_FOREIGN_LENGTH = 300  # characters; matching a longer text could take long
NO_WORDS: Mapping[str, str] = {}
FIELD = re.compile(r"\{(?P<name>\w+)(?P<quoted>!r)?(?::(?P<format>[^}]*))?\}|\{\{|\}\}")
Text = str | list[str]


@record()
class Catalogue:
    """The texts of one language by code, and the words that stand alone in messages."""

    language: str
    texts: Mapping[str, Text]
    words: Mapping[str, str]
    foreign: Mapping[re.Pattern[str], str]  # texts of libraries, and their translations

    def text(self, message: Message) -> str:
        """Return the text of a message before its arguments are filled in."""
        found = self.texts.get(message.code)
        if found is None:
            return message.code if self.language == LANGUAGES[0] else catalogue(LANGUAGES[0]).text(message)
        if isinstance(found, str):
            return found
        return found[0] if message.args.get("count") == 1 else found[-1]


@cache
def catalogue(language: str) -> Catalogue:
    """Return the catalogue of a language."""
    import tomllib  # imported late: only texts that are shown need it

    data = tomllib.loads((get_data("handful", f"messages/{language}.toml") or b"").decode())
    words, foreign = data.pop("words"), data.pop("foreign", {})
    patterns = {_pattern(english): translation for english, translation in foreign.items()}
    return Catalogue(language, dict(_flatten(data)), words, patterns)


def _pattern(text: str) -> re.Pattern[str]:
    """Return the pattern of a text with fields, such as `unmatched {bracket}`."""
    parts = re.split(r"\{(\w+)\}", text)
    named = (f"(?P<{part}>.+)" if index % 2 else re.escape(part) for index, part in enumerate(parts))
    return re.compile("".join(named))


def _flatten(table: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, Text]]:
    for name, entry in table.items():
        if isinstance(entry, Mapping):
            yield from _flatten(entry, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", entry  # type: ignore[misc]


def render(
    message: Message,
    language: str = "en",
    game: Mapping[str, str] = NO_WORDS,
    *,
    keep_names: bool = False,
) -> str:
    """Return the text of a message in a language.

    `game` translates words of a game.  `keep_names` leaves names and keywords as a ruleset file has them.
    """
    return _Renderer(catalogue(language), game, keep_names).render(message, 0)


class _Renderer:
    """Renders one message and those inside it, in one language and for one game."""

    def __init__(self, texts: Catalogue, game: Mapping[str, str], keep_names: bool) -> None:
        self.catalogue, self.game, self.keep_names = texts, game, keep_names

    def render(self, message: Message, depth: int) -> str:
        if not message.code:
            text = str(message.args.get("text", ""))
            return self.game.get(text) or text
        if depth > MAX_DEPTH:
            return "…"
        return FIELD.sub(lambda found: self._field(found, message, depth), self.catalogue.text(message))

    def _field(self, found: re.Match[str], message: Message, depth: int) -> str:
        if found["name"] is None:
            return found[0][0]  # an escaped brace
        value = message.args.get(found["name"], "…")
        format_ = found["format"] or ""
        if found["quoted"]:
            return f"{value!r:{format_}}"
        if format_ in ("or", "and"):
            return self._list(value, format_, depth)
        if format_ == "lines":
            return "\n".join(self._value(entry, depth) for entry in value)  # type: ignore[attr-defined]
        if format_ == "foreign":
            return self._foreign(str(value))
        if format_ and not isinstance(value, Message):
            return format(value, format_)
        return self._value(value, depth)

    def _value(self, value: object, depth: int) -> str:
        if isinstance(value, Message):
            return self.render(value, depth + 1)
        if isinstance(value, (list, tuple)):
            return ", ".join(self._value(entry, depth) for entry in value)
        if isinstance(value, Mapping):
            return str(value.get(self.catalogue.language) or value.get(LANGUAGES[0], "…"))
        if isinstance(value, str):
            return self.game.get(value) or self._word(value)
        return str(value)

    def _word(self, word: str) -> str:
        return word if self.keep_names else self.catalogue.words.get(word, word)

    def _foreign(self, text: str) -> str:
        """Translate a text of a library; an unknown or very long one stays as it is."""
        if len(text) > MAX_FOREIGN_LENGTH:
            return text
        matches = ((pattern.fullmatch(text), one) for pattern, one in self.catalogue.foreign.items())
        found, translation = next((pair for pair in matches if pair[0]), (None, text))
        if found is None:
            return text
        parts = {name: self._foreign(part) for name, part in found.groupdict().items()}
        return FIELD.sub(lambda field: parts.get(field["name"], field[0][0]), translation)

    def _list(self, value: object, word: str, depth: int) -> str:
        entries = [value] if isinstance(value, (str, Message)) else list(value)  # type: ignore[call-overload]
        if len(entries) > MAX_LISTED:
            entries = [*entries[:MAX_LISTED], "…"]
        *rest, last = [self._value(entry, depth) for entry in entries] or [
            self.catalogue.words.get("nothing", "nothing")
        ]
        joined = self.catalogue.words.get(f"list_{word}", word)
        return f"{', '.join(rest)} {joined} {last}" if rest else last
