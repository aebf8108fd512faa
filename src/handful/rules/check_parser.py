"""Parses a typed check: words -> the check, its sides and their parameters.

    direct attribute=4 skill=1              parameters by name
    grace=3.5 acrobatics=2 target=2         entries of the sheet; the game's usual check
    grace acrobatics difficult              for a character, whose sheet has the numbers
    opposed grace=4 vs might=3              `vs` or `with` starts another side

A bare word may be an attribute or skill, a named difficulty, a value of a choice, a truth, a trait,
or the title of the check itself; consecutive words may form one title.
Invariant: input with exactly one meaning is accepted; ambiguous input is refused and lists all of its
meanings.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from handful.errors import Message, NotAccepted, Refused, did_you_mean
from handful.rules.params import ADD_SUFFIX, match_name, match_spellings, normalize_name
from handful.rules.ruleset import Check, Ruleset

if TYPE_CHECKING:
    from handful.rules.name_resolution import CharacterNames
    from handful.rules.vocabulary import Vocabulary, WordMeaning

SIDE_WORDS = ("vs", "with")
AS = "as"
MAX_WORDS = 1000
MAX_TITLE_WORDS = 6  # words
Side = dict[str, str]
CharacterNamesOf = Callable[
    [str | None, int], "CharacterNames | None"
]  # character as typed, index of the side


class TypedCheck(NamedTuple):
    """A parsed check; the first side also holds the parameters of the whole check."""

    check: Check
    sides: list[Side]
    who: list[str | None]  # character of each side, as typed

    def arguments(self) -> tuple[list[Side], Side]:
        """Return the sides and the parameters in the form that `bind` and `draft` take."""
        first, *further = self.sides
        return [{}, *further] if further else [], first


def parse_typed_check(
    rules: Ruleset,
    words: Sequence[str],
    *,
    check: Check | None = None,
    who: Sequence[str] = (),
    names_of: CharacterNamesOf | None = None,
) -> TypedCheck:
    """Parse a typed check; parameters are returned by their declared names.

    `who` are the characters of the first sides, if given separately; `names_of` returns the names on
    the sheet of a side's character, also for a side without a named one.
    """
    if len(words) > MAX_WORDS:
        raise Refused(Message("check.too_many_words", most=MAX_WORDS, words=len(words)))
    parser = _CheckParser(rules, who, names_of)
    if check is not None:
        return parser.parse(check, words)
    if (
        words
        and (name := match_name(words[0], rules.checks)) is not None
        and not _starts_with_title(rules, words)
    ):
        return parser.parse(rules.check(name), words[1:])
    return _find_check(rules, words, parser)


# -- finding the check


def _starts_with_title(rules: Ruleset, words: Sequence[str]) -> bool:
    """Return whether the words start with a title of several words."""
    titles = rules.check_names() if len(words) > 1 and "=" not in words[1] else {}
    longest = min(MAX_TITLE_WORDS, len(words))
    return any(match_spellings(" ".join(words[:stop]), titles) for stop in range(2, longest + 1))


def _find_check(rules: Ruleset, words: Sequence[str], parser: _CheckParser) -> TypedCheck:
    """Return the check whose title is among the words, or the one that accepts them."""
    if not words:
        raise Refused(Message("check.which", checks=rollable_checks(rules)))
    named = _named_checks(rules, words)
    tried = [_attempt(parser, rules, name, rest) for name, rest in named]
    found = [
        attempt for attempt in (*tried, _implied_check(rules, words, parser, named=bool(named))) if attempt
    ]
    parsed = [attempt for attempt in found if isinstance(attempt, TypedCheck)]
    if len(parsed) == 1:
        return parsed[0]
    if parsed:
        choices = [" ".join([attempt.check.name, *map(_format_side, attempt.sides)]) for attempt in parsed]
        raise Refused(Message("check.ambiguous", choices=choices))
    raise next(attempt for attempt in found if isinstance(attempt, Refused))


def rollable_checks(rules: Ruleset) -> list[str]:
    """Return the names of the checks that can be rolled."""
    checks = rules.content.get("checks", {})
    return [name for name in rules.checks if "refuse" not in checks.get(name, {})]


def _named_checks(rules: Ruleset, words: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Return every check whose title is among the words, with the remaining words."""
    end = next((n for n, word in enumerate(words) if word.lower() in SIDE_WORDS), len(words))
    titles, found = rules.check_names(), []
    for start in range(end):
        for stop in range(start + 1, min(end, start + MAX_TITLE_WORDS) + 1):
            if "=" in words[stop - 1]:
                break
            for name in match_spellings(" ".join(words[start:stop]), titles):
                found.append((name, [*words[:start], *words[stop:]]))
    return found


def _attempt(parser: _CheckParser, rules: Ruleset, name: str, words: Sequence[str]) -> TypedCheck | Refused:
    try:
        return parser.parse(rules.check(name), words)
    except Refused as refusal:
        return refusal


def _implied_check(
    rules: Ruleset, words: Sequence[str], parser: _CheckParser, *, named: bool
) -> TypedCheck | Refused | None:
    """Return the check that is meant if none is named: the usual one, or the only one that fits."""
    names = rollable_checks(rules)
    usual = rules.usual_check or (names[0] if len(names) == 1 else None)
    first = _attempt(parser, rules, usual, words) if usual else None
    if first is not None and not isinstance(first, NotAccepted):
        return first
    others = [_attempt(parser, rules, name, words) for name in names if name != usual]
    fitting = [attempt for attempt in others if isinstance(attempt, TypedCheck)]
    complete = [attempt for attempt in fitting if parser.is_complete(attempt)]
    fitting = complete if len(complete) == 1 else fitting
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        return Refused(Message("check.which_fits", checks=(attempt.check.name for attempt in fitting)))
    if named:
        return None
    return _no_check_error(rules, words, first or others[0])


def _no_check_error(rules: Ruleset, words: Sequence[str], reason: TypedCheck | Refused) -> Refused:
    """Explain why the words fit no check; the first may be a mistyped check name."""
    assert isinstance(reason, Refused)
    if reason.code != "check.not_understood" or reason.problem.args["word"] != _abbreviate(words[0]):
        return reason
    names = list(rules.checks)
    hint = did_you_mean(normalize_name(words[0]), names) or reason.advice
    return Refused(Message("check.unknown", word=_abbreviate(words[0]), names=names), hint)


# -- parsing the words


class _CheckParser:
    """Parses the words of a check for given characters."""

    def __init__(self, rules: Ruleset, who: Sequence[str], names_of: CharacterNamesOf | None) -> None:
        self.rules, self.who, self.names_of = rules, who, names_of
        self._names: dict[tuple[str | None, int], CharacterNames | None] = {}

    def parse(self, check: Check, words: Sequence[str]) -> TypedCheck:
        side_words = self._split(check, words)
        parameter_words = [
            [word for word in side if not _names_character(check, word)] for side in side_words
        ]
        who = self._characters(check, side_words)
        sides = [
            self._side(check, side, name, index)
            for index, (side, name) in enumerate(zip(parameter_words, who, strict=True))
        ]
        return TypedCheck(check, sides, who)

    def is_complete(self, typed: TypedCheck) -> bool:
        """Return whether all required parameters are given and valid; a sheet may supply them."""
        if any(typed.who):
            return True
        for index, side in enumerate(typed.sides):
            for param in typed.check.params.values():
                given = side.get(param.name)
                if given is None and param.required and (not index or not param.whole):
                    return False
                try:
                    param.read(given if given is not None else param.example())
                except Refused:
                    return False
        return True

    def _split(self, check: Check, words: Sequence[str]) -> list[list[str]]:
        sides: list[list[str]] = [[]]
        for word in words:
            if word.lower() in SIDE_WORDS:
                _check_side_word(check, word.lower())
                sides.append([])
            else:
                sides[-1].append(word)
        return sides

    def _characters(self, check: Check, sides: Sequence[Sequence[str]]) -> list[str | None]:
        """Return the character of each side: from `as=` among its words, or from `who`."""
        if len(self.who) > len(sides):
            raise Refused(
                Message(
                    "check.number_of_characters",
                    who=Message("count.character", count=len(self.who)),
                    sides=Message("count.side", count=len(sides)),
                )
            )
        who: list[str | None] = [*self.who, *[None] * (len(sides) - len(self.who))]
        for index, side in enumerate(sides):
            names = [word.partition("=")[2] for word in side if _names_character(check, word)]
            if any(not name.strip() for name in names):
                raise Refused(Message("check.as_needs_value"))
            if len(names) > 1:
                raise Refused(Message("check.given_twice", name=AS, once=_once_text(check)))
            if names and who[index] is not None:
                raise Refused(Message("check.character_twice"))
            who[index] = names[0] if names else who[index]
        return who

    def _character_names(self, name: str | None, index: int) -> CharacterNames | None:
        if self.names_of is None:
            return None
        if (name, index) not in self._names:
            self._names[name, index] = self.names_of(name, index)
        return self._names[name, index]

    def _side(self, check: Check, words: Sequence[str], who: str | None, index: int) -> Side:
        if (values := _parse_named_only(check, words)) is not None:
            return values
        # Not needed for parameters by their own names, the common case.
        from handful.rules.name_resolution import resolve_parameters
        from handful.rules.vocabulary import Vocabulary

        names = self._character_names(who, index)
        vocabulary = Vocabulary(self.rules, check, names, further=index > 0)
        given = _SideParser(check, words, vocabulary).parse()
        return {
            name: str(value) for name, value in resolve_parameters(self.rules, check, given, names).items()
        }


def _parse_named_only(check: Check, words: Sequence[str]) -> Side | None:
    """Parse the common case, parameters by their own names; None if anything else is typed."""
    found: Side = {}
    for word in words:
        name, equals, value = word.partition("=")
        own = name.removesuffix(ADD_SUFFIX)
        if not equals or own not in check.params or name in found or not value.strip():
            return None
        found[name] = value
    return found


class _SideParser:
    """Parses the words of one side: splits them into spans with one meaning each."""

    def __init__(self, check: Check, words: Sequence[str], vocabulary: Vocabulary) -> None:
        self.check, self.words, self.vocabulary = check, words, vocabulary
        self.by_span: dict[tuple[int, int], list[WordMeaning]] = {}

    def parse(self) -> Side:
        spans = self._spans()
        named = {
            name.removesuffix(ADD_SUFFIX)
            for start, end in spans
            if "=" in " ".join(self.words[start:end])
            for name, _ in self.by_span[start, end][0].given
        }
        sources: dict[str, list[WordMeaning]] = {}
        values: Side = {}
        texts = [" ".join(self.words[start:end]) for start, end in spans]
        chosen = [
            self._single_meaning(words, self.by_span[span], named)
            for words, span in zip(texts, spans, strict=True)
        ]
        self._check_applicable(texts, chosen)
        for meaning in chosen:
            for name, value in meaning.given:
                if name in values:
                    value = self._combine(name, values[name], value, [*sources[name], meaning])
                values[name] = value
                sources.setdefault(name, []).append(meaning)
        return values

    def _check_applicable(self, texts: Sequence[str], chosen: Sequence[WordMeaning]) -> None:
        """Refuse a trait or condition that does not apply to what is checked."""
        if not any(meaning.only_for for meaning in chosen):
            return
        checked = {name for meaning in chosen for name in self.vocabulary.named_entries(meaning)}
        for words, meaning in zip(texts, chosen, strict=True):
            if meaning.only_for and not checked & {*meaning.only_for}:
                raise Refused(
                    Message("check.counts_only_for", word=_abbreviate(words), only_for=meaning.only_for)
                )

    def _spans(self) -> list[tuple[int, int]]:
        """Return the only split of the words into spans; refused if there are several or none."""
        count = len(self.words)
        splits: list[list[list[tuple[int, int]]]] = [[] for _ in range(count)] + [[[]]]
        for start in range(count - 1, -1, -1):
            for end in self._ends(start):
                splits[start] += [[(start, end), *rest] for rest in splits[end]][:2]
        if len(splits[0]) > 1:
            choices = [" and ".join(repr(" ".join(self.words[a:b])) for a, b in split) for split in splits[0]]
            raise Refused(Message("check.quote_names", words=" ".join(self.words), choices=choices))
        if not splits[0]:
            raise self._not_understood()
        return splits[0][0]

    def _ends(self, start: int) -> list[int]:
        """Return the possible ends of a span that starts here."""
        ends = []
        for end in range(start + 1, min(len(self.words), start + MAX_TITLE_WORDS) + 1):
            if meanings := self.vocabulary.meanings_of(self.words[start:end]):
                self.by_span[start, end] = meanings
                ends.append(end)
        if len(ends) > 1 and "=" in self.words[start]:
            return [end for end in ends if self.vocabulary.is_readable(self.by_span[start, end][0])]
        return ends

    def _not_understood(self) -> Refused:
        """Return the refusal for the first word without a meaning."""
        reached = {0}
        for start, end in sorted(self.by_span):
            if start in reached:
                reached.add(end)
        return self.vocabulary.not_understood(self.words[max(reached)])

    def _single_meaning(self, words: str, meanings: list[WordMeaning], named: set[str]) -> WordMeaning:
        """Return the only meaning of some words; parameters given by name exclude other meanings."""
        free = [meaning for meaning in meanings if not named & {name for name, _ in meaning.given}]
        candidates = meanings if "=" in words or not free else free
        usable = [meaning for meaning in candidates if not meaning.missing] or candidates
        if len(usable) > 1:
            raise Refused(
                Message(
                    "check.write_one_of",
                    word=_abbreviate(words),
                    choices=(meaning.format() for meaning in usable),
                )
            )
        if usable[0].missing:
            raise Refused(usable[0].missing)
        return usable[0]

    def _combine(self, name: str, first: str, value: str, sources: list[WordMeaning]) -> str:
        """Combine two values of one parameter: several skills, or a skill with its own attribute."""
        own = name.removesuffix(ADD_SUFFIX)
        param = self.check.params.get(own)
        if all(meaning.kind for meaning in sources) and param is not None:
            if param.separators:
                return f"{first},{value}"
            for meaning, other in product(sources, sources):
                if meaning.kind == "attributes" and self.vocabulary.governs(meaning.name, other):
                    return other.name
        raise Refused(Message("check.given_twice", name=name, once=_once_text(self.check)))


# -- helpers


def _once_text(check: Check) -> Message:
    return Message("check.once_per_side") if check.sides else Message("check.once")


def _names_character(check: Check, word: str) -> bool:
    name, equals, _ = word.partition("=")
    return bool(equals) and normalize_name(name) == AS and match_name(name, check.params) is None


def _check_side_word(check: Check, word: str) -> None:
    if check.sides is None:
        raise NotAccepted(Message("check.has_one_side", name=check.name, word=word))
    if check.sides.word != word:
        what = Message("check.side") if check.sides.word == "vs" else Message("check.member")
        raise NotAccepted(
            Message("check.wrong_separator", what=what, check=check.name, word=check.sides.word, typed=word)
        )


def _format_side(side: Side) -> str:
    return " ".join(f"{name}={value}" for name, value in side.items())


def _abbreviate(word: str, longest: int = 40) -> str:
    return word if len(word) <= longest else word[: longest - 1] + "…"
