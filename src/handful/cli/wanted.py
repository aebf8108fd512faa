"""What somebody wants to roll, as far as it is settled: game, who, check, parameters, house rules.

    uwr direct attribute=4 target=2 --option reroll_stack=stacking

The words are those of the command line; once a game is picked its name may be left out.
A `Wanted` never changes; whatever does not fit is refused before there is one.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from handful import library
from handful.cli import complete
from handful.cli.words import (
    AS,
    SIDE_WORDS,
    Asked,
    asked_words,
    cut,
    read_options,
    split_sides,
)
from handful.errors import Refused, did_you_mean, listed
from handful.library import Roll
from handful.roll import Bound
from handful.rules.params import canonical, lookup
from handful.rules.ruleset import Check, Ruleset

if TYPE_CHECKING:
    from handful.cli.naming import Names

NOBODY = "none"


@dataclass(frozen=True, slots=True)
class Wanted:
    """A check that is asked for; what is None is still open."""

    game: str = ""  # as it was typed: a name or a path
    rules: Ruleset | None = None
    check: Check | None = None
    words: tuple[str, ...] | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    who: str = ""  # the character that makes every check, by name or path

    @classmethod
    def of_game(cls, name: str) -> Wanted:
        return cls(name, library.ruleset(name).rules)

    def made_by(self, who: str) -> Wanted:
        """The same, made by a character from now on; its game where none is picked yet."""
        if not who.strip():
            raise Refused("--as has no value; it needs the name of a character, or a path")
        if canonical(who) == NOBODY:
            made = replace(self, who="")
        elif self.rules is None:
            from handful.library.characters import opened

            game, _, _ = opened(who)
            known = game.id in library.known()
            return replace(self, game=game.id if known else game.file, rules=game.rules, who=who)
        else:
            library.Ruleset(self.rules).character(who)  # refused if it is none of this game
            made = replace(self, who=who)
        return made if made.words is None else made.changed([f"{AS}={who}"])

    def names(self) -> Names | None:
        """What the sheet offers at the parameters of the check."""
        if not self.who:
            return None
        from handful.cli.naming import Names

        assert self.rules is not None
        assert self.check is not None
        return Names(self.rules, self.check, library.Ruleset(self.rules).character(self.who))

    def checked(self, name: str) -> Wanted:
        """The same game with a check of it."""
        assert self.rules is not None
        return replace(self, check=self.rules.check(name), words=None)

    def settled(self, words: Sequence[str]) -> Wanted:
        """The same check with its parameters; refused if they do not fit together."""
        assert self.check is not None
        if self.who and not _says_who(words):
            words = [f"{AS}={self.who}", *words]
        made = replace(self, words=tuple(words))
        Roll.begin(made.bound())
        return made

    def changed(self, words: Sequence[str]) -> Wanted:
        """The same check with other values; with `vs` or `with` these are all of its words.

        A value of `none` takes a parameter back that need not be given, or the character.
        """
        assert self.rules is not None
        assert self.check is not None
        wanted = self
        if any(word.lower() in SIDE_WORDS for word in words):
            return self.settled(words)
        first, *further = split_sides(self.rules, self.check, self.words or ())
        params = self.check.params
        said = self._said(words)
        for name, value in said.items():
            if name == AS and canonical(value) == NOBODY:
                first.pop(AS, None)
                wanted = replace(self, who="")
            elif name in params and params[name].default is None and canonical(value) == "none":
                first.pop(name, None)
            else:
                first[name] = value
        joined = [f"{name}={value}" for name, value in first.items()]
        for side in further:
            assert self.check.sides is not None
            joined += [self.check.sides.word, *(f"{n}={v}" for n, v in side.items())]
        return wanted.settled(joined)

    def _said(self, words: Sequence[str]) -> dict[str, str]:
        """The words of a change by parameters; names of the sheet belong to whoever makes it."""
        assert self.rules is not None
        assert self.check is not None
        if [canonical(word) for word in words] == [f"{AS}={NOBODY}"]:
            return {AS: NOBODY}
        who = [self.who] if self.who and not _says_who(words) else []
        return split_sides(self.rules, self.check, words, who)[0]

    def ruled(self, options: Sequence[str]) -> Wanted:
        """The same with other house rules; the earlier ones stay."""
        if self.rules is None:
            raise Refused("house rules belong to a game; pick one first")
        made = replace(self, options={**self.options, **read_options(self.rules, options)})
        self.rules.settle(made.options)
        return made if made.words is None else made.settled(made.words)

    def bound(self) -> Bound:
        return self.asked().bound

    def asked(self) -> Asked:
        """The check with everything settled, and where it comes from if a character makes it."""
        assert self.rules is not None
        assert self.check is not None
        options = [f"{name}={value}" for name, value in self.options.items()]
        return asked_words(self.rules, self.words or (), options, check=self.check)

    def back(self) -> Wanted:
        """One step less settled."""
        if self.words is not None or self.check is not None:
            return replace(self, check=None, words=None)
        return Wanted()

    def line(self) -> str:
        """All of it as it can be typed."""
        check = [self.check.name] if self.check else []
        options = [f"--option {name}={value}" for name, value in self.options.items()]
        return " ".join([self.game, *check, *map(shlex.quote, self.words or ()), *options])


def split(line: str) -> list[str]:
    """The words of a typed line."""
    try:
        return shlex.split(line)
    except ValueError:
        raise Refused("a quotation mark stands alone; quotes come in pairs") from None


def read(words: Sequence[str], now: Wanted) -> Wanted:
    """What a typed line asks for; of the game at hand where no other is named."""
    plain, options, who = _apart(words)
    wanted, rest = _game(plain, now) if plain else (now, [])
    if rest:
        wanted = wanted.checked(rest[0])
    for name in who if not rest[1:] else ():  # nothing else is given: it stays
        wanted = wanted.made_by(name)
    if options or not words:
        wanted = wanted.ruled(options)
    return wanted.settled(_with_who(rest[1:], who)) if rest[1:] else wanted


def _says_who(words: Sequence[str]) -> bool:
    """Whether the first side says who makes it."""
    end = next((n for n, word in enumerate(words) if word.lower() in SIDE_WORDS), len(words))
    return any(canonical(word.partition("=")[0]) == AS for word in words[:end] if "=" in word)


def _with_who(words: Sequence[str], who: Sequence[str]) -> list[str]:
    """The words of a check with those that say who makes it, at its first side."""
    end = next((n for n, word in enumerate(words) if word.lower() in SIDE_WORDS), len(words))
    return [*words[:end], *(f"{AS}={name}" for name in who), *words[end:]]


def _apart(words: Sequence[str]) -> tuple[list[str], list[str], list[str]]:
    """The plain words, the values of `--option`, and those of `--as`."""
    plain: list[str] = []
    options: list[str] = []
    who: list[str] = []
    waiting = iter(words)
    for word in waiting:
        flag, equals, value = word.partition("=")
        if flag == "--option":
            options.append(value if equals else next(waiting, ""))
        elif flag == "--as":
            who.append(value if equals else next(waiting, ""))
        elif word.startswith("--"):
            raise Refused(
                f"{cut(flag)!r} is not for a session; there is --as and --option name=value"
            )
        else:
            plain.append(word)
    return plain, options, who


def _game(words: Sequence[str], now: Wanted) -> tuple[Wanted, list[str]]:
    """The game that a line speaks of, and the words behind its name."""
    first, *rest = words
    checks = playable(now.rules) if now.rules is not None else []
    if now.rules is not None and lookup(first, now.rules.checks) is not None:
        return replace(now, check=None, words=None), list(words)
    if now.rules is not None and (first == now.game or lookup(first, [now.rules.id]) is not None):
        return replace(now, check=None, words=None), rest
    if (own := lookup(first, library.known())) is not None:
        return Wanted.of_game(own), rest
    if _is_path(first):
        return Wanted.of_game(first), rest
    games = library.shipped()
    there = f"neither a check ({listed(checks)}) nor a game" if checks else "no game"
    raise Refused(
        f"{cut(first)!r} is {there} ({listed(games)})",
        did_you_mean(canonical(first), (*checks, *library.known())),
    )


def names_a_check(word: str, now: Wanted) -> bool:
    """Whether a line that begins so asks for a check, or changes house rules."""
    own = (*now.rules.checks, now.rules.id) if now.rules is not None else ()
    known = lookup(word, (*own, *library.known())) is not None
    return known or word.startswith("--") or _is_path(word)


def _is_path(word: str) -> bool:
    return word.lower().endswith(".toml") or "/" in word


def following(before: Sequence[str], begun: str, now: Wanted) -> list[str]:
    """What may follow some words of a line."""
    if before and before[0] in ("roll", "odds"):
        before = before[1:]
    checks = playable(now.rules) if now.rules is not None else []
    known = [now.game] if now.rules is not None else []
    if before and lookup(before[0], library.known()) is not None:
        known = []
    elif now.check is not None and not (before and lookup(before[0], checks) is not None):
        known.append(now.check.name)
    also = [] if before else [*checks, *library.shipped()]
    return also + complete.of_line(["odds", *known, *before], begun)


def playable(rules: Ruleset) -> list[str]:
    """The names of the checks that can be rolled."""
    return [check.name for check in rules.checks.values() if check.program is not None]
