"""The library: rulesets by name or path, odds, and rolls that can be played.

The only module that reads files.  It binds the pure parts together and adds no rules.
"""

from __future__ import annotations

import json
import os.path
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from handful import odds as exact
from handful.errors import BadReply, FileFault, Refused, did_you_mean, listed
from handful.odds import Odds, described
from handful.roll import (
    Bound,
    ChooseDice,
    Decided,
    Modifier,
    Node,
    PickOption,
    Question,
    Reply,
    Throw,
    ThrownDie,
    bind,
    policy_reply,
    resume,
    start,
)
from handful.rules import load as loading
from handful.rules.params import canonical, lookup, shown
from handful.rules.ruleset import Ruleset as Rules
from handful.rules.ruleset import text

FILE = "ruleset.toml"
MOST_BASES = 8


class Rng(Protocol):
    """Whoever throws the dice: `random.Random`, `random.SystemRandom` or your own."""

    def randrange(self, stop: int, /) -> int: ...


# -- finding and reading files


def shipped_folder() -> Path:
    """Where the shipped rulesets lie: beside the package, or at the top of a working copy."""
    beside = Path(__file__).parent / "rulesets"
    return beside if beside.is_dir() else Path(__file__).parents[2] / "rulesets"


def shipped() -> list[str]:
    """The names of the shipped rulesets."""
    return sorted(path.parent.name for path in shipped_folder().glob(f"*/{FILE}"))


def ruleset_path(name: str) -> Path:
    """The file of a ruleset: a shipped one by its name, or a path to a file or folder."""
    path = Path(name)
    if (own := lookup(name, shipped())) is not None:
        return shipped_folder() / own / FILE
    if path.suffix == ".toml" or "/" in name or "\\" in name or os.path.exists(path):
        return path / FILE if os.path.isdir(path) else path
    raise Refused(
        f"there is no ruleset {name[:60]!r}; there is {listed(shipped())}, or a path to a file",
        did_you_mean(canonical(name), shipped()),
    )


def read_sources(path: Path, seen: tuple[Path, ...] = ()) -> list[loading.Source]:
    """The texts of a ruleset file and of those it extends, base first."""
    if path.resolve() in seen or len(seen) >= MOST_BASES:
        raise FileFault(f"{path}: rulesets extend each other in a circle, or too deeply")
    source = loading.Source(_shown_path(path), _read_text(path))
    base = source.data.get("extends")
    if base is None:
        return [source]
    if not isinstance(base, str):
        raise FileFault(f"{path}: extends must name a ruleset or a path")
    own = lookup(base, shipped())
    target = shipped_folder() / own / FILE if own else path.parent / base
    if os.path.isdir(target):
        target = target / FILE
    if not os.path.exists(target):
        raise FileFault(
            f"{path}: it extends {base!r}, which is neither a shipped ruleset nor a file",
            did_you_mean(canonical(base), shipped()),
        )
    return [*read_sources(target, (*seen, path.resolve())), source]


def _read_text(path: Path) -> str:
    try:
        if path.stat().st_size > 4 * loading.LARGEST_FILE:
            raise FileFault(f"{path}: is too large to be a ruleset")
        return path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise FileFault(f"{path}: there is no such file") from None
    except UnicodeDecodeError as error:
        raise FileFault(f"{path}: is not UTF-8 text (byte {error.start})") from None
    except OSError as error:
        raise FileFault(f"{path}: cannot be read ({error.strerror or error})") from None


def _shown_path(path: Path) -> str:
    return str(path)


def ruleset(name: str | Path) -> Ruleset:
    """A ruleset: a shipped one by name (`uwr`), or a path to a ruleset file."""
    return Ruleset(loading.load(read_sources(ruleset_path(str(name)))))


# -- rulesets


@dataclass(frozen=True, slots=True, eq=False)
class Ruleset:
    """One game: its checks, options and wording, exact odds and rolls."""

    rules: Rules

    @property
    def id(self) -> str:
        return self.rules.id

    @property
    def hash(self) -> str:
        """The same text has the same hash on every machine."""
        return self.rules.hash

    @property
    def title(self) -> str:
        return text(self.rules.title)

    def __repr__(self) -> str:
        return f"<ruleset {self.id} {self.hash[:12]}>"

    def bind(
        self,
        check: str,
        *sides: Mapping[str, Any],
        options: Mapping[str, Any] | None = None,
        **params: Any,
    ) -> Bound:
        """A check with its parameters settled; one dict per side, keywords for the whole check."""
        return bind(self.rules, check, sides, params, options)

    def odds(
        self,
        check: str,
        *sides: Mapping[str, Any],
        options: Mapping[str, Any] | None = None,
        policy: str = "usual",
        **params: Any,
    ) -> Odds:
        """Exact odds; the policy for decisions is `usual`, `best` or `never`."""
        return exact.odds(self.bind(check, *sides, options=options, **params), policy=policy)

    def start(
        self,
        check: str,
        *sides: Mapping[str, Any],
        options: Mapping[str, Any] | None = None,
        **params: Any,
    ) -> Roll:
        """An immutable, resumable roll before its first throw."""
        return Roll.begin(self.bind(check, *sides, options=options, **params))

    def replay(self, saved: Mapping[str, Any]) -> Roll:
        """A roll as `Roll.to_json` saved it; refused if the rules have changed since."""
        if saved.get("hash") != self.hash:
            raise Refused(f"this roll was made with other rules than {self.id} {self.hash[:12]}")
        roll = self.start(
            saved["check"], *saved.get("sides", []), options=saved["options"], **saved["parameters"]
        )
        for reply in saved["replies"]:
            roll = roll.reply(reply if isinstance(reply, str) else tuple(reply))
        return roll


# -- rolls


@dataclass(frozen=True, slots=True)
class Roll:
    """A roll in progress: a bound check and the list of its replies.

    Every method gives a new roll; two rolls with the same replies are equal.
    """

    bound: Bound = field(repr=False, compare=False)
    replies: tuple[Reply, ...]
    node: Node = field(repr=False, compare=False)
    identity: Any = field(repr=False)

    @classmethod
    def begin(cls, bound: Bound) -> Roll:
        return cls(bound, (), start(bound), bound.identity)

    # -- going on

    @property
    def ask(self) -> Question | None:
        """What is asked, of whom; None when the roll is finished."""
        return self.node.ask

    @property
    def finished(self) -> bool:
        return self.node.ask is None

    def reply(self, reply: Reply, policy: str = "") -> Roll:
        """The roll after one reply: faces, die numbers or an option."""
        node = resume(self.bound, self.node, reply, policy)
        return Roll(self.bound, (*self.replies, reply), node, self.identity)

    def throw(self, rng: Rng | None = None, *, faces: Iterable[int] | None = None) -> Roll:
        """Throw the dice that are asked for: by `rng`, or with the faces given.

        Faces may cover several throws in a row, as far as no decision lies between them.
        """
        if not isinstance(self.node.ask, Throw):
            raise BadReply("no dice are asked for here")
        if faces is not None:
            return self._throw_faces(tuple(faces))
        if rng is None:
            raise BadReply(
                "throw needs faces, or something that throws: throw(random.SystemRandom())"
            )
        roll = self
        while isinstance(ask := roll.node.ask, Throw):
            roll = roll.reply(tuple(rng.randrange(ask.sides) + 1 for _ in range(ask.count)))
        return roll

    def _throw_faces(self, faces: tuple[int, ...]) -> Roll:
        roll = self
        while True:
            ask = roll.node.ask
            if not isinstance(ask, Throw):
                raise BadReply(f"{len(faces)} more faces were given than dice are thrown here")
            if len(faces) < ask.count:
                raise BadReply(f"{ask.count} faces are needed here, {len(faces)} were given")
            roll, faces = roll.reply(faces[: ask.count]), faces[ask.count :]
            if not faces:
                return roll

    def answer(self, answer: str | int | Sequence[int]) -> Roll:
        """Answer a decision: die numbers (`[3]`, `"1,4"`, `"none"`), or an option's word."""
        return self.reply(read_answer(self.node.ask, answer))

    def usual(self, policy: str = "usual") -> Roll:
        """Answer a decision as a policy would."""
        return self.reply(policy_reply(self.node, policy), policy)

    def odds(self, policy: str = "usual") -> Odds:
        """Exact odds from here, with the value of each legal answer and the best one."""
        return exact.odds(self.bound, self.node, policy=policy)

    # -- what came out

    @property
    def result(self) -> Any:
        """The main result; None while the roll is open, or where there is none."""
        return self._field(self.bound.check.main)

    @property
    def success(self) -> Any:
        return self._field("success")

    @property
    def margin(self) -> Any:
        return self._field("margin")

    @property
    def dice(self) -> tuple[ThrownDie, ...]:
        return self.node.trace.dice

    @property
    def modifiers(self) -> tuple[Modifier, ...]:
        return self.node.trace.modifiers

    @property
    def decisions(self) -> tuple[Decided, ...]:
        return self.node.trace.decisions

    @property
    def events(self) -> tuple[str, ...]:
        return tuple(sorted(self.node.events))

    @property
    def tally(self) -> dict[str, Any]:
        """Every other field of the result."""
        own = (self.bound.check.main, "success", "margin", "wins")
        return {k: v for k, v in (self.node.outcome or {}).items() if k not in own}

    def _field(self, name: str) -> Any:
        return None if self.node.outcome is None else self.node.outcome.get(name)

    # -- as data

    def to_dict(self) -> dict[str, Any]:
        """The fields of `handful roll --json`."""
        rules, several = self.bound.ruleset, self.bound.check.sides is not None
        fields: dict[str, Any] = {
            "dice": [_die(thrown, several) for thrown in self.dice],
            "result": shown_number(self.result),
            "success": list(self.success) if isinstance(self.success, tuple) else self.success,
            "margin": shown_number(self.margin),
        }
        if (wins := self._field("wins")) is not None:
            fields["wins"] = list(wins)
        fields["events"] = list(self.events)
        fields["modifiers"] = [
            {
                "source": m.source,
                "label": rules.says(m.source),
                "value": shown_number(m.amount),
                "unit": m.unit,
                **({"side": m.side} if several else {}),
            }
            for m in self.modifiers
        ]
        fields["decisions"] = [self._decided(one, several) for one in self.decisions]
        fields["tally"] = {name: shown_number(value) for name, value in self.tally.items()}
        fields["decided_by_options"] = {
            name: {"value": shown(self.bound.options[name]), "open": rules.options[name].open}
            for name in sorted(self.node.trace.options)
        }
        return fields | described(self.bound)

    def _decided(self, one: Decided, several: bool) -> dict[str, Any]:
        answer = one.answer if isinstance(one.answer, str) else list(one.answer)
        decided = {
            "decision": one.decision,
            "by": one.by,
            "answer": answer,
            "policy": one.policy or None,
        }
        if one.policy:
            decided["assumed"] = text(self.bound.ruleset.decisions[one.decision].usual)
        return decided | ({"side": one.side} if several else {})

    def to_json(self) -> str:
        """Everything needed to make this roll again, as JSON."""
        asked = described(self.bound)
        parameters = dict(asked["parameters"])
        return json.dumps(
            {
                "ruleset": self.bound.ruleset.id,
                "hash": self.bound.ruleset.hash,
                "check": self.bound.check.name,
                "sides": parameters.pop("sides", []),
                "parameters": {k: v for k, v in parameters.items() if v is not None},
                "options": asked["options"],
                "replies": [r if isinstance(r, str) else list(r) for r in self.replies],
            }
        )


def _die(thrown: ThrownDie, several: bool) -> dict[str, Any]:
    shown_die = {"face": thrown.face, "role": thrown.role, "of": thrown.of}
    return shown_die | ({"side": thrown.side} if several else {})


def shown_number(value: Any) -> Any:
    """Numbers as they are, averages as exact fraction strings."""
    if isinstance(value, tuple):
        return [shown_number(entry) for entry in value]
    if value is None or isinstance(value, (bool, int, str)):
        return value
    return (
        str(value)
        if not isinstance(value, dict)
        else {k: shown_number(v) for k, v in value.items()}
    )


def read_answer(ask: Question | None, answer: str | int | Sequence[int]) -> Reply:
    """An answer as it is typed, for the question at hand."""
    match ask:
        case PickOption():
            return str(answer)
        case ChooseDice():
            if isinstance(answer, int):
                return (answer,)
            if not isinstance(answer, str):
                return tuple(answer)
            if canonical(answer) in ("none", ""):
                return ()
            parts = [part.strip() for part in answer.split(",")]
            if not all(part.isascii() and part.isdigit() and len(part) < 7 for part in parts):
                raise BadReply(
                    f"{answer[:40]!r} is not understood; name dice such as 3 or 1,4, or none"
                )
            return tuple(int(part) for part in parts)
    raise BadReply("nothing is to be decided here")
