"""The Sphinx extension: exact odds on the pages, and one line per mistake that ends the build."""

from __future__ import annotations

import re
import shutil
from html import unescape
from pathlib import Path
from typing import NamedTuple

import pytest
from ruleset_cases import ruleset

import handful

pytest.importorskip("sphinx")
pytest.importorskip("myst_parser")
pytest.importorskip("furo")
pytest.importorskip("matplotlib")

from sphinx.cmd.build import main as sphinx_build

TOP = Path(__file__).parents[2]
RULEBOOK = TOP / "examples" / "rulebook"
UWR = ruleset("uwr")
pytestmark = pytest.mark.filterwarnings("ignore:.*myst_parser.*is deprecated")  # not ours to mend
PLAIN = "extensions = ['myst_parser', 'handful.sphinx']\n"
FIGURE = re.compile(r'<span class="handful-figure">([^<]*)</span>')


class Build(NamedTuple):
    status: object
    told: str
    folder: Path

    def page(self, name: str = "index.html") -> str:
        return (self.folder / name).read_text(encoding="utf-8")


def build(
    source: Path, folder: Path, capsys: pytest.CaptureFixture[str], *words: str, kind: str = "html"
) -> Build:
    """A build as from the command line, and what it said to standard error."""
    capsys.readouterr()
    status: object
    try:
        status = sphinx_build(["-q", "-b", kind, *words, str(source), str(folder)])
    except SystemExit as end:
        status = end.code
    return Build(status, capsys.readouterr().err, folder)


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """An empty book."""
    place = tmp_path / "book"
    place.mkdir()
    (place / "conf.py").write_text(PLAIN, encoding="utf-8")
    return place


def write(book: Path, text: str, name: str = "index.rst") -> Path:
    (book / name).write_text(f"Odds\n====\n\n{text}\n", encoding="utf-8")
    return book


# -- the example and our own pages


def test_the_example_rulebook_as_html(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = build(RULEBOOK, tmp_path / "out", capsys, "-W", "-d", str(tmp_path / "trees"))
    assert made.status == 0, made.told
    game = handful.ruleset(RULEBOOK / "ruleset.toml")
    first = unescape(made.page())
    asked = [{"lanterns": 4}, {"lanterns": 4, "oil": 1}]
    shown = [100 * game.odds("cross", water="misty", **one).success for one in asked]
    mean = float(game.odds("cross", lanterns=4, oil=1, water="misty").mean)
    expected = [*(f"{round(one)}%" for one in shown), f"{mean:.2f}"]
    assert FIGURE.findall(first) == expected
    cell = game.odds("cross", lanterns=5, water="wild").success
    assert f"<p>{100 * float(cell):.1f}%</p>" in first
    assert len(list((tmp_path / "out" / "_images").glob("*.svg"))) == 2
    assert "seven lanterns crosses misty water four times out of five" in first
    second = unescape(made.page("tides.html"))
    assert "house rule tide: slack -> spring" in second
    assert "true: success changes by 0.0%" in second
    assert "<p>A single lantern never crosses misty water.</p>" in second


def test_the_example_rulebook_as_latex(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "out"
    made = build(RULEBOOK, folder, capsys, "-W", "-d", str(tmp_path / "trees"), kind="latex")
    assert made.status == 0, made.told
    text = made.page("nightferry.tex")
    (first, second) = sorted(one.stem for one in folder.glob("*.pdf"))
    for name in (first, second):
        assert re.search(rf"includegraphics[^\n]*{name}", text)
    assert "84.7\\%" in text
    assert "{48\\%}" in text
    assert not list(folder.glob("*.svg"))


def test_the_example_game_has_no_mistakes() -> None:
    from cli_runner import run_cli

    assert run_cli(["lint", str(RULEBOOK / "ruleset.toml")]).status == 0


@pytest.mark.proof
def test_our_own_pages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = build(TOP / "docs", tmp_path / "out", capsys, "-W", "-d", str(tmp_path / "trees"))
    assert made.status == 0, made.told
    claims = unescape(made.page("claims.html"))
    assert "<p>false; level 8 would fit" in claims
    assert claims.count("<table") == 6  # of tuurna the page and the notes
    assert "the page: 6 true, 3 false" in claims
    assert "notes: 6 true, 9 false" in claims
    assert FIGURE.findall(claims) == ["0.67", "1.50", "8.23", "53%"]
    assert FIGURE.findall(made.page("index.html")) == ["65%"]


# -- what is shown


@pytest.mark.parametrize("name", ["index.rst", "index.md"])
def test_a_table_has_the_figures_of_the_library(
    name: str, book: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = "uwr direct attribute=1..3 rerolls=1 target=1..2"
    text = f".. handful-table:: {asked}\n" if name.endswith("rst") else (f"```{{handful-table}} {asked}\n```")
    made = build(write(book, text, name), book / "out", capsys, "-W")
    assert made.status == 0, made.told
    cells = re.findall(r'text-right"><p>([\d.]+%)</p>', made.page())
    found = UWR.table("direct", attribute="1..3", rerolls=1, target="1..2")
    assert cells == [f"{100 * float(figure):.1f}%" for figure in found.cells.values()]
    assert "Assuming reroll: failing dice" in made.page()


def test_figures_of_every_kind_and_policy(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (
        ":handful:`uwr direct attribute=3 rerolls=1 target=2 policy=never` "
        ":handful:`tuurna contest level=3 vs level=4 show=wins:2` "
        ":handful:`me-d6 total dice=3D show=mean` "
        ":handful:`uwr direct attribute=1 target=9` "
        ":handful:`uwr direct attribute=9 target=8`"
    )
    made = build(write(book, text), book / "out", capsys, "-W")
    assert made.status == 0, made.told
    wins = ruleset("tuurna").odds("contest", {"level": 3}, {"level": 4}).wins[1]
    mean = ruleset("me-d6").odds("total", dice="3D").mean
    assert FIGURE.findall(made.page()) == [
        "26%",
        f"{round(100 * wins)}%",
        f"{float(mean):.2f}",
        "0%",
        "less than 1%",
    ]


# -- claims

CLAIM = """.. handful-claim:: Three dice succeed nine times out of ten.
   :check: uwr direct attribute=3 target=1
   :range: 85% to 95%
"""


def test_a_false_claim_ends_the_build_and_nothing_is_written(
    book: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(2):  # also when nothing has changed since
        made = build(write(book, CLAIM), book / "out", capsys)
        assert made.status == "handful: 1 mistake in the pages; nothing was written"
        (line,) = made.told.splitlines()
        assert "index.rst:4: ERROR: not true: 'Three dice succeed nine times out of ten.'" in line
        assert "success is 70.4%, the words allow 85.0% to 95.0%" in line
        assert "it would be true with attribute=5: 86.8%" in line
        assert not (book / "out" / "index.html").exists()
    write(book, CLAIM.replace("85% to 95%", "70% to 71%"))
    assert build(book, book / "out", capsys, "-W").status == 0


def test_a_false_claim_can_be_a_warning(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (book / "conf.py").write_text(f"{PLAIN}handful_claims = 'warn'\n", encoding="utf-8")
    made = build(write(book, CLAIM), book / "out", capsys)
    assert made.status == 0
    assert "index.rst:4: WARNING: not true" in made.told
    assert "Three dice succeed nine times out of ten." in made.page()
    assert build(book, book / "again", capsys, "-W", "-E").status == 1


# -- mistakes


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (".. handful-table:: uwr direkt attribute=1..3", "there is no check 'direkt'"),
        (".. handful-table:: uwx direct attribute=1..3", "there is no ruleset 'uwx'"),
        (".. handful-table:: uwr direct atribute=1..3", "did you mean 'attribute'?"),
        (".. handful-table:: uwr", "name a game and a check"),
        (".. handful-table:: uwr direct attribute=3..1", "write 1..3"),
        (".. handful-table:: uwr direct attribute=1..3\n   :shw: mean", "no option 'shw'"),
        (".. handful-table:: uwr direct attribute='1..3", "no closing quotation"),
        (".. handful-table:: no/such.toml direct attribute=1..3", "there is no such file"),
        (".. handful-chart:: uwr direct attribute=1..3\n   :show: joy", "no figure 'joy'"),
        (".. handful-table:: uwr direct attribute=1..3 --shw mean", "table has no '--shw'"),
        (".. handful-table:: uwr direct attribute=1..3 --show joy", "no figure 'joy'"),
        (".. handful-table::", "handful-table has no question"),
        (".. handful-table:: me-d6 check dice=2D..3D\n   :show: event:luck", "no event 'luck'"),
        (".. handful-diff:: uwr", "name two rulesets"),
        (".. handful-diff:: uwr uwr:reroll_stack=sideways", "reroll_stack"),
        (".. handful-diff:: uwr fons\n   :most: x", "most is a whole number from 1"),
        (".. handful-claim:: Words.\n   :range: 1% 2%", "handful-claim has no check"),
        (CLAIM.replace("85% to", ""), "range has two ends"),
        (CLAIM.replace("attribute=3", "atribute=3"), "did you mean 'attribute'?"),
        (".. handful-claims:: nowhere.toml", "there is no such file"),
        (":handful:`uwr direct attribute=1..3`", "a single figure takes no range"),
        (":handful:`uwr direct attribute=3 target=x`", "target"),
    ],
)
def test_a_mistake_is_one_line_with_its_place(
    text: str, message: str, book: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = build(write(book, text), book / "out", capsys)
    assert made.status == "handful: 1 mistake in the pages; nothing was written"
    (line,) = made.told.splitlines()
    assert re.search(r"index\.rst:4: ERROR: ", line)
    assert message in line.replace(" (", " ")
    assert not (book / "out" / "index.html").exists()


def test_a_mistake_in_markdown_has_its_line(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "Words.\n\n```{handful-table} uwr direkt attribute=1..3\n:caption: no\n```"
    made = build(write(book, text, "index.md"), book / "out", capsys)
    assert "index.md:6: ERROR: there is no check 'direkt'" in made.told


@pytest.mark.parametrize(
    ("name", "text", "meant"),
    [
        ("index.rst", ".. handful-tabel:: uwr direct attribute=1..3", "handful-table"),
        ("index.rst", "Words :handfull:`uwr direct attribute=1 target=1`.", "handful"),
        ("index.md", "```{hanful-claim} Words.\n```", "handful-claim"),
        ("index.md", ":::{handful-chrt} uwr direct attribute=1..3\n:::", "handful-chart"),
        ("index.md", "Words {handfull}`uwr direct attribute=1 target=1`.", "handful"),
    ],
)
def test_a_typo_in_a_name_ends_the_build_too(
    name: str, text: str, meant: str, book: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Sphinx by itself would make the page without it."""
    made = build(write(book, text, name), book / "out", capsys)
    assert made.status == "handful: 1 mistake in the pages; nothing was written"
    first = made.told.splitlines()[0]
    assert f"{name}:4: ERROR: there is no " in first
    assert f"did you mean '{meant}'?" in first
    assert not (book / "out" / "index.html").exists()


def test_a_claim_about_no_game_has_the_line_in_its_own_file(
    book: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (book / "claims.toml").write_text(
        "\n[[claim]]\nid = 'a'\ngame = 'uwx'\nsays = 'x'\ncheck = 'direct'\nrange = [0, 1]\n",
        encoding="utf-8",
    )
    made = build(write(book, ".. handful-claims:: claims.toml"), book / "out", capsys)
    assert "claims.toml:2: a: there is no ruleset 'uwx'" in made.told
    assert "index.rst:4: ERROR" in made.told


# -- what is kept


def test_results_are_cached_until_the_rules_change(
    book: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = book / "ruleset.toml"
    shutil.copy(RULEBOOK / "ruleset.toml", rules)
    write(book, ":handful:`ruleset.toml cross lanterns=4 water=misty`")
    assert FIGURE.findall(build(book, book / "out", capsys, "-W").page()) == ["48%"]

    from handful.explore.query import Query

    with monkeypatch.context() as patched:
        patched.setattr(Query, "table", lambda *_, **__: pytest.fail("worked out again"))
        assert build(book, book / "out", capsys, "-W", "-E").status == 0

    text = rules.read_text(encoding="utf-8").replace("burns = d8 >= 6", "burns = d8 >= 5")
    rules.write_text(text, encoding="utf-8")
    share = handful.ruleset(rules).odds("cross", lanterns=4, water="misty").success
    made = build(book, book / "out", capsys, "-W")  # the page itself has not changed
    assert FIGURE.findall(made.page()) == [f"{round(100 * share)}%"]
