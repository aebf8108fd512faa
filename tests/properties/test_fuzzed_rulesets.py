"""Untrusted rulesets: any text is refused or works, and so does any use of it.

A few hundred texts here, the same ones every time; `make fuzz` tries others for hours.
"""

from __future__ import annotations

from random import Random

import pytest
from effort import sample
from fuzzing import beside, changed, corpus, mutated, tried, tried_beside, used
from hypothesis import given, settings
from hypothesis import strategies as st
from toy_rulesets import HEAD, toml, toy

from handful import library
from handful.errors import HandfulError, RuleError
from handful.library.files import read_sources
from handful.odds import odds
from handful.roll import resume, start
from handful.rules.load import MAX_FILE_LENGTH, BadRuleset, Source, load

TEXTS = corpus()
SMALL = [text for text in TEXTS if len(text) < 12_000]


@pytest.mark.sampled
@settings(max_examples=sample(30, 150), deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_changed_rulesets_are_refused_or_work(seed: int) -> None:
    rng = Random(seed)
    tried(rng, mutated(rng, SMALL))


@pytest.mark.sampled
@settings(max_examples=sample(20, 100), deadline=None)
@given(st.text(max_size=300), st.integers(0, 99))
def test_any_text_is_refused_or_works(text: str, seed: int) -> None:
    rng = Random(seed)
    tried(rng, text)
    tried(rng, HEAD + text)
    tried(rng, toml(text.replace('"""', "")))


@pytest.mark.parametrize("game", library.known())
def test_shipped_rulesets_withstand_strange_parameters_and_replies(game: str) -> None:
    rules = load(read_sources(library.ruleset_path(game)))
    for seed in range(3):
        used(Random(seed), rules)


# -- the files beside a ruleset

BESIDE = {
    "cases": beside("cases.toml"),
    "claims": beside("claims.toml"),
    "character": beside("characters/*.json"),
}
UWR = library.ruleset("uwr")


@pytest.mark.parametrize("kind", BESIDE)
@pytest.mark.sampled
@settings(max_examples=sample(30, 150), deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_changed_cases_claims_and_characters_are_refused_or_work(kind: str, seed: int) -> None:
    rng = Random(seed)
    tried_beside(rng, kind, changed(rng, BESIDE[kind]), UWR)


@pytest.mark.parametrize("kind", BESIDE)
@pytest.mark.parametrize(
    "text",
    [
        "",
        "\0",
        "[",
        "x = " + "9" * 5_000,
        "x = 0x" + "f" * 5_000,
        "x = " + "[" * 3_000 + "]" * 3_000,
        "[" * 100_000,
        '{"a": ' + "9" * 5_000 + "}",
        '{"a":' * 3_000,
        "[[case]]\nname = 1979-05-27",
        "[[claim]]\nrange = [nan, inf]",
        "claim = 3",
        "case = [1]",
        '[[claim]]\nid = "a"\nparams = 3',
        '[[case]]\nname = "a"\ncheck = "b"\nparams = 3',
        "x = " + "{a=" * 3_000,
    ],
)
def test_hostile_cases_claims_and_characters_are_refused(kind: str, text: str) -> None:
    """Found here: a number of thousands of digits, and lists in lists, ended in a traceback."""
    no_case = kind == "cases" and "case" not in text  # TOML without a case is a file without cases
    became = tried_beside(Random(1), kind, text, UWR)
    assert became == "refused" or no_case


# -- texts that were made to hurt; each of them did, or is of a kind that does elsewhere


def check(text: str, more: str = "") -> str:
    return toml(text).replace("[checks.c]", f"{more}\n[checks.c]")


DOUBLING = "z = [1]\nfor i in range(60):\n    z = [z, z]\n"
TABLE = "[tables.t]\nr = {}"
OPTION = "[options.o]\nmin = 0\nmax = 9\ndefault = {}\nlabel = {{ en = 'O' }}"
HOSTILE = {
    "nothing": "",
    "lists in lists": "a = " + "[" * 30_000,
    "tables in tables": "a = " + "{a=" * 20_000,
    "a name of many parts": "a." * 20_000 + "b = 1",
    "a heading of many parts": "[" + "a." * 20_000 + "b]",
    "names of many parts": "\n".join("a." * 50 + f"b{i} = 1" for i in range(600)),
    "spaces": HEAD + " " * 60_000 + "x",
    "many headings": "\n".join(f"[a{i}]" for i in range(8_000)),
    "many options": HEAD + "\n".join(f"[options.a{i}]" for i in range(3_000)),
    "many rungs": HEAD + "\n".join(f"[ladder.a{i}]\nf{i} = 1" for i in range(2_000)),
    "a number of many digits": HEAD + "x = " + "9" * 20_000,
    "a number in hexadecimal": HEAD + "x = 0x" + "f" * 20_000,
    "a large exponent": HEAD + "x = 1e" + "9" * 20_000,
    "digits in a rule": check("result(total = " + "9" * 15_000 + ")"),
    "many digits in rules": check("x = " + "9" * 250 + "\nresult(total = x)"),
    "a tower of powers": check("result(total = 10**10**10)"),
    "a text without end": check("result(total = 'a' * 1000000000)"),
    "brackets": check("result(total = " + "(" * 15_000 + ")"),
    "signs": check("result(total = " + "-" * 15_000 + "1)"),
    "a long sum": check("result(total = " + "1+" * 9_000 + "1)"),
    "fields of fields": check("result(total = x" + ".y" * 9_000 + ")"),
    "loops in loops": check(
        "x = 0\n"
        + "".join("    " * i + f"for a{i} in range(1000):\n" for i in range(15))
        + "    " * 15
        + "x += 1\nresult(total = x)"
    ),
    "a long name": HEAD + "a" * 60_000 + " = 1",
    "long wording": check("result(total = 1)").replace('"C"', '"' + "x" * 60_000 + '"'),
    "a long table": check("result(total = tables.t['r'][0])", TABLE.format("[" + "1," * 29_000 + "]")),
    "a large number in a table": check("result(total = tables.t['r'])", TABLE.format("9" * 30)),
    "a large default": check("result(total = options.o)", OPTION.format("9" * 20)),
    "a date": check("result(total = options.o)", OPTION.format("1979-05-27")),
    "no number": check("result(total = options.o)", OPTION.format("nan")),
    "a text as the result": check("x = 'a'\nresult(total = x)"),
    "a list that doubles inside": check(DOUBLING + "result(total = len(z))"),
    "two such lists": check(DOUBLING + DOUBLING.replace("z", "w") + "result(total = 1 if z == w else 0)"),
    "wide lists": check(
        "y = [1]\nfor i in range(9):\n    y = y + y\nz = ["
        + "y, " * 500
        + "y]\nw = ["
        + "z, " * 400
        + "z]\nresult(total = 1 if w == w else 0)"
    ),
    "a record that doubles inside": toml(
        "x = f(a = 1, b = 1)\nfor i in range(60):\n    x = f(a = x, b = x)\n"
        "result(total = 1 if x == x else 0)",
        {"f": (("a", "b"), "result(a = a, b = b)")},
    ),
    "finer and finer parts": check("x = 1/3\nfor i in range(900):\n    x = x * x + 1/991\nresult(total = x)"),
    "a character that clears the screen": check("result(total = 1)").replace('"C"', '"\\u001b[2J"'),
    "a line that is turned around": check("result(total = 1)").replace('"C"', '"\u202ec"'),
    "half a character": check("result(total = 1)").replace('"C"', '"\ud800"'),
    "NUL": "\0" * 100,
    "old line ends": check("result(total = 1)").replace("\n", "\r"),
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_texts_are_refused_or_work(text: str) -> None:
    try:
        rules = load([Source("stranger.toml", text)])
    except BadRuleset as bad:
        found = [str(error) for error in bad.errors]
    else:
        used(Random(1), rules)
        return
    assert 1 <= len(found) <= 100
    for said in found:
        assert len(said) < 2_000
        assert all(c.isprintable() or c in "\n\t" for c in said)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("a name of many parts", "more than 200 dots in one line"),
        ("names of many parts", "more than 12 tables inside each other"),
        ("a number of many digits", "a number that is far too long"),
        ("a large number in a table", "may not count beyond 1,000,000,000"),
        ("a date", "no dates and times"),
        ("a text as the result", "needs a number or a truth, not a text"),
        ("a record that doubles inside", "at most 1000 values, 8 levels deep"),
        ("a character that clears the screen", "cannot be shown (U+001B)"),
        ("NUL", "cannot be shown (U+0000)"),
        ("digits in a rule", "a number that is far too long"),
        ("a long name", "at most 100 plain characters"),
        ("long wording", "at most 20,000 characters"),
    ],
)
def test_a_hostile_text_is_refused_with_its_mistake(name: str, says: str) -> None:
    with pytest.raises(BadRuleset) as raised:
        load([Source("stranger.toml", HOSTILE[name])])
    assert says in str(raised.value.errors[0])


def test_a_variable_without_a_value_is_a_mistake_in_the_middle_of_a_throw_too() -> None:
    """Found by `make fuzz`: the odds of an endless throw that was begun ended in a traceback."""
    bound = toy(
        "again = roll(1, d6, again = 6)\nn = sum(again)\nif n > 6:\n    x = 0\n"
        "    while y < 3:\n        x += size(roll(1, d4 >= 4))\n        y += 1\n"
        "result(total = n)"
    )
    node = resume(bound, start(bound), (6,))
    with pytest.raises(RuleError, match="there is no 'y' here"):
        odds(bound, node)


def test_files_may_be_half_again_as_large_as_the_largest_that_ships() -> None:
    assert max(map(len, TEXTS)) * 1.5 < MAX_FILE_LENGTH
    with pytest.raises(BadRuleset, match="larger than 131,072 characters"):
        Source("stranger.toml", "#" * (MAX_FILE_LENGTH + 1))


def test_byte_order_marks_and_line_ends_do_not_matter() -> None:
    plain = toml("result(total = sum(roll(2, d6)))")
    for text in ("\ufeff" + plain, plain.replace("\n", "\r\n")):
        assert load([Source("a", text)]).hash == load([Source("b", plain)]).hash


@pytest.mark.parametrize("data", [b"\xff\xfel\x00a\x00", b"language = 1\xff", b"\xed\xa0\x80"])
def test_a_file_that_is_not_utf8_is_refused(data: bytes, tmp_path: object) -> None:
    from pathlib import Path

    file = Path(str(tmp_path)) / "game.toml"
    file.write_bytes(data)
    with pytest.raises(HandfulError, match="is not UTF-8 text") as raised:
        library.ruleset(file)
    assert "UTF-8" in raised.value.hint
