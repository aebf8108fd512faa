"""Texts of the pages: complete in every language, with the same placeholders."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from handful.table.events import event_kinds

STATIC = Path(__file__).parents[2] / "src/handful/web/static"
ENTRY = re.compile(r'(?:"([\w.]+)"|\b(\w+)): ("(?:[^"\\]|\\.)*")')
LANGUAGES = re.findall(
    r'(\w+): "',
    re.search(r"LANGUAGES = \{([^}]*)\}", (STATIC / "app/i18n.js").read_text())[1],  # type: ignore[index]
)
MODULES = {
    one: one.read_text()
    for one in sorted(STATIC.rglob("*.js"))
    if not {"vendor", "texts"} & set(one.relative_to(STATIC).parts)
}
ALL = "\n".join(MODULES.values())
COUNTS = re.compile(r"\.(zero|one|two|few|many|other)$")
FORMS = {"en": {"one", "other"}, "de": {"one", "other"}}  # the plural forms of each language
SAME_IN_ALL = re.compile(r"[^\w]*(\{\w+\}[^\w]*)*")  # a text without a word of its own


def catalogue(language: str) -> dict[str, str]:
    """The texts of a language, also of its parts; a key that stands there twice is a mistake."""
    files = [STATIC / f"texts/{language}.js", *sorted(STATIC.glob(f"texts/*/{language}.js"))]
    text = "\n".join(one.read_text() for one in files)
    found: dict[str, str] = {}
    for quoted, bare, value in ENTRY.findall(text):
        key = quoted or bare
        assert key not in found, f"{language}: {key} twice"
        found[key] = json.loads(value)
    left = ENTRY.sub("", re.sub(r"(?m)^//.*$", "", text))
    assert not re.sub(r"export default|[\s,{};]", "", left), f"{language}: not read: {left.strip()}"
    return found


TEXTS = {language: catalogue(language) for language in LANGUAGES}


def places(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


def named(text: str) -> Iterator[tuple[str, re.Pattern[str]]]:
    """Every key that a module asks for, whole or with a part that is filled in."""
    for function, key in re.findall(r'\b(tn?)\(\s*"([^"]+)"', text):
        yield function, re.compile(re.escape(key))
    for function, key in re.findall(r"\b(tn?)\(\s*`([^`]+)`", text):
        parts = [re.escape(one) for one in re.split(r"\$\{[^}]*\}", key)]
        yield function, re.compile(r"\w+".join(parts))


# what the page fills in everywhere: "GM", "the GM", "The GM", or what the game says instead
ROLE_NAMES = {"gm", "the_gm", "The_gm"}


def asks(function: str, key: re.Pattern[str], text: str) -> bool:
    if function == "tn":
        return bool(COUNTS.search(text)) and bool(key.fullmatch(COUNTS.sub("", text)))
    return bool(key.fullmatch(text))


def test_the_languages_are_those_with_a_catalogue() -> None:
    assert {one.stem for one in (STATIC / "texts").glob("*.js")} == set(LANGUAGES) == set(FORMS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_there_in_every_language(language: str) -> None:
    for other in LANGUAGES:
        missing = sorted(set(TEXTS[other]) - set(TEXTS[language]))
        assert not missing, f"texts/{language}.js lacks {', '.join(missing)}"
    assert not [key for key, text in TEXTS[language].items() if not text.strip()]


@pytest.mark.parametrize("language", LANGUAGES)
def test_placeholders_are_equal_in_every_language(language: str) -> None:
    for key, text in TEXTS["en"].items():
        there = TEXTS[language][key]
        # "one die" needs no number; names of the GM fit every text, and grammar decides which stands where
        free = ROLE_NAMES | ({"n"} if COUNTS.search(key) else set())
        assert places(there) - free == places(text) - free, f"{language}: {key}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_that_count_have_every_plural_form(language: str) -> None:
    families: dict[str, set[str]] = {}
    for key in TEXTS[language]:
        if form := COUNTS.search(key):
            families.setdefault(key[: form.start()], set()).add(form[1])
    assert families
    assert not {key: has for key, has in families.items() if has != FORMS[language]}


def test_every_text_that_a_module_asks_for_exists() -> None:
    for file, source in MODULES.items():
        for function, key in named(source):
            if key.pattern.startswith("word"):  # words that only some games need
                continue
            assert any(asks(function, key, one) for one in TEXTS["en"]), (
                f"{file.name}: {function}({key.pattern})"
            )


def test_every_text_is_asked_for() -> None:
    wanted = list(named(ALL))
    for made in re.findall(r"`([a-z]+(?:\.\w*\$\{[\w.]+\})+)`", ALL):  # t(a ? b : `log.${kind}`)
        wanted += named(f"t(`{made}`)")
    literal = set(re.findall(r'"([\w.]+)"', ALL))  # such as the second of `t(a ? "…" : "…")`
    idle = [
        key
        for key in TEXTS["en"]
        if key not in literal
        and COUNTS.sub("", key) not in literal
        and not any(asks(function, pattern, key) for function, pattern in wanted)
    ]
    assert not idle, f"nobody asks for {', '.join(idle)}"


def test_families_of_texts_are_whole() -> None:
    modes = ("public", "private", "blind", "secret", "gm")
    wanted = [f"mode.{one}" for one in modes] + [f"mode.{one}.long" for one in modes]
    wanted += [f"role.{one}" for one in ("gm", "player", "watcher")]
    wanted += [f"shown.{one}" for one in ("open", "own", "hidden")]
    phases = ("declared", "rolling", "deciding", "decided", "finalised", "rolled", "cancelled")
    wanted += [f"phase.{one}" for one in phases]
    wanted += [f"log.{kind}" for kind in event_kinds()]
    of_sheets = [kind for kind, one in event_kinds().items() if one.group == "character"]
    assert len(of_sheets) == 10
    wanted += [f"history.{kind}" for kind in of_sheets]
    assert not [one for one in wanted if one not in TEXTS["en"]]


def test_german_is_german() -> None:
    """A text that was copied and never translated; some words are the same in both."""
    same = {key for key, text in TEXTS["en"].items() if TEXTS["de"][key] == text}
    same = {key for key in same if not SAME_IN_ALL.fullmatch(TEXTS["en"][key])}
    words = {"name", "seats.name", "mode.blind", "odds.chance", "odds.link"}
    assert same == words | {"edit.text", "form.part.label", "form.part.title"}
