"""Trusted (shipped) files skip the review and load to the same ruleset."""

from __future__ import annotations

import gc
import pickle
import sys
import threading
from pathlib import Path

import pytest

from handful import library
from handful.errors import RuleError
from handful.library import files
from handful.records import field, record, replace
from handful.rules.load import BadRuleset, Source, load
from handful.rules.ruleset import Ruleset
from handful.rules.syntax_trees import parse_source

BROKEN = """language = 1
id = "toy"
title = { en = "Toy" }
about = { en = "A game for tests" }
[checks.good]
title = { en = "Good" }
help = { en = "Good" }
main = "total"
does = "result(total = sum(roll(1, d6)))"
[checks.bad]
title = { en = "Bad" }
help = { en = "Bad" }
main = "total"
does = "result(total = nobody)"
"""


def listing(rules: Ruleset) -> list[object]:
    checks = [check for check in rules.checks.values() if check.program is not None]
    programs = [*rules.rules.values(), *(check.program for check in checks)]
    return [rules.hash, list(rules.rules), list(rules.checks)] + [
        (p.name, p.params, p.text, p.first_line, [type(step).__name__ for step in p.code])
        for p in programs
        if p is not None
    ]


@pytest.mark.parametrize("game", library.shipped())
def test_a_trusted_game_is_the_same_game(game: str) -> None:
    sources = library.read_sources(library.ruleset_path(game))
    assert listing(load(sources, trusted=True)) == listing(load(sources))


def test_a_trusted_game_compiles_on_demand() -> None:
    rules = load([Source("toy.toml", BROKEN)], trusted=True)
    assert list(rules.checks) == ["good", "bad"]
    assert rules.check("good").program is not None
    assert "ugly" not in rules.checks
    with pytest.raises(KeyError):
        rules.checks["ugly"]
    with pytest.raises(BadRuleset) as raised:
        rules.check("bad")
    assert [(e.line, e.rule) for e in raised.value.errors] == [(14, "bad")]


def test_user_files_are_reviewed_on_loading() -> None:
    with pytest.raises(BadRuleset) as raised:
        load([Source("toy.toml", BROKEN)])
    assert all(isinstance(error, RuleError) and error.line for error in raised.value.errors)


def test_only_files_inside_the_package_are_trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "INSTALLED", str(Path(files.PACKAGE) / "rulesets"))
    assert not files.is_trusted(library.ruleset_path("uwr")), "a working copy may be edited"
    monkeypatch.setattr(files, "INSTALLED", str(tmp_path))
    assert files.is_trusted(str(tmp_path / "uwr" / "ruleset.toml"))
    assert not files.is_trusted(str(tmp_path / "ruleset.toml"))
    assert not files.is_trusted(str(tmp_path / "uwr" / "house" / "ruleset.toml"))


# -- records


@record()
class Point:
    x: int
    y: int = 2
    seen: list[int] = field(default_factory=list, compare=False, repr=False)


@record(eq=False, frozen=False)
class Thing:
    name: str


@record(eq=False, frozen=False)
class Marked(Thing):
    mark: int
    line: int = field(default=0, kw_only=True)


def test_records_inherit_fields() -> None:
    marked = Marked("a", 2, line=3)
    assert (marked.name, marked.mark, marked.line) == ("a", 2, 3)
    assert Marked.__slots__ == ("mark", "line")
    assert replace(marked, mark=4).line == 3
    with pytest.raises(TypeError):
        Marked("a", 2, 3)  # type: ignore[misc]


def test_records_are_values() -> None:
    one, other = Point(1), Point(1, y=2, seen=[3])
    assert one == other
    assert hash(one) == hash(other)
    assert one != Point(2)
    assert one != (1, 2)
    assert repr(other) == "Point(x=1, y=2)"
    assert replace(one, y=5) == Point(1, 5)
    assert Point(1).seen is not Point(1).seen
    assert not hasattr(one, "__dict__")


def test_records_do_not_change() -> None:
    point = Point(1)
    with pytest.raises(AttributeError):
        point.x = 2  # type: ignore[misc]
    with pytest.raises(AttributeError):
        del point.x
    with pytest.raises(TypeError):
        Point()  # type: ignore[call-arg]


def test_records_match_and_travel() -> None:
    match Point(1, 3):
        case Point(x, y):
            assert (x, y) == (1, 3)
    assert pickle.loads(pickle.dumps(Point(1, 3, [4]))).seen == [4]


def test_records_without_equality_are_only_themselves() -> None:
    thing = Thing("a")
    assert thing == thing
    assert thing != Thing("a")
    assert {thing: 1}[thing] == 1
    thing.name = "b"
    assert repr(thing) == "Thing(name='b')"


def test_missing_parts_are_reported_on_loading() -> None:
    with pytest.raises(BadRuleset) as raised:
        load([Source("toy.toml", 'language = 1\nid = "toy"\n[options.x]\ndefault = 1\n')])
    told = "\n".join(map(str, raised.value.errors))
    for part in ("title needs wording", "about needs wording", "options.x", "has no checks"):
        assert part in told


def test_a_ruleset_has_a_short_repr() -> None:
    uwr = library.ruleset("uwr")
    assert repr(uwr) == f"<ruleset uwr {uwr.hash[:12]}>"


def test_threads_that_read_rules_at_once_do_not_disturb_each_other() -> None:
    """A garbage collection may switch threads in the middle of parsing."""

    class Swept:
        def __del__(self) -> None:
            sum(range(2000))

    text = "\n".join(f"x{n} = f(a + {n}, [b, c * (d - {n})]) if y else z[{n}]" for n in range(100))
    faults: list[BaseException] = []

    def read() -> None:
        try:
            for _ in range(20):
                one = Swept()
                one.itself = one  # type: ignore[attr-defined]
                del one
                parse_source(text)
        except BaseException as fault:
            faults.append(fault)

    before, sweeps = sys.getswitchinterval(), gc.get_threshold()
    sys.setswitchinterval(1e-6)
    gc.set_threshold(10, 1, 1)
    try:
        threads = [threading.Thread(target=read) for _ in range(4)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
    finally:
        sys.setswitchinterval(before)
        gc.set_threshold(*sweeps)
    assert not faults
