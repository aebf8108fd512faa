"""Guided creation of a character in the terminal: `handful sheet --new`.

Every question has a default, so pressing Enter always goes on.  Piped input answers the questions in
order; where it ends, the defaults are taken.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from handful.cli import layout
from handful.cli.prompts import Prompter, echo, terminal_prompter
from handful.errors import BadCharacter, Message, Refused, did_you_mean
from handful.library import Ruleset
from handful.rules.params import Param, display_value, normalize_name
from handful.rules.ruleset import localize
from handful.rules.sheet_rules import RankFormat
from handful.sheet import Character, blank_data, points_left, quick_data, random_name, read_character
from handful.sheet.characters import resolve_name, title_of

T = TypeVar("T")
BLANK = "blank"
CHANCE = "random"


class PipedAnswers(Prompter):
    """Answers from piped input, without prompts; a wrong one ends the command."""

    def ask(
        self, prompt: str, read: Callable[[str], T], help_text: str, answer_names: Sequence[str] = ()
    ) -> T:
        return read(sys.stdin.readline().strip() if sys.stdin is not None else "")


def make_character(game: Ruleset, kind: str, seed: int, *, by_chance: bool) -> Character:
    """Return a new character: asked for in the terminal, or all of it by chance."""
    if by_chance:
        return game.new_character(quick=True, kind=kind, seed=seed)
    prompter = terminal_prompter()
    guide = _Guide(game, kind, seed, prompter or PipedAnswers(), speaks=prompter is not None)
    return guide.character()


class _Guide:
    """Asks for the parts of one character, in order."""

    def __init__(self, game: Ruleset, kind: str, seed: int, prompter: Prompter, *, speaks: bool) -> None:
        assert game.rules.sheet is not None
        self.rules, self.sheet, self.kind, self.seed = game.rules, game.rules.sheet, kind, seed
        self.prompter, self.speaks = prompter, speaks
        self.data: dict[str, Any] = {}

    def character(self) -> Character:
        usual = random_name(self.rules, self.seed)
        self._say(f"A new character for {localize(self.rules.title)}. Enter takes what is in brackets.")
        self.data = blank_data(self.rules, self.kind)
        name = self._ask(
            f"name [{usual}]: ", lambda typed: self._checked("name", typed or usual), "type a name"
        )
        self.data = self._begin() | {"name": name}
        self._attributes()
        self._ranks("proficiencies", self.sheet.proficiency, self.sheet.proficiencies)
        if self.sheet.proficiency is None:
            self._ranks("skills", self.sheet.skill, self.sheet.skills)
        self._traits()
        notes = self._ask("notes []: ", lambda typed: typed, "type anything worth remembering")
        return read_character(self.rules, self.data | ({"notes": notes} if notes else {}))

    def _ask(self, prompt: str, read: Callable[[str], T], help_text: str, names: Sequence[str] = ()) -> T:
        return self.prompter.ask(prompt, read, help_text, names)

    def _say(self, text: str) -> None:
        if self.speaks:
            echo(text)

    def _checked(self, section: str, value: T) -> T:
        """Return the value of a section if the character is possible with it."""
        try:
            read_character(self.rules, {"name": "?", **self.data, section: value})
        except BadCharacter as bad:
            raise Refused(bad.problems[0]) from None
        return value

    # -- parts

    def _begin(self) -> dict[str, Any]:
        """Ask what to begin with: a quick start, chance, or nothing."""
        known = self.sheet.creation.quick
        choices = [*known, *([] if known else [CHANCE]), BLANK]
        self._say("begin with")
        rows = [(name, localize(one.title), localize(one.help)) for name, one in known.items()]
        rows += [] if known else [(CHANCE, "", "usual values, by chance")]
        self._say("\n".join(layout.columns([*rows, (BLANK, "", "all yours to choose")])))

        def read(typed: str) -> dict[str, Any]:
            name = _find(typed, known, (CHANCE, BLANK)) if typed else choices[0]
            if name == BLANK:
                return blank_data(self.rules, self.kind)
            return quick_data(self.rules, self.seed, "" if name == CHANCE else name, self.kind)

        return self._ask(f"begin with [{choices[0]}]: ", read, f"type one of {', '.join(choices)}", choices)

    def _attributes(self) -> None:
        for name, attribute in self.sheet.attributes.items():
            usual = self.data["attributes"][name]
            about = localize(attribute.param.help)
            self.data["attributes"][name] = self._ask(
                f"{localize(attribute.title)}{f' ({about})' if about else ''} [{usual}]: ",
                partial(self._attribute, name, attribute.param),
                f"type {attribute.param.expects()}",
            )
        self._say_points()

    def _attribute(self, name: str, param: Param, typed: str) -> Any:
        now = self.data["attributes"]
        value = _number(param, typed) if typed else now[name]
        return self._checked("attributes", {**now, name: value})[name]

    def _ranks(self, section: str, form: RankFormat | None, known: Mapping[str, Any]) -> None:
        """Ask for entries until an empty line: `dodge=3, repair=6`."""
        if form is None or not (known or form.open):
            return
        title = localize(self.sheet.titles.get(section, {})) or section
        self._say(f"{title}: {', '.join(localize(one.title) for one in known.values()) or 'your own'}")
        help_text = f"type names and numbers, such as {next(iter(known), 'name')}=2; 0 removes one"

        def read(typed: str) -> dict[str, Any]:
            return self._read_ranks(section, form, known, typed)

        while True:
            now = self.data.get(section, {})
            shown = ", ".join(f"{localize(title_of(n, known))}={_rank(v)}" for n, v in now.items())
            changes = self._ask(f"{title} [{shown}]: ", read, help_text, [*known])
            if not changes:
                break
            self.data[section] = {n: v for n, v in {**now, **changes}.items() if v != 0}
            self._say_points()

    def _read_ranks(
        self, section: str, form: RankFormat, known: Mapping[str, Any], typed: str
    ) -> dict[str, Any]:
        changes: dict[str, Any] = {}
        for part in filter(None, (part.strip() for part in typed.split(","))):
            word, equals, number = part.partition("=")
            own = form.open and section == "skills" and not form.governed
            name = resolve_name(word, known) or (word.strip() if own and equals else None)
            if name is None:
                hint = did_you_mean(normalize_name(word), known) or Message("advice.there_is", names=[*known])
                raise Refused(Message("sheet.unknown_name", key=word.strip()[:40]), hint)
            number = number.strip()
            changes[name] = 0 if number == "0" else _number(form.param, number or "1")
        now = {**self.data.get(section, {}), **changes}
        self._checked(section, {n: v for n, v in now.items() if v != 0})
        return changes

    def _traits(self) -> None:
        known = self.sheet.traits
        if not known:
            return
        rows = [(localize(one.title), localize(one.help)) for one in known.values()]
        self._say("\n".join(["traits", *layout.columns(rows)]))
        usual = self.data.get("traits", [])
        shown = ", ".join(localize(known[name].title) for name in usual)

        def read(typed: str) -> list[str]:
            words = [word.strip() for word in typed.split(",") if word.strip()]
            return [_find(word, known) for word in words] if typed else usual

        chosen = self._ask(f"traits [{shown}]: ", read, "type traits, separated by commas", [*known])
        if chosen:
            self.data["traits"] = list(dict.fromkeys(chosen))

    def _say_points(self) -> None:
        """Print what is left of each budget."""
        for one in points_left(self.rules, read_character(self.rules, self.data)):
            of = f"{one.amount(one.spent)} of {one.amount(one.points)}"
            self._say(f"  {localize(one.title)}: {of}, {one.says()}")


def _number(param: Param, typed: str) -> Any:
    return display_value(param.read(typed))


def _rank(entry: Any) -> Any:
    return entry.get("rank", next(iter(entry.values()), "")) if isinstance(entry, dict) else entry


def _find(typed: str, known: Mapping[str, Any], words: Sequence[str] = ()) -> str:
    """Return the entry with this name or title, or one of the words."""
    if normalize_name(typed) in words:
        return normalize_name(typed)
    name = resolve_name(typed, known)
    if name is None:
        names = [*known, *words]
        hint = did_you_mean(normalize_name(typed), names) or Message("advice.there_is", names=names)
        raise Refused(Message("sheet.unknown_name", key=typed[:40]), hint)
    return name


def file_name(name: str) -> str:
    """Return a file name for a character: `Nell Holm` is `nell-holm.json`."""
    return (re.sub(r"[^a-z0-9]+", "-", normalize_name(name)).strip("-") or "character") + ".json"
