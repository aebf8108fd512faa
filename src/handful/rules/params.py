"""Parameters of checks, and the conversion of typed text to values.

A value is parsed once, strictly: invalid input is refused with what is expected.
Numbers stay exact; `3.5` is seven halves, never a float.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from fractions import Fraction
from typing import Any

from handful.errors import NO_MESSAGE, Message, Refused, closest_name, did_you_mean
from handful.records import field, record
from handful.rules.operators import MAX_NUMBER, normalize_number
from handful.rules.program import Record, Value

TYPES = ("number", "halves", "share", "truth", "choice", "text", "die_code", "ladder")
MAX_VALUE_LENGTH = 100  # characters of one typed value
ADD_SUFFIX = "+"  # after a parameter's name: adds to the sheet's value instead of replacing it
MAX_ENTRIES = 100
MAX_PIPS = 1000
TRUTHS = {"yes": True, "true": True, "no": False, "false": False}
# Patterns are texts: `re` compiles one when it is first used, and most commands use few of them.
_DIE_CODE = r"(?ai)(?P<sign>[+-]?) *(?P<dice>\d{1,9}) *d *(?:(?P<pips>[+-] *\d{1,9}))?\Z"
_NUMBER = r"(?a)[+-]?\d{1,12}(\.\d{1,12})?\Z|[+-]?\d{1,12}/\d{1,12}\Z"
_TERM = r"[+-]{0,2}[^+-]+"

Wording = Mapping[str, str]


def normalize_name(name: str) -> str:
    """Return a name in comparable form: case, spaces, `-` and `_` do not matter."""
    if not name.isascii():
        name = _normalize_unicode(name)
    return re.sub(r"[\s_-]+", "_", name.strip().lower())


def _normalize_unicode(name: str) -> str:
    """Normalize composed letters and ligatures (NFKC), and the typographic apostrophe."""
    from unicodedata import normalize  # few names need it

    return normalize("NFKC", name).replace("’", "'")


def match_name(name: str, known: Iterable[str]) -> str | None:
    """Return the declared spelling of a typed name; None if unknown."""
    wanted = normalize_name(name)
    return next((declared for declared in known if normalize_name(declared) == wanted), None)


def match_spellings(name: str, spellings: Mapping[str, Iterable[str]]) -> list[str]:
    """Return the entries that a name can mean: an exact name wins, else all with that title or alias."""
    exact = match_name(name, spellings)
    if exact is not None:
        return [exact]
    wanted = normalize_name(name).casefold()
    return [
        entry
        for entry, names in spellings.items()
        if any(normalize_name(spelling).casefold() == wanted for spelling in names)
    ]


def find_name(name: str, known: Collection[str], what: str, owner: str = "") -> str:
    """Return the declared spelling of a typed name; refuse an unknown one with the choices."""
    if name in known:
        return name
    names = list(known)
    found = match_name(name, names)
    if found is None:
        shown = name if len(name) <= 40 else name[:39] + "…"
        wrong = Message("name.unknown", what=what, name=shown, names=names)
        if owner:
            wrong = Message("name.owner_has_no", owner=owner, what=what, name=shown, names=names)
        raise Refused(
            wrong,
            did_you_mean(normalize_name(name), names),
        )
    return found


def spellings(wording: Any, aliases: Any = ()) -> tuple[str, ...]:
    """Return the titles of an entry in every language, and its aliases."""
    titles = wording.items() if isinstance(wording, dict) else ()
    own_titles = [title for language, title in titles if language not in ("one", "aliases")]
    extra = aliases if isinstance(aliases, list | tuple) else ()
    return tuple(spelling for spelling in (*own_titles, *extra) if isinstance(spelling, str) and spelling)


@record()
class Param:
    """One parameter of a check, as its ruleset declares it."""

    name: str
    type: str
    label: Wording
    help: Wording = field(default_factory=dict)
    unit: str = ""
    whole: bool = False
    optional: bool = False
    required: bool = False
    default: Value = None
    least: int | Fraction | None = None
    most: int | Fraction | None = None
    values: tuple[str, ...] = ()
    words: Mapping[str, int] = field(default_factory=dict)
    separators: tuple[str, ...] = ()
    as_sum: bool = False
    number_field: str = ""
    ladder: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    # parameter -> its value -> value implied for this one
    follows: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    at_table: str = ""  # value offered at a table if the rules and the character's points allow it
    # Aliases of the parameter; titles and aliases of each of its values, words and difficulties.
    aliases: tuple[str, ...] = ()
    spellings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def read(self, raw: Any) -> Value:
        """Parse a typed or passed value."""
        if self._is_plain(raw):
            for _ in self.separators:
                raw = (raw,)
            return raw
        try:
            if raw is None and self.optional:
                return None
            if self.separators and isinstance(raw, (list, tuple)) and not raw:
                raise Refused(Message("value.empty_list", expects=self.expects()))
            return self._list(raw, self.separators)
        except Refused as refusal:
            raise Refused(Message("at", place=self.name, problem=refusal.problem), refusal.advice) from None

    def _is_plain(self, raw: Any) -> bool:
        """Return True for a value that needs no parsing: a number in range, or one of the choices."""
        if type(raw) is int:
            return (
                self.type in ("number", "halves", "share")
                and (self.least is None or self.least <= raw)
                and (self.most is None or raw <= self.most)
                and -MAX_NUMBER <= raw <= MAX_NUMBER
            )
        return type(raw) is str and self.type == "choice" and raw in self.values

    def _list(self, raw: Any, separators: tuple[str, ...]) -> Value:
        if not separators:
            return self._read_single(raw)
        if isinstance(raw, str):
            separator = separators[0]
            is_single_name = bool(raw.strip(" -+,")) and self.resolve_name(raw) is not None
            raw = [raw] if is_single_name else self._split(raw, separator)
        elif not isinstance(raw, (list, tuple)):
            raw = [raw]
        if len(raw) > MAX_ENTRIES:
            raise Refused(Message("value.too_many_entries", most=MAX_ENTRIES, given=len(raw)))
        return tuple(self._list(entry, separators[1:]) for entry in raw)

    def _split(self, raw: str, separator: str) -> list[str]:
        return raw.split(separator) if separator == "," else _split_plus(raw)

    def resolve_name(self, raw: str) -> str | None:
        """Return the value, word or difficulty with this name or title; refused if ambiguous."""
        known = self.names()
        if not known or len(raw) > MAX_VALUE_LENGTH:
            return None
        found = match_spellings(raw, {name: self.spellings.get(name, ()) for name in known})
        if len(found) > 1:
            raise Refused(Message("name.ambiguous", name=raw.strip(), found=found))
        return found[0] if found else None

    def names(self) -> tuple[str, ...]:
        """Return the names of its values, words and difficulties."""
        return (*self.values, *self.words, *(self.ladder if self.type == "ladder" else ()))

    def _suggest(self, raw: str) -> Message:
        """Return a hint for a mistyped name or title."""
        spellings = [spelling for name in self.names() for spelling in (name, *self.spellings.get(name, ()))]
        spelled = {normalize_name(spelling): spelling for spelling in reversed(spellings)}
        close = closest_name(normalize_name(raw), spelled)
        return Message("did_you_mean", name=spelled[close]) if close else NO_MESSAGE

    def _read_single(self, raw: Any) -> Value:
        if isinstance(raw, str):
            raw = raw.strip()
            if len(raw) > MAX_VALUE_LENGTH:
                raise Refused(Message("value.too_long", most=MAX_VALUE_LENGTH))
            if not raw and self.type != "text":
                raise Refused(Message("value.missing", expects=self.expects()))
        return _READERS[self.type](self, raw)

    # -- one reader per type

    def _read_number(self, raw: Any) -> Value:
        word = self.resolve_name(raw) if isinstance(raw, str) else None
        if word is not None:
            return self.words[word]
        if isinstance(raw, bool) and (answer := "yes" if raw else "no") in self.words:
            return self.words[answer]
        return self._in_range(self._number(raw, 1), raw)

    def _read_halves(self, raw: Any) -> Value:
        return self._in_range(self._number(raw, 2), raw)

    def _read_share(self, raw: Any) -> Value:
        if isinstance(raw, str) and raw.endswith("%"):
            return self._in_range(Fraction(self._number(raw[:-1], 0)) / 100, raw)
        return self._in_range(self._number(raw, 0), raw)

    def _read_truth(self, raw: Any) -> Value:
        if isinstance(raw, bool):
            return raw
        found = TRUTHS.get(normalize_name(str(raw)))
        if found is None:
            raise Refused(Message("value.not_yes_or_no", value=raw))
        return found

    def _read_choice(self, raw: Any) -> Value:
        found = raw if raw in self.values else self.resolve_name(str(raw))
        if found is None:
            hint = self._suggest(str(raw))
            raise Refused(Message("value.not_a_choice", value=str(raw), names=self.values), hint)
        return str(found)

    def _read_text(self, raw: Any) -> Value:
        if not isinstance(raw, str) or not raw.isprintable():
            raise Refused(Message("value.not_a_text"))
        return normalize_name(raw).replace("_", " ")  # names ignore case, including a skill's

    def _read_die_code(self, raw: Any) -> Value:
        if isinstance(raw, Mapping) and set(raw) <= {"dice", "pips"}:
            dice, pips = raw.get("dice", 0), raw.get("pips", 0)
            raw = f"{dice}D{pips:+}" if isinstance(dice, int) and isinstance(pips, int) else raw
        text = str(raw)
        if found := re.match(_DIE_CODE, text):
            dice = int(found["sign"] + found["dice"])
            self._in_range(dice, raw)
            return Record(dice=dice, pips=_check_pips(int((found["pips"] or "0").replace(" ", ""))))
        if self.number_field and re.match(_NUMBER, text):
            return Record(dice=0, pips=_check_pips(int(self._number(text, 1))))
        raise Refused(Message("value.not_understood", text=text, expects=self.expects()))

    def _read_ladder(self, raw: Any) -> Value:
        fields = {name: 0 for rung in self.ladder.values() for name in rung}
        if isinstance(raw, str) and (name := self.resolve_name(raw)):
            return Record({**fields, **self.ladder[name], "name": name})
        if not self.number_field or (isinstance(raw, str) and not re.match(_NUMBER, raw)):
            hint = self._suggest(str(raw))
            raise Refused(Message("value.unknown", value=str(raw), expects=self.expects()), hint)
        value = self._in_range(self._number(raw, 1), raw)
        return Record({**fields, self.number_field: value, "name": ""})

    # -- numbers

    def _number(self, raw: Any, parts: int) -> int | Fraction:
        """Parse an exact number; `parts` is 1 for integers, 2 for halves, 0 for any fraction."""
        if type(raw) is int and -MAX_NUMBER <= raw <= MAX_NUMBER:
            return raw
        if isinstance(raw, bool) or not isinstance(raw, (int, float, Fraction, str)):
            raise Refused(Message("value.not_a_number", value=raw, expects=self.expects()))
        text = str(raw)
        terms = re.findall(_TERM, text) if self.as_sum else []
        terms = terms if "".join(terms) == text else [text]
        value = sum((self._term(term.replace("+-", "-").replace("--", "+")) for term in terms), Fraction(0))
        if parts and value.denominator > parts:
            expects = self.expects()
            if parts == 1:
                raise Refused(Message("value.not_whole", text=text, expects=expects))
            raise Refused(Message("value.not_halves", text=text, expects=expects))
        return value

    def _term(self, text: str) -> Fraction:
        if re.match(r"[+-]?[0-9]{13,}", text):
            raise Refused(Message("value.too_many_digits", text=text[:20], expects=self.expects()))
        if not re.match(_NUMBER, text):
            hint = self._suggest(text) if self.words else NO_MESSAGE
            raise Refused(Message("value.not_a_number", value=text, expects=self.expects()), hint)
        try:
            return Fraction(text)
        except ZeroDivisionError:
            raise Refused(Message("value.not_a_number", value=text, expects=self.expects())) from None

    def _in_range(self, value: int | Fraction, raw: Any) -> Value:
        below = self.least is not None and value < self.least
        if below or (self.most is not None and value > self.most):
            raise Refused(Message("value.out_of_range", value=raw, expects=self.expects()))
        return normalize_number(value)

    # -- wording

    def expects(self) -> Message:
        """Describe the valid values."""
        what = self._with_range(self._expected_kind())
        return Message("expects.or_names", what=what, names=self.words) if self.words else what

    def _expected_kind(self) -> Message:
        match self.type:
            case "number":
                return Message("expects.whole_number")
            case "halves":
                return Message("expects.halves")
            case "share":
                exceeds_one = self.most is not None and self.most > 1
                return Message("expects.number") if exceeds_one else Message("expects.share")
            case "truth":
                return Message("expects.yes_or_no")
            case "choice":
                return Message("expects.names", names=self.values)
            case "text":
                return Message("expects.short_text")
            case "die_code" if self.number_field:
                return Message("expects.die_code_or_number")
            case "die_code":
                return Message("expects.die_code")
            case _ if self.number_field:
                return Message("expects.number_or_names", names=self.ladder)
        return Message("expects.names", names=self.ladder)

    def example(self) -> str:
        """Return a valid value as it would be typed."""
        names = self.values or (tuple(self.ladder) if self.type == "ladder" else ())
        examples = {"die_code": "3D+1", "truth": "yes", "share": "25%", "halves": "3.5", "text": "…"}
        return names[0] if names else examples.get(self.type, "3")

    def _with_range(self, what: Message) -> Message:
        """Return a description of the values with their range, if they have one."""
        ranged = self.type in ("number", "halves", "share", "die_code")
        if not ranged and not (self.type == "ladder" and self.number_field):
            return what
        if self.least is None or self.most is None:
            return what
        least, most = (display_value(normalize_number(bound)) for bound in (self.least, self.most))
        if self.type == "die_code":
            return Message("expects.range_of_dice", what=what, least=least, most=most)
        return Message("expects.range", what=what, least=least, most=most)


_READERS: dict[str, Callable[[Param, Any], Value]] = {kind: getattr(Param, f"_read_{kind}") for kind in TYPES}


def _check_pips(pips: int) -> int:
    if abs(pips) > MAX_PIPS:
        raise Refused(Message("value.pips_out_of_range", pips=pips, most=MAX_PIPS))
    return pips


def _split_plus(text: str) -> list[str]:
    """Split `3+1+-2` at its plus signs; a minus sign belongs to the number after it."""
    return [part.removeprefix("+") or part for part in re.findall(r"\+?-?[^+]+|\+", text)] or [text]


def display_value(value: Value) -> Any:
    """Return a value as shown in JSON and messages: `3.5`, `4D+2`, a name."""
    if value is None or isinstance(value, (int, str)):  # first: isinstance is slow for Fraction
        return value
    if isinstance(value, Fraction):
        return float(value) if value.denominator == 2 else str(value)
    if isinstance(value, Record):
        if "pips" in value:
            pips = f"{value['pips']:+}" if value["pips"] else ""
            return f"{value['dice']}D{pips}"
        if value.get("name"):
            return value["name"]
        numbers = [number for key, number in value.items() if key != "name" and number]
        return numbers[0] if numbers else 0
    if isinstance(value, tuple):
        return [display_value(entry) for entry in value]
    return value
