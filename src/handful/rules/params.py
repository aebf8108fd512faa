"""Parameters: what a check wants to know, and how typed text becomes a value.

A value is read once, here, strictly: what is not understood is refused with what would be right.
Numbers stay exact; `3.5` is seven halves, never a float.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from fractions import Fraction
from typing import Any

from handful.errors import Refused, did_you_mean, format_choices
from handful.records import field, record
from handful.rules.operators import MAX_NUMBER, normalize_number
from handful.rules.program import Record, Value

TYPES = ("number", "halves", "share", "truth", "choice", "text", "die_code", "ladder")
MAX_VALUE_LENGTH = 100  # characters of one typed value
ADD_SUFFIX = "+"  # behind a parameter's name: beside what the sheet says, not in its place
MAX_ENTRIES = 100
MAX_PIPS = 1000
TRUTHS = {"yes": True, "true": True, "no": False, "false": False}
_DIE_CODE = re.compile(
    r"(?P<sign>[+-]?) *(?P<dice>\d{1,9}) *d *(?:(?P<pips>[+-] *\d{1,9}))?\Z",
    re.ASCII | re.IGNORECASE,
)
_NUMBER = re.compile(r"[+-]?\d{1,12}(\.\d{1,12})?\Z|[+-]?\d{1,12}/\d{1,12}\Z", re.ASCII)
_TERM = re.compile(r"[+-]{0,2}[^+-]+")

Wording = Mapping[str, str]


def normalize_name(name: str) -> str:
    """Names ignore case; spaces, `-` and `_` are alike."""
    if not name.isascii():
        name = _normalize_unicode(name)
    return re.sub(r"[\s_-]+", "_", name.strip().lower())


def _normalize_unicode(name: str) -> str:
    """The same letters in one way: an umlaut may come in two parts, `fi` as one letter."""
    from unicodedata import normalize  # few names need it

    return normalize("NFKC", name).replace("’", "'")


def match_name(name: str, known: Iterable[str]) -> str | None:
    """The declared spelling of a typed name."""
    wanted = normalize_name(name)
    return next((own for own in known if normalize_name(own) == wanted), None)


def match_spellings(name: str, said: Mapping[str, Iterable[str]]) -> list[str]:
    """The things that a name can mean: its own name wins, else each that is also said so."""
    own = match_name(name, said)
    if own is not None:
        return [own]
    wanted = normalize_name(name).casefold()
    return [
        one for one, ways in said.items() if any(normalize_name(way).casefold() == wanted for way in ways)
    ]


def find_name(name: str, known: Collection[str], what: str, owner: str = "") -> str:
    """The declared spelling of a typed name, or a refusal that lists what there is."""
    if name in known:
        return name
    names = list(known)
    found = match_name(name, names)
    if found is None:
        shown = name if len(name) <= 40 else name[:39] + "…"
        there = f"{owner} has no" if owner else "there is no"
        raise Refused(
            f"{there} {what} {shown!r}; {'it has' if owner else 'there is'} {format_choices(names)}",
            did_you_mean(normalize_name(name), names),
        )
    return found


def spellings(wording: Any, aliases: Any = ()) -> tuple[str, ...]:
    """The ways to say something: in every language, and whatever else it is called."""
    titles = wording.items() if isinstance(wording, dict) else ()
    own = [title for language, title in titles if language not in ("one", "aliases")]
    also = aliases if isinstance(aliases, list | tuple) else ()
    return tuple(way for way in (*own, *also) if isinstance(way, str) and way)


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
    # parameter -> its value -> the value of this one that follows from it
    follows: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    at_table: str = ""  # taken at a table as well, where the rules and the character's points allow
    # Titles and aliases: of itself, and of each of its values, words and difficulties.
    aliases: tuple[str, ...] = ()
    spellings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def read(self, raw: Any) -> Value:
        """The value of what was typed or passed in."""
        try:
            if raw is None and self.optional:
                return None
            if self.separators and isinstance(raw, (list, tuple)) and not raw:
                raise Refused(f"a list of nothing; leave it out, or give {self.expects()}")
            return self._list(raw, self.separators)
        except Refused as refusal:
            raise Refused(f"{self.name}: {refusal.message}", refusal.hint) from None

    def _list(self, raw: Any, separators: tuple[str, ...]) -> Value:
        if not separators:
            return self._read_single(raw)
        if isinstance(raw, str):
            separator = separators[0]
            whole = bool(raw.strip(" -+,")) and self.resolve_name(raw) is not None
            raw = [raw] if whole else self._split(raw, separator)
        elif not isinstance(raw, (list, tuple)):
            raw = [raw]
        if len(raw) > MAX_ENTRIES:
            raise Refused(f"at most {MAX_ENTRIES} entries, not {len(raw)}")
        return tuple(self._list(entry, separators[1:]) for entry in raw)

    def _split(self, raw: str, separator: str) -> list[str]:
        return raw.split(separator) if separator == "," else _split_plus(raw)

    def resolve_name(self, raw: str) -> str | None:
        """The value, word or difficulty of a name or title; refused where it means several."""
        known = self.names()
        if not known or len(raw) > MAX_VALUE_LENGTH:
            return None
        found = match_spellings(raw, {one: self.spellings.get(one, ()) for one in known})
        if len(found) > 1:
            raise Refused(f"{raw.strip()!r} may mean {format_choices(found)}; say which one")
        return found[0] if found else None

    def names(self) -> tuple[str, ...]:
        """Its values, words and difficulties by their own names."""
        return (*self.values, *self.words, *(self.ladder if self.type == "ladder" else ()))

    def _suggest(self, raw: str) -> str:
        """A hint for a mistyped name; titles are among what may be meant."""
        ways = [way for one in self.names() for way in (one, *self.spellings.get(one, ()))]
        spelled = {normalize_name(way): way for way in reversed(ways)}
        hint = did_you_mean(normalize_name(raw), spelled)
        for way, shown_as in spelled.items():
            if hint == f"did you mean {way!r}?":
                return f"did you mean {shown_as!r}?"
        return hint

    def _read_single(self, raw: Any) -> Value:
        if isinstance(raw, str):
            raw = raw.strip()
            if len(raw) > MAX_VALUE_LENGTH:
                raise Refused(f"at most {MAX_VALUE_LENGTH} characters, please")
            if not raw and self.type != "text":
                raise Refused(f"needs {self.expects()}")
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
            raise Refused(f"{raw!r} is not understood; it is yes or no")
        return found

    def _read_choice(self, raw: Any) -> Value:
        found = raw if raw in self.values else self.resolve_name(str(raw))
        if found is None:
            hint = self._suggest(str(raw))
            raise Refused(f"{str(raw)!r} is not known; it is {format_choices(self.values)}", hint)
        return str(found)

    def _read_text(self, raw: Any) -> Value:
        if not isinstance(raw, str) or not raw.isprintable():
            raise Refused("must be a short text")
        return normalize_name(raw).replace("_", " ")  # names ignore case, also a skill's

    def _read_die_code(self, raw: Any) -> Value:
        if isinstance(raw, Mapping) and set(raw) <= {"dice", "pips"}:
            dice, pips = raw.get("dice", 0), raw.get("pips", 0)
            raw = f"{dice}D{pips:+}" if isinstance(dice, int) and isinstance(pips, int) else raw
        text = str(raw)
        if found := _DIE_CODE.match(text):
            dice = int(found["sign"] + found["dice"])
            self._in_range(dice, raw)
            return Record(dice=dice, pips=_pips(int((found["pips"] or "0").replace(" ", ""))))
        if self.number_field and _NUMBER.match(text):
            return Record(dice=0, pips=_pips(int(self._number(text, 1))))
        raise Refused(f"{text!r} is not understood; it needs {self.expects()}")

    def _read_ladder(self, raw: Any) -> Value:
        fields = {name: 0 for rung in self.ladder.values() for name in rung}
        if isinstance(raw, str) and (name := self.resolve_name(raw)):
            return Record({**fields, **self.ladder[name], "name": name})
        if not self.number_field or (isinstance(raw, str) and not _NUMBER.match(raw)):
            hint = self._suggest(str(raw))
            raise Refused(f"{str(raw)!r} is not known; it is {self.expects()}", hint)
        value = self._in_range(self._number(raw, 1), raw)
        return Record({**fields, self.number_field: value, "name": ""})

    # -- numbers

    def _number(self, raw: Any, parts: int) -> int | Fraction:
        """An exact number; `parts` is 1 for whole numbers, 2 for halves, 0 for any."""
        if type(raw) is int and -MAX_NUMBER <= raw <= MAX_NUMBER:
            return raw
        if isinstance(raw, bool) or not isinstance(raw, (int, float, Fraction, str)):
            raise Refused(f"{raw!r} is not a number; it needs {self.expects()}")
        text = str(raw)
        terms = _TERM.findall(text) if self.as_sum and "".join(_TERM.findall(text)) == text else [text]
        value = sum((self._term(term.replace("+-", "-").replace("--", "+")) for term in terms), Fraction(0))
        if parts and value.denominator > parts:
            raise Refused(
                f"{text} is not {'a whole number' if parts == 1 else 'a multiple of 0.5'};"
                f" it needs {self.expects()}"
            )
        return value

    def _term(self, text: str) -> Fraction:
        if re.match(r"[+-]?[0-9]{13,}", text):
            raise Refused(f"{text[:20]}… is out of range; it needs {self.expects()}")
        if not _NUMBER.match(text):
            hint = self._suggest(text) if self.words else ""
            raise Refused(f"{text!r} is not a number; it needs {self.expects()}", hint)
        try:
            return Fraction(text)
        except ZeroDivisionError:
            raise Refused(f"{text!r} is not a number; it needs {self.expects()}") from None

    def _in_range(self, value: int | Fraction, raw: Any) -> Value:
        below = self.least is not None and value < self.least
        if below or (self.most is not None and value > self.most):
            raise Refused(f"{raw} is out of range; it needs {self.expects()}")
        return normalize_number(value)

    # -- wording

    def expects(self) -> str:
        """What would be right, in words."""
        what = {
            "number": "a whole number",
            "halves": "a number in halves",
            "share": "a number such as 2 or 3.5"
            if self.most is not None and self.most > 1
            else "a share such as 25% or 0.25",
            "truth": "yes or no",
            "choice": format_choices(self.values),
            "text": "a short text",
            "die_code": "a die code such as 4D+2" + (" or a number" * bool(self.number_field)),
            "ladder": ("a number or " if self.number_field else "") + format_choices(self.ladder),
        }[self.type]
        if self.type in ("number", "halves", "share", "die_code", "ladder"):
            what += self._range_text()
        if self.words:
            what += f", or {format_choices(self.words)}"
        return what

    def example(self) -> str:
        """A value that fits, as it is typed."""
        names = self.values or (tuple(self.ladder) if self.type == "ladder" else ())
        plain = {"die_code": "3D+1", "truth": "yes", "share": "25%", "halves": "3.5", "text": "…"}
        return names[0] if names else plain.get(self.type, "3")

    def _range_text(self) -> str:
        if self.least is None or self.most is None or (self.type == "ladder" and not self.number_field):
            return ""
        dice = " dice" if self.type == "die_code" else ""
        least, most = (display_value(normalize_number(bound)) for bound in (self.least, self.most))
        return f" ({least} to {most}{dice})"


_READERS: dict[str, Callable[[Param, Any], Value]] = {kind: getattr(Param, f"_read_{kind}") for kind in TYPES}


def _pips(pips: int) -> int:
    if abs(pips) > MAX_PIPS:
        raise Refused(f"{pips:+} is out of range; it needs -{MAX_PIPS} to +{MAX_PIPS}")
    return pips


def _split_plus(text: str) -> list[str]:
    """`3+1+-2` into its parts; a sign belongs to the number behind it."""
    return [part.removeprefix("+") or part for part in re.findall(r"\+?-?[^+]+|\+", text)] or [text]


def display_value(value: Value) -> Any:
    """A value as it stands in JSON and in messages: `3.5`, `4D+2`, a name."""
    if value is None or isinstance(value, (int, str)):  # most are; to ask for a fraction takes long
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
