"""Tables over ranges, inverse questions, differences and claims: exact answers, clear refusals."""

from __future__ import annotations

import json
import re
import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from effort import rest_in_proof
from ruleset_cases import GAMES, ruleset

import handful
from handful.cli.app import handful as command
from handful.errors import Refused
from handful.explore.axes import parse_range
from handful.explore.claims import judge, read_claims
from handful.explore.differences import Version, compare_rulesets
from handful.explore.inverse import solve
from handful.explore.sweep import as_fraction, figure_format, sweep

TOP = Path(__file__).parents[2]
UWR, TUURNA, ME = (ruleset(game) for game in ("uwr", "tuurna", "me-d6"))


def run(*words: str) -> Any:
    return CliRunner().invoke(command, list(words))


# -- ranges


@pytest.mark.parametrize(
    ("game", "check", "name", "typed", "values"),
    [
        ("uwr", "direct", "attribute", "1..3", (1, 2, 3)),
        ("uwr", "direct", "attribute", "1..2/0.5", (1, 1.5, 2)),
        ("uwr", "direct", "attribute", "1|3..4", ("1", 3, 4)),
        ("uwr", "direct", "difficulty", "..", ("easy", "normal", "difficult", "extreme")),
        ("uwr", "direct", "difficulty", "normal..difficult", ("normal", "difficult")),
        ("uwr", "direct", "target", range(1, 4), (1, 2, 3)),
        ("me-d6", "check", "dice", "2D+1..4D+1", ("2D+1", "3D+1", "4D+1")),
        ("me-d6", "check", "rush", "0%..50%/25%", (0, 0.25, 0.5)),
        ("tuurna", "check", "fate", "cursed|lucky", ("cursed", "lucky")),
        ("uwr", "direct", "attribute", "3.5", None),
    ],
)
def test_ranges(game: str, check: str, name: str, typed: Any, values: Any) -> None:
    assert parse_range(ruleset(game).rules.check(check).params[name], typed) == values


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["attribute=5..1"], "5 is more than 1; write 1..5"),
        (["attribute=1..x"], "'x' is not a number"),
        (["attribute=1..4/0"], "a step must be more than 0"),
        (["attribute=1..999999999"], "at most 10000 values"),
        (["attribute=1..500"], "attribute"),
        (["difficulty=hard..extreme"], "there is no 'hard'; there is easy"),
        (["difficulty=extreme..easy"], "extreme comes after easy"),
        (["attribute=1..200", "rerolls=0..199", "target=1..100"], "4,000,000 cells; at most"),
        (["attribute=1..3", "--show", "joy"], "there is no figure 'joy'"),
        (["attribute=1..3", "--csv", "--json"], "give one of"),
    ],
)
def test_an_impossible_range_is_refused_in_one_line(words: list[str], message: str) -> None:
    result = run("table", "uwr", "direct", *words)
    assert result.exit_code != 0 or result.exception is not None
    assert message in str(result.exception)


# -- tables


def test_every_cell_is_the_exact_odds() -> None:
    found = UWR.table("direct", attribute="1..4", rerolls="0..2", target="1..2")
    for row in found.rows():
        own = UWR.odds("direct", **{n: row[n] for n in ("attribute", "rerolls", "target")})
        assert row["success"] == own.success
    assert len(found.cells) == 24


@pytest.mark.parametrize(
    ("game", "check", "params"),
    [
        ("uwr", "direct", {"attribute": "0..4/0.5", "rerolls": "0..3", "target": "0..3"}),
        ("uwr", "direct", {"attribute": "2..4", "rerolls": "0|2", "difficulty": ".."}),
        ("uwr", "direct", {"attribute": "1..30", "bonus": "-2..1", "target": 2}),
        ("tuurna", "check", {"level": "1..12", "fate": "..", "difficulty": "1..10"}),
        ("tuurna", "check", {"level": "1..3", "supernatural": "no|yes", "difficulty": "9|12"}),
        ("me-d6", "check", {"dice": "1D..6D", "difficulty": "5|12|20", "actions": "1..3"}),
        ("me-d6", "check", {"dice": "2D+1..5D+1", "difficulty": "20|12|8", "failed": "9"}),
        ("agga", "direct", {"attribute": "1..5", "target": "1..2", "favor": "-1..2"}),
        ("fons", "direct", {"attribute": "1..5", "skill": "0..2", "difficulty": ".."}),
    ],
)
@pytest.mark.parametrize("policy", rest_in_proof(["usual", "never"]))
def test_neighbours_that_are_solved_together_are_exact(
    game: str, check: str, params: dict[str, Any], policy: str
) -> None:
    rules = handful.ruleset(game)  # that remembers nothing yet
    found = rules.table(check, policy=policy, **params)
    assert found.shows == "success"
    names = [axis.name for axis in found.axes]
    rows = list(found.rows())
    told: dict[str, str] = {}
    for row in rows:
        try:
            odds = ruleset(game).odds(
                check, policy=policy, **found.fixed, **{name: row[name] for name in names}
            )
        except Refused:
            assert row["success"] is None
            continue
        assert row["success"] == odds.success
        told.update(odds.policy)
    assert found.assumed == told


def test_contests_and_house_rules_in_a_table_are_exact() -> None:
    sides = ({"attribute": "1..3", "rerolls": "0..1"}, {"attribute": "2..3"})
    house = {"reroll_stack": "stacking", "tie_winner": "initiator"}
    for row in UWR.table("opposed", *sides, options=house).rows():
        own = {"attribute": row["attribute 1"], "rerolls": row["rerolls"]}
        odds = UWR.odds("opposed", own, {"attribute": row["attribute 2"]}, options=house)
        assert row["success"] == odds.success


def test_sides_have_axes_of_their_own() -> None:
    found = TUURNA.table("contest", {"level": "1..3"}, {"level": "2..3"}, show="wins:1")
    rows = list(found.rows())
    assert {"level 1", "level 2", "wins:1"} == {*rows[0]}
    assert rows[1]["wins:1"] == TUURNA.odds("contest", {"level": 1}, {"level": 3}).wins[0]


def test_csv_json_markdown_and_text_agree() -> None:
    words = ("uwr", "direct", "attribute=2..3", "target=1..2")
    table = json.loads(run("table", *words, "--json").output)
    figures = {tuple(cell[:2]): Fraction(cell[2]) for cell in table["cells"]}
    lines = run("table", *words, "--csv").output.splitlines()
    assert lines[0] == "attribute,target,success,exact"
    assert [Fraction(line.split(",")[3]) for line in lines[1:]] == list(figures.values())
    assert f"{100 * float(figures[0, 0]):.1f}%" in run("table", *words, "--markdown").output
    assert "55.56%" in run("table", *words).output


def test_a_refused_combination_is_an_empty_cell() -> None:
    found = ME.table("check", dice="4D", difficulty=10, rush="0|0.5|0.9", base_time=60)
    assert [figure is None for figure in found.cells.values()] == [False, False, True]


def test_figures_of_every_kind() -> None:
    odds = ME.odds("check", dice="3D", difficulty=10)
    table = {
        show: next(iter(ME.table("check", dice="3D", difficulty=10, show=show).cells.values()))
        for show in ("mean", "event:critical_failure", "at-least:12", "exactly:9")
    }
    assert table["mean"] == odds.mean
    assert table["event:critical_failure"] == Fraction(1, 6)
    assert table["exactly:9"] == odds.distribution[9]
    below = sum((p for value, p in odds.distribution.items() if value < 12), Fraction(0))
    assert table["at-least:12"] == 1 - below


@pytest.mark.parametrize("kind", ["svg", "png", "pdf"])
def test_a_picture_is_written_whole(kind: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    file = tmp_path / f"a.{kind}"
    result = run("table", "uwr", "direct", "attribute=1..4", "target=1..2", "--plot", str(file))
    assert result.exit_code == 0, result.output
    assert file.stat().st_size > 1000
    assert [one.name for one in tmp_path.iterdir()] == [file.name]


def test_a_chart_and_its_table_show_the_same_numbers() -> None:
    pytest.importorskip("matplotlib")
    from handful.plots import draw_sweep

    found = UWR.table("direct", attribute="1..5", target="1..2")
    (axes,) = draw_sweep(found).axes
    for number, line in enumerate(axes.get_lines()):
        shown = [100 * float(found.cells[at, number]) for at in range(5)]
        assert list(line.get_ydata()) == pytest.approx(shown)
    assert axes.get_xlabel() == "attribute"


@pytest.mark.parametrize(
    "words",
    [
        ("table", "uwr", "direct", "attribute=1..8", "target=1..9", "--plot", "a.svg"),
        ("diff", "uwr", "uwr:reroll_stack=stacking", "--html", "a.html"),
    ],
)
def test_a_cancelled_question_leaves_nothing_behind(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C in the middle of the work."""
    from handful.cli.progress import ProgressBar

    def cancelled(bar: ProgressBar, done: int, count: int) -> None:
        if done:
            raise KeyboardInterrupt

    monkeypatch.setattr(ProgressBar, "update", cancelled)
    monkeypatch.chdir(tmp_path)
    result = run(*words)
    assert result.exit_code != 0
    assert list(tmp_path.iterdir()) == []
    assert "%" not in result.output


def test_a_picture_of_an_unknown_kind_or_place_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    words = ("table", "uwr", "direct", "attribute=1..4", "--plot")
    assert "ends in .svg" in str(run(*words, str(tmp_path / "a.gif")).exception)
    assert "cannot be written" in str(run(*words, str(tmp_path / "no" / "a.svg")).exception)
    assert not list(tmp_path.iterdir())


def test_a_heat_map_has_a_scale_and_the_numbers_of_the_table() -> None:
    pytest.importorskip("matplotlib")
    from handful.plots import draw_sweep

    table = TUURNA.table("check", level="1..9", difficulty="1..10")
    place, scale = draw_sweep(table).axes
    assert scale.get_ylabel() == "chance of success in %"
    shown = place.images[0].get_array()
    for (row, column), figure in table.cells.items():
        assert figure is not None
        assert shown[row][column] == pytest.approx(100 * float(figure))
    written = {one.get_position(): one.get_text() for one in place.texts}
    assert written[(7, 8)] == "67"  # Level 9 at Difficulty 8
    assert written[(9, 8)] == "0"  # impossible: never
    assert written[(8, 0)] == "<1"  # but this is not
    assert written[(0, 8)] == ">99"


def test_a_curve_file_has_the_numbers_of_the_table() -> None:
    """The points of the path in the SVG itself, by the scale of its own grid."""
    pytest.importorskip("matplotlib")
    from handful.plots import render

    table = UWR.table("direct", attribute="1..8", target=2)
    svg = render(table, "a.svg").decode()
    grid = re.findall(r'<g id="ytick_\d+">\s*<g id="line2d_\d+">\s*<path d="M \S+ (\S+)', svg)
    ys = [float(y) for y in grid]
    (low, high) = (ys[0], ys[-1])  # 0 and 100%
    paths = re.findall(r'<path d="([^"]*)"[^>]*stroke: #0072b2', svg)
    curve = next(one for one in paths if one.count("L") == 7)
    points = [float(y) for y in re.findall(r"[ML] \S+ (\S+)", curve)]
    shares = [(low - y) / (low - high) for y in points]
    assert shares == pytest.approx([float(f or 0) for f in table.cells.values()], abs=1e-4)


@pytest.mark.parametrize("name", ["pandas", "polars"])
def test_a_table_as_a_data_frame(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither is needed here: what they are given is a list of rows with plain numbers."""
    import sys
    from types import SimpleNamespace

    monkeypatch.setitem(sys.modules, name, SimpleNamespace(DataFrame=list))  # type: ignore[arg-type]
    frame = getattr(UWR.table("direct", attribute="1..2", target=1), f"to_{name}")()
    assert frame == [
        {"attribute": 1, "success": pytest.approx(1 / 3)},
        {"attribute": 2, "success": pytest.approx(5 / 9)},
    ]
    monkeypatch.setitem(sys.modules, name, None)  # type: ignore[arg-type]
    with pytest.raises(handful.HandfulError, match=f"this needs {name}"):
        getattr(UWR.table("direct", attribute="1..2", target=1), f"to_{name}")()


@pytest.mark.parametrize("kind", ["svg", "png", "pdf"])
def test_a_picture_of_a_distribution_is_written_whole(kind: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    file = tmp_path / f"a.{kind}"
    result = run("odds", "uwr", "direct", "attribute=3.5", "target=2", "--plot", str(file))
    assert result.exit_code == 0, result.output
    assert file.read_bytes()[:4] in (b"<?xm", b"\x89PNG", b"%PDF")
    assert [one.name for one in tmp_path.iterdir()] == [file.name]


def test_the_bars_and_the_curve_are_the_odds() -> None:
    pytest.importorskip("matplotlib")
    from handful.plots import draw_distribution as picture

    odds = UWR.odds("direct", attribute=3.5, rerolls=1, target=2)
    (axes,) = picture(odds).axes
    bars = [bar.get_height() for bar in axes.patches]
    assert bars == pytest.approx([100 * float(p) for p in odds.distribution.values()])
    (curve,) = axes.get_lines()
    expected = [100 * float(odds.at_least(value)) for value in odds.distribution]
    assert list(curve.get_ydata()) == pytest.approx(expected)
    assert axes.get_xlabel() == "successes"
    assert "attribute=3.5" in axes.get_title()


def test_the_same_odds_make_the_same_file() -> None:
    pytest.importorskip("matplotlib")
    from handful.plots import render

    odds = ME.odds("check", dice="5D", difficulty=16)
    assert render(odds, "a.svg") == render(odds, "b.svg")


def test_odds_as_a_picture_of_an_unknown_kind_are_refused(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    words = ("odds", "uwr", "direct", "attribute=2", "target=1", "--plot")
    assert "ends in .svg" in str(run(*words, str(tmp_path / "a.gif")).exception)
    assert not list(tmp_path.iterdir())


# -- notebooks


def test_a_notebook_shows_odds_with_their_policy() -> None:
    shown = UWR.odds("direct", attribute=3, rerolls=1, target=2, policy="never")._repr_html_()
    assert "UWR, Direct check: attribute=3 rerolls=1 target=2" in shown
    assert "success 25.93% (7/27)" in shown
    assert "assuming reroll = no rerolls" in shown
    assert shown.count("<tr>") == 5
    long = ME.odds("check", dice="8D")._repr_html_()
    assert "values at the ends not shown" in long


def test_a_notebook_shows_a_table_with_its_policy() -> None:
    shown = UWR.table("direct", attribute="1..2", rerolls=1, target=1)._repr_markdown_()
    assert shown.startswith("**UWR, Direct check: rerolls=1, target=1**\n\n| attribute |")
    assert "assuming reroll = failing dice" in shown


# -- inverse questions


def test_a_notebook_shows_a_table_and_an_answer_in_short() -> None:
    table = UWR.table("direct", attribute="1..8", target="1..2")
    assert repr(table) == "<table uwr direct: success over attribute (8) × target (2)>"
    answer = UWR.solve("direct", find="attribute", chance="80%", target=2)
    assert repr(answer) == "<answer attribute=8 for 80.0%>"
    shown = answer._repr_markdown_()
    assert "**attribute 8: 80.5%** (wanted: 80.0%)" in shown
    assert "| **8** | 80.5% |" in shown
    none = UWR.solve("direct", find="attribute", chance="80%", target=9, within="1..3")
    assert "**no attribute gives 80.0%**" in none._repr_markdown_()


def test_how_many_dice_for_a_chance() -> None:
    answer = UWR.solve("direct", find="attribute", chance="80%", target=2)
    assert answer.value == 8
    assert UWR.odds("direct", attribute=7, target=2).success < Fraction(4, 5) <= answer.figure


def test_the_highest_difficulty_at_a_chance() -> None:
    answer = TUURNA.solve("check", find="difficulty", chance=0.5, level=9)
    assert (answer.value, answer.rising) == (9, False)


def test_the_fair_opponent() -> None:
    answer = TUURNA.solve("contest", {"level": 5}, {}, find="level", chance="50%", side=2)
    assert answer.nearest == 5


@pytest.mark.proof
def test_the_nearest_value_is_reported_also_beyond_the_target() -> None:
    words = ("solve", "tuurna", "contest", "level=5", "fate=blessed", "vs", "--for", "level")
    told = run(*words, "--side", "2", "--chance", "50%", "--json").output
    answer = json.loads(told)
    text = run(*words, "--side", "2", "--chance", "50%").output
    assert ("closest to 50.00%" in text) is (answer["nearest"] != answer["value"])
    three = run("solve", "uwr", "direct", "target=1", "--for", "attribute", "--chance", "56%").output
    assert "attribute at least 3: 70.37%" in three
    assert "closest to 56.00%: attribute 2, 55.56%" in three


def test_a_chance_that_nothing_gives() -> None:
    answer = UWR.solve("direct", find="attribute", chance="99%", target=2, within="1..5")
    assert answer.value is None
    result = run(
        "solve", "uwr", "direct", "target=2", "--for", "attribute", "--chance", "99%", "--within", "1..5"
    )
    assert "no attribute reaches 99.00%; the highest chance is 53.91%" in result.output


@pytest.mark.parametrize("typed", ["80", "x", "-1%", "120%", "1/0"])
def test_no_chance(typed: str) -> None:
    with pytest.raises(Refused):
        as_fraction(typed)


def test_only_one_value_can_be_searched_for() -> None:
    with pytest.raises(Refused, match="target varies too"):
        solve(UWR.rules, "direct", "attribute", Fraction(1, 2), params={"target": "1..2"})


# -- differences


def version(game: str, **options: Any) -> Version:
    return Version(game, ruleset(game).rules, options)


def test_a_house_rule_changes_odds_and_is_described() -> None:
    found = compare_rulesets(version("uwr"), version("uwr", reroll_stack="stacking"))
    assert found.words == ("house rule reroll_stack: distinct -> stacking",)
    first = found.changes[0]
    assert abs(first.by) == max(abs(one.by) for one in found.changes)
    for one, options in ((first.before, {}), (first.after, {"reroll_stack": "stacking"})):
        assert one == UWR.odds(first.check, options=options, **first.params).success


@pytest.mark.parametrize("game", rest_in_proof(GAMES, 2))
def test_a_game_does_not_differ_from_itself(game: str) -> None:
    found = compare_rulesets(version(game), version(game))
    assert (found.words, found.changes) == ((), ())
    assert found.compared > 20


def test_two_editions() -> None:
    result = run("diff", "agga", "fons")
    assert "difficulty trivial is new" in result.output
    assert "26 of 810 odds changed" in result.output


def test_a_page_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "d.html"
    assert run("diff", "uwr", "uwr:favor_cap=none", "--html", str(file)).exit_code in (0, 1, 2)
    result = run("diff", "uwr", "uwr:reroll_stack=stacking", "--html", str(file))
    assert result.exit_code == 0
    text = file.read_text(encoding="utf-8")
    assert "reroll_stack: distinct -&gt; stacking" in text
    assert "http" not in text
    assert "<svg" in text


@pytest.mark.proof
def test_a_change_is_reported_once_and_briefly() -> None:
    found = compare_rulesets(
        Version("tuurna", TUURNA.rules, {}), Version("b", TUURNA.rules, {"success_at": "beat"})
    )
    pairs = [(one.check, one.shows, one.before, one.after) for one in found.distinct_changes]
    assert len(pairs) == len(set(pairs))
    assert set(pairs) == {(one.check, one.shows, one.before, one.after) for one in found.changes}
    assert [one.by for one in found.distinct_changes if one.shows != "mean"] == sorted(
        (one.by for one in found.distinct_changes if one.shows != "mean"), key=lambda by: -abs(by)
    )
    even = TUURNA.odds("check", level=5, difficulty="moderate").success
    (five,) = (one for one in found.distinct_changes if one.check == "check" and one.before == even)
    assert five.params == {"level": 5, "difficulty": "moderate"}


def test_a_wrong_option_is_refused() -> None:
    result = run("diff", "uwr", "uwr:reroll_stack=sideways")
    assert "reroll_stack" in str(result.exception)


# -- claims


def test_clm_r2_r3_r4_the_three_remarks_that_are_wrong() -> None:
    data = tomllib.loads((TOP / "rulesets/tuurna/claims.toml").read_text(encoding="utf-8"))
    verdicts = {one.id: judge(TUURNA.rules, one) for one in read_claims(data, "claims.toml")}
    figures = {
        "CLM-R2": Fraction(1071334, 1594323),
        "CLM-R3": Fraction(7674706, 14348907),
        "CLM-R4": Fraction(7920376864, 10460353203),
    }
    for name, figure in figures.items():
        assert (verdicts[name].true, verdicts[name].figure) == (False, figure)
    assert ("level", 8, TUURNA.odds("check", level=8, difficulty=8).success) in verdicts["CLM-R2"].remedies
    assert ("level", 11) in [one[:2] for one in verdicts["CLM-R4"].remedies]
    assert all(verdicts[f"CLM-R7 Level {level}"].true for level in (2, 3, 4, 5))
    assert verdicts["CLM-R1"].true
    assert verdicts["CLM-R5"].true


NUMBERED = {
    "agga": ("U1", "U2", "U3"),
    "uwr": ("U1", "U2", "U3"),
    "fons": ("U1", "U2", "U3"),
    "tuurna": tuple(f"R{number}" for number in range(1, 11)),
    "me-d6": tuple(f"D{number}" for number in range(1, 6)),
}


@pytest.mark.parametrize("game", GAMES)
def test_every_numbered_remark_of_a_page_is_a_claim(game: str) -> None:
    result = json.loads(run("claims", game, "--json").output)
    found = {one["id"].split()[0] for one in result["claims"]}
    assert found == {f"CLM-{number}" for number in NUMBERED[game]}


def test_clm_r6_and_r9_have_the_figures_of_the_author_s_notes() -> None:
    result = json.loads(run("claims", "tuurna", "--json").output)
    verdicts = {one["id"]: one for one in result["claims"]}
    assert Fraction(verdicts["CLM-R6"]["figure"]) == Fraction(2, 59049)
    assert verdicts["CLM-R6"]["true"]
    expected = {9: (0.4013, False), 10: (0.5329, False), 11: (0.6546, False), 12: (0.7572, True)}
    for level, (figure, true) in expected.items():
        one = verdicts[f"CLM-R9 Level {level} at 10"]
        assert float(Fraction(one["figure"])) == pytest.approx(figure, abs=5e-5)
        assert one["true"] is true


SECTION_9 = {  # what rules.md works out for each remark, and its verdict
    "CLM-R1": (1, True),
    "CLM-R1 Leverage": (1, True),
    "CLM-R2": (0.6720, False),
    "CLM-R3": (0.5349, False),
    "CLM-R4": (0.7572, False),
    "CLM-R5": (0, True),
    "CLM-R10 nothing": (1 / 3, True),
    "CLM-R10 more": (2 / 9, True),
    "CLM-R10 much more": (2 / 27, True),
    "CLM-R6": (2 / 59049, True),
    "CLM-R7 Level 2": (0.5926, True),
    "CLM-R7 Level 3": (0.5679, True),
    "CLM-R7 Level 4": (0.5560, True),
    "CLM-R7 Level 5": (0.5488, True),
    "CLM-R8 Level 6 at 6": (0.5438, False),
    "CLM-R8 Level 7 at 7": (0.5401, False),
    "CLM-R8 Level 8 at 8": (0.5372, False),
    "CLM-R8 Level 6 at 7": (0.3797, False),
    "CLM-R8 Level 7 at 8": (0.3884, False),
    "CLM-R8 Level 8 at 9": (0.3954, False),
    "CLM-R9 Level 9 at 10": (0.4013, False),
    "CLM-R9 Level 10 at 10": (0.5329, False),
    "CLM-R9 Level 11 at 10": (0.6546, False),
    "CLM-R9 Level 12 at 10": (0.7572, True),
}


def test_clm_r1_to_r10_are_judged_as_the_rules_judge_them() -> None:
    result = json.loads(run("claims", "tuurna", "--json").output)
    verdicts = {one["id"]: one for one in result["claims"]}
    assert verdicts.keys() == SECTION_9.keys()
    for name, (figure, true) in SECTION_9.items():
        assert float(Fraction(verdicts[name]["figure"])) == pytest.approx(figure, abs=5e-5), name
        assert verdicts[name]["true"] is true, name
    wrong = {(one["source"], one["id"]) for one in verdicts.values() if not one["true"]}
    assert {name for source, name in wrong if source == "the page"} == {"CLM-R2", "CLM-R3", "CLM-R4"}


def test_amb_r14_a_house_rule_may_explain_a_claim() -> None:
    found = json.loads(run("claims", "tuurna", "--json").output)["claims"]
    fits = {
        one["id"]: {fit["parameter"]: (fit["value"], fit["figure"]) for fit in one["would_be_true"]}
        for one in found
    }
    beat = TUURNA.odds("check", level=9, difficulty=8, options={"success_at": "beat"}).success
    assert fits["CLM-R2"]["success_at"] == ("beat", str(beat))
    assert {"level", "success_at"} <= fits["CLM-R4"].keys()
    assert not fits["CLM-R8 Level 6 at 6"]


def test_false_claims_are_reported_with_source_and_difference() -> None:
    text = run("claims", "tuurna").output
    assert "success is 67.20%; claimed 50.00% to 60.00%, off by 7.20%" in text
    assert "changing only level, difficulty or a house rule would not make it true" in text
    assert "at-least:10 is 1 in 29,524" in " ".join(text.split())
    assert "the page: 6 true, 3 false\nthe author's notes: 6 true, 9 false\nall: 12 true" in text


def test_a_game_in_the_folder_of_its_claims_is_found() -> None:
    result = run("claims", str(TOP / "examples" / "rulebook" / "claims.toml"))
    assert result.exit_code == 0, result.output
    assert "2 true, 0 false" in result.output


@pytest.mark.parametrize(
    ("figure", "text"),
    [
        (Fraction(0), "0.0%"),
        (Fraction(1), "100.0%"),
        (Fraction(1, 9999), "<0.1%"),
        (Fraction(9998, 9999), ">99.9%"),
        (Fraction(-1, 9), "-11.1%"),
        (None, "–"),
    ],
)
def test_a_chance_is_never_0_or_100_unless_it_is(figure: Any, text: str) -> None:
    assert figure_format("success")(figure) == text


@pytest.mark.parametrize(("game", "status"), [("me-d6", 0), ("uwr", 1), ("tuurna", 1)])
def test_the_exit_status_is_1_if_a_claim_is_false(game: str, status: int) -> None:
    result = run("claims", game)
    assert result.exit_code == status
    assert "true" in result.output


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_its_claims(game: str) -> None:
    result = json.loads(run("claims", game, "--json").output)
    assert len(result["claims"]) >= 5


def test_claims_stand_in_a_page_too(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# Odds\n\nWords.\n\n```claim\n[[claim]]\nid = 'a'\nsays = 'even'\ncheck = 'direct'\n"
        "params = { attribute = 1, target = 1 }\nrange = ['30%', '40%']\n```\n",
        encoding="utf-8",
    )
    result = run("claims", str(page), "--game", "uwr")
    assert result.exit_code == 0, result.output
    assert "1 true, 0 false" in result.output


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("check = 'direkt'", "p.toml:1: a: there is no check 'direkt'"),
        ("params = { attributes = 1 }", "p.toml:1: a:"),
        ("range = ['40%']", "p.toml:1: range has two ends"),
        ("range = ['40%', '30%']", "p.toml:1: the range is empty"),
        ("range = ['a', 'b']", "p.toml:1: 'a' cannot be the end"),
        ("sort = 1", "p.toml:1: a claim has no 'sort'"),
        ("game = 'uwrr'", "p.toml:1: a: there is no ruleset 'uwrr'"),
        ("sides = 4", "p.toml:1: sides is a list"),
        ("params = 4", "p.toml:1: params maps names to values"),
        ("figure = 'event:nothing'", "p.toml:1: a: there is no event 'nothing'"),
        ("policy = 'boldest'", "p.toml:1: a: "),
    ],
)
def test_a_claim_with_a_mistake_is_refused_with_its_line(
    tmp_path: Path, wrong: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    fields = {
        "id": "id = 'a'",
        "says": "says = 'x'",
        "check": "check = 'direct'",
        "params": "params = { attribute = 1, target = 1 }",
        "range": "range = ['30%', '40%']",
    }
    fields[wrong.partition(" ")[0]] = wrong
    (tmp_path / "p.toml").write_text("[[claim]]\n" + "\n".join(fields.values()), encoding="utf-8")
    result = run("claims", "p.toml", "--game", "uwr")
    assert message in str(result.exception)


def test_the_library_exports_these_names() -> None:
    assert "1..8" in (handful.Ruleset.table.__doc__ or "")
    assert "| attribute |" in UWR.table("direct", attribute="1..2")._repr_markdown_()


def test_sweep_reports_progress() -> None:
    told: list[tuple[int, int]] = []
    sweep(
        UWR.rules,
        "direct",
        params={"attribute": "1..60", "target": "1..2"},
        progress=lambda done, count: told.append((done, count)),
    )
    assert told[0] == (0, 120)
    assert len(told) == 3


@pytest.mark.parametrize(
    "words", [("table", "attribute=1..2"), ("solve", "--for", "attribute", "--chance", "80%")]
)
def test_a_character_is_refused_where_numbers_are_wanted(words: tuple[str, ...]) -> None:
    name, *rest = words
    result = run(name, "uwr", "direct", "as=mira", *rest)
    assert "this question takes numbers, not a character; leave out as=" in str(result.exception)
