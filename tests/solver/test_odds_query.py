"""One question about odds gets the same answer or refusal in the terminal, on the web and in Sphinx.

Each question is a command line.  It is asked as that, as JSON over HTTP, and as a directive or a
role in a rulebook, and what comes back is compared.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from fractions import Fraction
from html import unescape
from pathlib import Path
from typing import Any

import click
import httpx
import pytest
from cli_runner import COIN_GAME, run_cli
from effort import sample
from hypothesis import given, settings
from hypothesis import strategies as st
from servers import NO_TLS, ServerThread

import handful
from handful.cli.query_arguments import query_command
from handful.errors import Refused
from handful.explore.axes import MOST_CELLS
from handful.explore.query import TAKES, Query
from handful.explore.sweep import figure_format
from handful.rules.load import Source, load
from handful.solver.solver import BUDGET
from handful.web.settings import ServerLimits

ODDS = [
    "odds uwr direct attribute=3.5 skill=2 target=2",
    "odds uwr direct attribute=4 rerolls=2 target=2 --option reroll_stack=stacking --policy never",
    "odds tuurna contest level=3 vs level=4",
    "odds tuurna group judge=min difficulty=4 level=5 with level=3",
    "odds me-d6 total dice=3D+2",
    "odds ten-again pool dice=4",
]
TABLES = [
    "table uwr direct attribute=1..3 rerolls=1 target=1..2",
    "table uwr direct ATTRIBUTE=1..3/0.5 target=1|3",
    "table me-d6 check dice=2D..3D difficulty=..",
    "table tuurna contest level=1..3 vs level=2..3 --show wins:2",
    "table tuurna contest level=2 fate=cursed|lucky vs level=2 --option cap=off",
]
SOLVES = [
    "solve uwr direct target=2 --for attribute --chance 80%",
    "solve tuurna contest level=5 vs --for level --side 2 --chance 1/2 --within 1..9",
    "solve tuurna contest vs level=5 --for level --chance 50% --within 1..9",
    "solve me-d6 check dice=4D --for difficulty --chance 2/3 --within 1..30 --policy never",
]
DIFFS = ["diff uwr uwr:reroll_stack=stacking", "diff agga fons"]
WRONG = [
    "odds nothing direct attribute=3",
    "odds uwrr direct attribute=3",
    "odds uwr direkt attribute=3",
    "odds uwr direct atribute=3",
    "odds uwr direct attribute=-1",
    "odds uwr direct attribute=x",
    "odds tuurna contest fate=lucky vs level=2",
    "odds uwr direct attribute=3 target=2 difficulty=easy",
    "odds uwr direct attribute=3 --option reroll_stck=stacking",
    "odds uwr direct attribute=3 --option reroll_stack=sideways",
    "odds tuurna contest level=3",
    "odds tuurna contest level=3 vs level=x",
    "odds uwr direct attribute=200 rerolls=50 target=3 --policy best",
    "table nothing direct attribute=1..3",
    "table uwr direkt attribute=1..3",
    "table uwr direct atribute=1..3",
    "table uwr direct attribute=3..1",
    "table uwr direct attribute=1..x",
    "table uwr direct attribute=1..3/0",
    "table uwr direct attribute=1..201",
    "table uwr direct attribute=1..3 vs attribute=2",
    "table uwr direct attribute=1..3 as=mira",
    "table uwr direct attribute=1..3 --show luck",
    "table me-d6 check dice=2D..3D --show event:luck",
    "table uwr direct attribute=0..200/0.5 rerolls=0..100 skill=0..100 target=1",
    "solve uwr direct target=2 --for nothing --chance 80%",
    "solve uwr direct target=2 --for attribute --chance 800%",
    "solve uwr direct target=1..2 --for attribute --chance 80%",
    "solve uwr direct target=2 --for attribute --chance 80% --side 3",
    "diff uwr nothing",
    "diff uwr uwr:reroll_stck=stacking",
    "diff uwr uwr:reroll_stack=sideways",
]
HINTS = ("", "--sample rolls it instead", "a path to a file works, too")  # of the terminal


# -- the three doors


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerThread]:
    limits = ServerLimits(explorer_burst=10**6, query_burst=10**6, cells=MOST_CELLS, odds_budget=BUDGET)
    with ServerThread(tmp_path_factory.mktemp("doors") / "tables.db", limits) as running:
        yield running


def typed(line: str) -> Any:
    """The answer in the terminal."""
    done = run_cli([*shlex.split(line), "--json"])
    assert done.status == 0, done.err
    return json.loads(done.out)


def sent(server: ServerThread, line: str, *, kind: str = "") -> httpx.Response:
    """The answer over HTTP."""
    query = Query.parse(shlex.split(line))
    if query.kind == "diff":
        path, body = "/diff", {"before": edition(query.game), "after": edition(query.other)}
    else:
        path = f"/games/{query.game}/{kind or query.kind}"
        body = as_json(query)
    return httpx.post(f"{server.url}/api{path}", json=body, timeout=120, verify=NO_TLS)


def edition(text: str) -> dict[str, Any]:
    game, _, options = text.partition(":")
    return {"game": game, "options": dict([options.split("=")]) if options else {}}


def as_json(query: Query) -> dict[str, Any]:
    """A query as a page sends it: numbers as numbers, each side by itself."""
    sides: list[dict[str, Any]] = [{}]
    for word in query.words:
        name, equals, value = word.partition("=")
        if equals:
            sides[-1][name] = number(value)
        else:
            sides.append({})
    several = {"parameters": {}, "sides": sides}
    fields = {
        "check": query.check,
        "policy": query.policy,
        "options": dict(one.split("=") for one in query.options),
    }
    if query.kind == "table":
        fields["shows"] = query.shows
    if query.kind == "solve":
        fields |= {
            "find": query.find,
            "chance": query.chance,
            "within": query.within,
            "side": query.side if len(sides) > 1 or query.side > 1 else 0,
        }
    return fields | (several if len(sides) > 1 else {"parameters": sides[0]})


def number(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def received(answer: httpx.Response) -> Any:
    """Return the result, from one answer or from the last of several lines."""
    assert answer.status_code == 200, answer.text
    if answer.headers["content-type"].startswith("application/x-ndjson"):
        return json.loads(answer.text.splitlines()[-1])["answer"]
    return answer.json()


def without(fields: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if name not in names}


# -- the same answers


@pytest.mark.parametrize("line", ODDS)
def test_odds_are_the_same_in_the_terminal_and_on_the_web(server: ServerThread, line: str) -> None:
    said = typed(line)
    assert received(sent(server, line)) == said
    survey = received(sent(server, line, kind="survey"))
    assert {name: survey[name] for name in said} == said
    assert typed(survey["command"].removeprefix("handful ")) == said


@pytest.mark.parametrize("line", [*TABLES, *SOLVES])
def test_tables_are_the_same_in_the_terminal_and_on_the_web(server: ServerThread, line: str) -> None:
    said, found = typed(line), received(sent(server, line))
    assert without(found, "assumed", "csv", "markdown", "command") == said
    again = Query.parse(shlex.split(found["command"]))
    assert typed(shlex.join(again.argv())) == said


@pytest.mark.parametrize("line", DIFFS)
def test_comparisons_are_the_same_in_the_terminal_and_on_the_web(server: ServerThread, line: str) -> None:
    said, found = typed(line), received(sent(server, line))
    assert found["moved"] == said["moved"][: len(found["moved"])] != []
    assert without(found, "moved", "command") == without(said, "moved")
    assert found["command"] == f"handful {line}"


# -- a rulebook


def directive(line: str) -> str:
    """A question as an author writes it."""
    query = Query.parse(shlex.split(line))
    kind, rest = line.split(" ", 1)
    if kind == "odds":
        words = [word if word[:2] != "--" else word[2:] for word in query.argv()[1:]]
        if not query.options:  # a role has none
            flat = shlex.join(words).replace("policy ", "policy=")
            return f":handful:`{flat}`"
        kind = "table"
    flags = "".join(f"\n   :option: {one}" for one in query.options)
    flags += f"\n   :show: {query.shows}" if query.shows else ""
    flags += f"\n   :policy: {query.policy}" if query.policy != "usual" else ""
    return f".. handful-{kind}:: {rest.partition(' --')[0]}{flags}"


def built(folder: Path, lines: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[str, str]:
    """A rulebook with a section for each question: its page, and what was said about it."""
    pytest.importorskip("sphinx")
    pytest.importorskip("matplotlib")
    from sphinx.cmd.build import main

    folder.mkdir()
    (folder / "conf.py").write_text("extensions = ['handful.sphinx']\n", encoding="utf-8")
    text = "Odds\n====\n\n" + "\n\n----\n\n".join(map(directive, lines)) + "\n"
    (folder / "index.rst").write_text(text, encoding="utf-8")
    capsys.readouterr()
    try:
        main(["-q", "-b", "html", str(folder), str(folder / "out")])
    except SystemExit:
        return "", capsys.readouterr().err
    return (folder / "out" / "index.html").read_text("utf-8"), capsys.readouterr().err


@pytest.mark.proof
def test_answers_in_a_rulebook_are_those_of_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [*TABLES, *DIFFS]
    page, told = built(tmp_path / "book", lines, capsys)
    assert not told
    parts = re.split(r"<hr[^>]*/>", page)
    for line, part in zip(lines, parts, strict=True):
        found = map(unescape, re.findall(r'text-right"><p>([^<]+)</p>', part))
        assert sorted(found) == sorted(shown(typed(line))), line


def shown(said: dict[str, Any]) -> list[str]:
    """The cells of a table in a rulebook, with the heads of its columns."""
    if "cells" in said:
        show, across = figure_format(said["shows"]), said["axes"][1:2]
        heads = [f"{one['parameter']} {value}" for one in across for value in one["values"]]
        figures = [None if one[-1] is None else Fraction(one[-1]) for one in said["cells"]]
        return [*(heads or [said["shows"]]), *map(show, figures)]
    both = [said["before"]["name"], said["after"]["name"]]
    for one in said["moved"][:10]:
        both += [figure_format(one["shows"])(Fraction(one[when])) for when in ("before", "after")]
    return both


# -- the same refusals


def refusal(server: ServerThread, line: str) -> tuple[str, str]:
    """The message and the hint over HTTP."""
    answer = sent(server, line)
    assert 400 <= answer.status_code < 500, answer.text
    error = answer.json()["error"]
    return error["message"], error["hint"]


def flat(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("line", WRONG)
def test_the_terminal_refuses_in_the_words_of_the_web(server: ServerThread, line: str) -> None:
    message, hint = refusal(server, line)
    done = run_cli([*shlex.split(line), "--json"])
    assert done.status == 2
    assert done.out == ""
    rest = flat(done.err).removeprefix(f"handful: {flat(message)}").replace(flat(hint), "", 1)
    assert rest.strip("; ") in HINTS, (done.err, message, hint)


@pytest.mark.proof
def test_a_rulebook_refuses_in_the_words_of_the_web(
    server: ServerThread, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [line for line in WRONG if not line.startswith("solve")]
    refusals = [refusal(server, line) for line in lines]
    _, told = built(tmp_path / "book", lines, capsys)
    told = re.sub(r"\x1b\[[0-9;]*m", "", told)  # Sphinx writes in colours where CI is set
    errors = [flat(one.partition("ERROR: ")[2]) for one in told.splitlines() if "ERROR: " in one]
    assert len(errors) == len(lines), told
    for (message, hint), error in zip(refusals, errors, strict=True):
        rest = error.removeprefix(flat(message)).replace(flat(hint), "", 1)
        assert rest.removesuffix(" [handful.mistake]").strip("() ") in HINTS, (error, message, hint)


# -- nothing is read that could not be read before


SECRET = "nobody should read this"


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A ruleset and a character that lie on the disk of the server."""
    folder = tmp_path / "secret"
    folder.mkdir()
    shipped = handful.ruleset("uwr").file
    text = Path(shipped).read_text("utf-8").replace('id = "uwr"', 'id = "secret"')
    (folder / "ruleset.toml").write_text(text, encoding="utf-8")
    (folder / "mira.json").write_text(json.dumps({"name": SECRET}), encoding="utf-8")
    return folder


def test_the_web_reads_no_ruleset_by_its_path(server: ServerThread, secret: Path) -> None:
    path = str(secret / "ruleset.toml")
    body = {"check": "direct", "parameters": {"attribute": 3}}
    for name in (path, str(secret), f"../{secret.name}", "./uwr", path.lstrip("/")):
        for door in ("odds", "survey", "worth", "table", "solve"):
            more = {"find": "attribute", "chance": "50%"} if door == "solve" else {}
            address = f"{server.url}/api/games/{name.replace('/', '%2F')}/{door}"
            answer = httpx.post(address, json=body | more, verify=NO_TLS, timeout=60)
            assert answer.status_code in (404, 405, 422), (name, door, answer.text)
        for one, other in (
            (name, "uwr"),
            ("uwr", name),
            (f"{name}:reroll_stack=stacking", "uwr"),
            ("uwr", f"{name}:reroll_stack=stacking"),
        ):
            both = {"before": {"game": one}, "after": {"game": other}}
            answer = httpx.post(f"{server.url}/api/diff", json=both, verify=NO_TLS, timeout=60)
            assert answer.status_code == 422, answer.text
            message = answer.json()["error"]["message"]
            assert "there is no ruleset" in message or "at most 60 characters" in message


@pytest.mark.parametrize("name", ["as", "AS", "--as", "character", "characters", "--option"])
def test_the_web_reads_no_character(server: ServerThread, secret: Path, name: str) -> None:
    path = str(secret / "mira.json")
    for part in (
        {"parameters": {"attribute": 3, name: path}},
        {"parameters": {"attribute": 3}, "options": {name: path}},
        {"sides": [{"attribute": 3, name: path}]},
    ):
        for door in ("odds", "survey", "worth", "table"):
            address = f"{server.url}/api/games/uwr/{door}"
            body = {"check": "direct", **part}
            answer = httpx.post(address, json=body, verify=NO_TLS, timeout=60)
            assert answer.status_code == 409, answer.text
            assert SECRET not in answer.text


def test_a_rulebook_reads_no_character(
    secret: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(secret / "mira.json")
    lines = [f"table uwr direct attribute=1..3 as={path}"]
    _, told = built(tmp_path / "book", lines, capsys)
    assert "takes numbers, not a character" in told
    with pytest.raises(Refused, match="table has no '--as'"):
        Query.parse(["table", "uwr", "direct", f"--as={path}"])


@pytest.mark.parametrize(
    "value", [[[[1]]], {"dice": "x"}, {"dice": 1, "more": 2}, [], {}, True, 1e400, 10**30, "1..2"]
)
def test_values_of_any_shape_are_refused_not_broken(server: ServerThread, value: Any) -> None:
    for door in ("odds", "table"):
        body = {"check": "direct", "parameters": {"attribute": value, "target": 1}}
        address = f"{server.url}/api/games/uwr/{door}"
        content = json.dumps(body)
        answer = httpx.post(
            address, content=content, verify=NO_TLS, timeout=60, headers={"content-type": "application/json"}
        )
        right = door == "table" and value == "1..2"
        assert (answer.status_code == 200) == right, answer.text
        assert answer.status_code < 500, answer.text


def test_json_values_can_be_typed() -> None:
    rules = handful.ruleset("tuurna").rules
    data = {
        "check": "group",
        "parameters": {"difficulty": 4, "judge": "min"},
        "sides": [{"level": 5, "fate": None}, {"level": [1, 2]}],
        "options": {"cap": "off"},
        "policy": "best",
    }
    query = Query.from_json("odds", rules, data)
    assert query.words == ("difficulty=4", "judge=min", "level=5", "with", "level=1,2")
    assert query.options == ("cap=off",)
    dice = {"check": "total", "parameters": {"dice": {"dice": 4, "pips": -1}}, "sides": [], "options": {}}
    assert Query.from_json("odds", handful.ruleset("me-d6").rules, dice).words == ("dice=4D-1",)


# -- queries as words


WORD = st.text(st.characters(codec="utf-8"), min_size=1, max_size=8)
STRIPPED = WORD.map(str.strip)


@st.composite
def queries(draw: st.DrawFn) -> Query:
    kind = draw(st.sampled_from([*TAKES]))
    if kind == "diff":
        return Query(kind, draw(WORD), other=draw(WORD))
    needed = {"find", "chance"}
    drawn = {
        "options": st.lists(WORD, max_size=3),
        "characters": st.lists(WORD, max_size=2),
        "policy": st.sampled_from(["usual", "best", "never", "odd"]),
        "worth": st.booleans(),
        "shows": STRIPPED,
        "find": WORD,
        "chance": WORD,
        "side": st.integers(1, 999_999),
        "within": STRIPPED,
    }
    fields = {name: draw(drawn[name]) for name in TAKES[kind] if name in needed or draw(st.booleans())}
    words = draw(st.lists(WORD | st.sampled_from(["vs", "with", "--", "-x=1"]), max_size=5))
    return Query.of(kind, draw(WORD), draw(WORD), words, **fields)


@pytest.mark.sampled
@settings(max_examples=sample(80, 400), deadline=None)
@given(queries())
def test_a_query_is_read_back_from_its_command(query: Query) -> None:
    assert Query.parse(shlex.split(query.command())) == query
    assert Query.parse(query.argv()) == query


@pytest.mark.sampled
@settings(max_examples=sample(40, 200), deadline=None)
@given(queries().filter(lambda query: query.kind != "diff"))
def test_the_terminal_reads_a_command_as_the_same_query(query: Query) -> None:
    asked: list[Query] = []
    kind, *words = query.argv()
    command = click.command()(query_command(kind)(asked.append))  # type: ignore[arg-type]
    command.main(words, standalone_mode=False)
    assert asked == [query]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "is not a question; there is odds, table, solve, diff, simulate or roll"),
        ("play uwr direct", "is not a question"),
        ("table uwr", "name a game and a check"),
        ("diff uwr", "name two rulesets"),
        ("diff uwr fons agga", "name two rulesets"),
        ("table uwr direct --polcy best", "table has no '--polcy'"),
        ("solve uwr direct --chance 80%", "solve needs --for NAME"),
        ("solve uwr direct --for attribute", "solve needs --chance 80%"),
        ("solve uwr direct --for a --chance 1 --side 0", "--side is a whole number from 1, not '0'"),
        ("solve uwr direct --for a --chance 1 --side x", "--side is a whole number from 1, not 'x'"),
    ],
)
def test_a_line_that_asks_nothing_is_refused(line: str, message: str) -> None:
    with pytest.raises(Refused, match=re.escape(message)):
        Query.parse(line.split())


def test_a_comma_within_a_house_rule_stays_there() -> None:
    from handful.explore.house_rules import NEXT

    assert NEXT.split("a=1,2,b=3,c=off,") == ["a=1,2", "b=3", "c=off", ""]


def test_the_first_side_is_number_1() -> None:
    """0 is the whole check, also where nothing but numbers is typed."""
    said = typed("table tuurna group judge=min difficulty=3..4 level=1..2 with level=1..2")
    assert [(one["parameter"], one["side"]) for one in said["axes"]] == [
        ("difficulty", 0),
        ("level", 1),
        ("level", 2),
    ]
    assert typed("solve tuurna contest vs level=5 --for level --chance 50%")["side"] == 1


def test_a_success_is_not_compared_with_a_mean() -> None:
    with_success = load([Source("a.toml", COIN_GAME)])
    counts = re.sub(r"result\(.*\)", "result(heads = total + need.value)", COIN_GAME)
    without_success = load([Source("b.toml", counts)])
    rules = {"a": with_success, "b": without_success}
    assert Query("diff", "a", other="b").compare(rules.__getitem__).compared == 0
    assert Query("diff", "a", other="a").compare(rules.__getitem__).compared > 0
