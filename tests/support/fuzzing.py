"""Mutation fuzzing of rulesets: change good files a little, then read and use them.

`mutated` changes a text token by token, because changed characters hardly ever parse as TOML.
`tried` reads such a text as untrusted input and, if it is accepted, plays, solves and simulates it.
The result must be an answer or one of Handful's own errors; any other exception propagates.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

from rule_generator import write_game
from toy_rulesets import toml

from handful import odds as exact
from handful import simulate
from handful.errors import HandfulError
from handful.library import Ruleset as Game
from handful.library.cases import cases_in, mismatches
from handful.library.claims import claims_in
from handful.roll import BoundCheck, ChooseDice, PickOption, Throw, bind, policy_reply, resume, start
from handful.roll.node import Node, Reply
from handful.rules.load import Source, load
from handful.rules.params import Param
from handful.rules.ruleset import Check, Ruleset
from handful.sheet import import_character

RULESETS = Path(__file__).parents[2] / "rulesets"
WORK = 3000  # budget of each odds question: enough to reach every part of the solver
REPLIES = 40
TOKEN = re.compile(r'"""|[A-Za-z_][\w-]*|\d+(?:\.\d+)?|[ \t]+|[^\w\s]|\n')
NASTY = (
    *("0", "-1", "1000000000", "1000000001", "99999999999999999999", "1.5", "0.1", "1e999", "nan"),
    *("inf", "10**10**10", "0x7f", "1_000", "true", "false", "None", "True", "[]", "{}", '""'),
    *('"\\u0000"', '"x" * 10**9', '"""', "'''", "[[", "]]", "#", "\x00", "\r\n", "\ufeff", "２"),
    *("1979-05-27", "07:32:00", "d0", "d1", "d2", "d1000", "d1001", "d999999", "options", "tables"),
    *("sides", "number", "kind", "@side", "__class__", "__import__", "lambda: 0", "yield", "await"),
    *("roll(1000, d1000)", "roll(-1, d6)", "roll(3, d6, more = 1)", "roll(2, d6, add = 6)"),
    *("reroll(pool, d6)", "widest(pool)", "sided(0)", "sum(pool, [1])", "range(1000)", "1/0"),
    *("while True:", "for i in range(1000):", "if True:", "pass", "result(total = 1)", "turn(9)"),
    *('refuse("x")', 'event("x")', 'ask("x", [])', 'choose("x", pool, 1)', "given(x)", "x[0]"),
    *("x.y", "not", "and", "or", "+", "-", "*", "/", "//", "%", "==", "<=", "**", "(", ")", "="),
    *("number", "halves", "share", "truth", "choice", "text", "die_code", "ladder", "optional"),
    *("extends", "replace", "sheet", "rounds", "list", "sum", "words", "values", "min", "max"),
)


def corpus() -> list[str]:
    """Return the texts of all shipped rulesets."""
    return [path.read_text(encoding="utf-8") for path in sorted(RULESETS.rglob("ruleset.toml"))]


def mutated(rng: Random, texts: Sequence[str], changes: int = 4) -> str:
    """Return a shipped or random ruleset after a few small changes; some splice in another text."""
    own = toml(*write_game(rng, endless=rng.random() < 0.3)) if rng.random() < 0.4 else ""
    tokens = TOKEN.findall(own or rng.choice(texts))
    for _ in range(rng.randint(1, changes)):
        if not tokens:
            break
        rng.choice(CHANGES)(rng, tokens, texts)
    return "".join(tokens)


Change = Callable[[Random, list[str], Sequence[str]], None]


def _place(rng: Random, tokens: list[str]) -> int:
    """Return a random position, seldom one in white space."""
    places = [rng.randrange(len(tokens)) for _ in range(4)]
    return next((at for at in places if tokens[at].strip()), places[0])


def _another(rng: Random, tokens: list[str], texts: Sequence[str]) -> None:
    tokens[_place(rng, tokens)] = rng.choice(NASTY)


def _swapped(rng: Random, tokens: list[str], texts: Sequence[str]) -> None:
    a, b = _place(rng, tokens), _place(rng, tokens)
    tokens[a], tokens[b] = tokens[b], tokens[a]


def _gone(rng: Random, tokens: list[str], texts: Sequence[str]) -> None:
    at = _place(rng, tokens)
    del tokens[at : at + rng.choice((1, 1, 1, 2, 5, 40))]


def _twice(rng: Random, tokens: list[str], texts: Sequence[str]) -> None:
    at, length = _place(rng, tokens), rng.choice((1, 1, 3, 20))
    tokens[at:at] = tokens[at : at + length]


def _inserted(rng: Random, tokens: list[str], texts: Sequence[str]) -> None:
    tokens.insert(_place(rng, tokens), rng.choice(NASTY))


def _borrowed(rng: Random, tokens: list[str], texts: Sequence[str]) -> None:
    other = TOKEN.findall(rng.choice(texts))
    start, length = rng.randrange(len(other)), rng.choice((1, 1, 4, 30))
    at = _place(rng, tokens)
    tokens[at : at + rng.choice((0, 1))] = other[start : start + length]


def _line(rng: Random, tokens: list[str], texts: Sequence[str]) -> None:
    """Remove a line, or move it."""
    text = "".join(tokens).split("\n")
    line = text.pop(rng.randrange(len(text)))
    if rng.random() < 0.6:
        text.insert(rng.randrange(len(text) + 1), line)
    tokens[:] = TOKEN.findall("\n".join(text))


def _same_kind(rng: Random, tokens: list[str], texts: Sequence[str]) -> None:
    """Replace a word by another word of the text: most of these still load."""
    words = [at for at, token in enumerate(tokens) if token[0].isalnum()]
    if words:
        tokens[rng.choice(words)] = tokens[rng.choice(words)]


CHANGES: tuple[Change, ...] = (
    _another,
    _swapped,
    _gone,
    _twice,
    _inserted,
    _borrowed,
    _line,
    _same_kind,
    _same_kind,
)


# -- reading and using a text


def tried(rng: Random, text: str) -> str:
    """Read a ruleset and use it; return "refused" or "used"."""
    try:
        rules = load([Source("stranger.toml", text)])
    except HandfulError:
        return "refused"
    used(rng, rules)
    return "used"


def beside(name: str) -> list[str]:
    """Return the texts of all files of a name in the folders of shipped rulesets."""
    return [path.read_text(encoding="utf-8") for path in sorted(RULESETS.rglob(name))]


def changed(rng: Random, texts: Sequence[str], changes: int = 4) -> str:
    """Return one of these texts after a few small changes, cut to a few thousand characters."""
    text = rng.choice(texts)
    start = text.find("[[", rng.randrange(max(1, len(text) - 3000)))
    tokens = TOKEN.findall(text if len(text) < 4000 else text[max(0, start) :][:3000])
    for _ in range(rng.randint(1, changes)):
        if tokens:
            rng.choice(CHANGES)(rng, tokens, texts)
    return "".join(tokens)


def tried_beside(rng: Random, kind: str, text: str, game: Game) -> str:
    """Read cases, claims or a character for a game and use them; return "refused" or "used"."""
    read = {
        "cases": cases_in,
        "claims": lambda one: claims_in(one, "claims.toml"),
        "character": lambda one: import_character(game.rules, one),
    }[kind]
    try:
        made: Any = read(text)
    except HandfulError:
        return "refused"
    if kind == "character":
        assert game.export(made)
    for one in () if kind == "character" else rng.sample(made, min(len(made), 2)):
        if kind == "cases":
            mismatches(game, one, simulated=False, budget=WORK)
        else:
            _expected(lambda one=one: bind(game.rules, one.check, one.sides, one.params, one.options))
    return "used"


def used(rng: Random, rules: Ruleset) -> None:
    """Play, solve and simulate checks of a ruleset that was accepted."""
    assert rules.hash
    checks = [check for check in rules.checks.values() if check.program is not None]
    for check in rng.sample(checks, min(len(checks), 2)):
        for _ in range(2):
            made = _bound(rng, rules, check)
            if made is not None:
                _play(rng, made)
                _solve(rng, made, None)
                _expected(lambda made=made: simulate.simulate(made, count=8, seed=1, budget=WORK))


def _expected(work: Callable[[], Any]) -> Any:
    """Return the result of `work`, or None where Handful refuses with a readable message."""
    try:
        return work()
    except HandfulError as error:
        if not 0 < len(error.message) < 3000:
            raise AssertionError("a message that nobody can read") from error
        return None


def _bound(rng: Random, rules: Ruleset, check: Check) -> BoundCheck | None:
    options = {one.name: _option(rng, one) for one in rules.options.values() if rng.random() < 0.3}
    whole = {one.name: _value(rng, one) for one in check.overall() if _given(rng, one)}
    sides = []
    if check.sides:
        count = rng.randint(check.sides.least, min(check.sides.most, check.sides.least + 1))
        for _ in range(min(count, 4)):
            sides.append({p.name: _value(rng, p) for p in check.per_side() if _given(rng, p)})
    made: BoundCheck | None = _expected(lambda: bind(rules, check.name, sides, whole, options))
    return made


def _option(rng: Random, option: Any) -> Any:
    if option.values:
        return rng.choice(option.values)
    ends = (option.least, option.most)
    return [rng.choice(ends) for _ in range(min(option.length, 99))] or rng.choice(ends)


def _given(rng: Random, param: Param) -> bool:
    return param.required or rng.random() < 0.5


def _value(rng: Random, param: Param) -> Any:
    if rng.random() < 0.08:
        return rng.choice(("", "x", -1, 10**12, None, True, [], {}, 1.5, "1" * 200, "\x00"))
    low = int(param.least) if param.least is not None else 0
    high = min(int(param.most) if param.most is not None else 9, low + rng.choice((2, 6, 20)))
    number = rng.randint(min(low, high), max(low, high))
    match param.type:
        case "number" | "halves":
            return number
        case "share":
            return f"{rng.randint(0, 100)}%"
        case "truth":
            return rng.random() < 0.5
        case "choice":
            return rng.choice(param.values)
        case "text":
            return rng.choice(("sword", "x y", ""))
        case "die_code":
            return f"{number}D+{rng.randint(0, 3)}"
    return rng.choice([*param.ladder, str(number)])


def _play(rng: Random, check: BoundCheck) -> None:
    node = _expected(lambda: start(check))
    for turn in range(REPLIES):
        if node is None or node.ask is None:
            return
        if turn == 2:
            _solve(rng, check, node)
        if rng.random() < 0.1:
            wrong = rng.choice(("", "x", (), (0,), (1, 1), (7,) * 9, (True,), ("1",), (None,)))
            _expected(lambda node=node, wrong=wrong: resume(check, node, wrong))
        node = _expected(lambda node=node: resume(check, node, _reply(rng, node)))


def _reply(rng: Random, node: Node) -> Reply:
    match node.ask:
        case Throw(count=count, sides=sides):
            return tuple(rng.randint(1, sides) for _ in range(count))
        case ChooseDice() | PickOption() if rng.random() < 0.4:
            return policy_reply(node, rng.choice(("usual", "never")))
        case ChooseDice(pool=pool, at_most=at_most):
            numbers = sorted({die.number for die in pool})
            return tuple(rng.sample(numbers, rng.randint(0, min(at_most, len(numbers)))))
        case PickOption(options=options):
            return str(rng.choice(options)) if options else "x"
    return ()


def _solve(rng: Random, check: BoundCheck, node: Node | None) -> None:
    policy = rng.choice(("usual", "usual", "never", "best"))
    made = _expected(lambda: exact.odds(check, node, policy=policy, budget=WORK))
    if made is not None:
        listed = sum(made.distribution.values()) + (made.tail.probability if made.tail else 0)
        assert 0 <= listed <= 1
        assert made.to_dict()
