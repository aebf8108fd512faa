"""`handful play` without a file: a table in memory, typed in a terminal as a player would."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from cli_runner import run_cli
from effort import rest_in_proof

terminal = pytest.importorskip("pseudo_terminal", reason="needs a pseudo-terminal")
CTRL_C, CTRL_D = terminal.CTRL_C, terminal.CTRL_D
Step = tuple[str, str]

UWR = "uwr direct attribute=4 rerolls=2 target=3"
AT_UWR = "uwr direct> "
AT_ME_D6 = "me-d6 check> "


def play(steps: Sequence[Step], *words: str, leave: bool = True, **env: str) -> str:
    """Run a session that succeeds and return its output, in 80 columns without escape codes."""
    last = [("> ", "quit")] if leave else []
    status, text = terminal.talk(["play", *words], [*steps, *last], **env)
    assert status == 0, text
    assert "Nothing was saved" in text
    assert "Traceback" not in text
    assert "\033" not in text
    shown: str = text
    too_long = [line for line in text.splitlines() if len(line) > 80]
    assert not too_long, too_long
    return shown


def parts(text: str, *wanted: str) -> None:
    """All of these stand there, in this order, wherever lines break."""
    place, flat = 0, re.sub(r"\s+", " ", text)
    for part in wanted:
        assert part in flat[place:], f"no {part!r} after {flat[:place][-200:]!r} in:\n{text}"
        place = flat.index(part, place) + len(part)


# -- by questions


def test_from_menus_to_a_roll_with_own_dice() -> None:
    steps = [
        ("game [1]: ", "5"),
        ("uwr> ", "1"),
        ("attribute [0]: ", "3.25"),
        ("attribute [0]: ", "3.5"),
        ("skill [0]: ", "?"),
        ("skill [0]: ", "2"),
        ("specific [0]: ", ""),
        ("rerolls [0]: ", "target=2 favor=0"),
        ("bonus [0]: ", "done"),
        (AT_UWR, "d"),
        ("faces of 5d6> ", "5 1 2 3 4"),
        ("answer [2]> ", ""),
        ("1d6> ", "6"),
    ]
    text = play(steps)
    parts(
        text,
        "Which game?",
        "UWR: which check?",
        "half a die becomes a reroll",
        "0 to 200",
        "3.25 is not a multiple of 0.5",
        "UWR, Direct check: attribute=3.5 skill=2 target=2",
        "473/729",
        "█",
        "one of 2, 3, 4, 5",
        "<- best",
        "2: 1→6",
        "2 successes against 2: success, just enough",
    )
    assert "target [" not in text


def test_a_character_makes_the_check() -> None:
    steps = [
        ("game [1]: ", "uwr direct --as mira attribute=Grace faces=1,2,3"),
        ("answer", "none"),
        (AT_UWR, "skill=Acrobatics target=2"),
        (AT_UWR, "attribute=Grasce"),
        (AT_UWR, "d"),
        ("faces of 5d6> ", "5 1 2 3 4"),
        ("answer [2]> ", ""),
        ("1d6> ", "6"),
        (AT_UWR, "look"),
        (AT_UWR, "as tove"),
        (AT_UWR, "odds"),
        (AT_UWR, "attribute=3 skill=1 as=none"),
        (AT_UWR, "as nobody"),
        (AT_UWR, "direct attribute=2 faces=1,1"),
    ]
    parts(
        play(steps),
        "you add Mira Quill",
        "Mira Quill makes your checks from now on",
        "you as Mira Quill roll direct attribute=3.5",
        "Mira Quill +3.5 dice: Grace",
        "+2 dice: Acrobatics, from Burglar",
        "473/729",
        "Mira Quill has no 'Grasce'",
        "did you mean 'grace'?",
        "2 successes against 2",
        "attribute=3.5 Grace",
        "Tove Harl makes your checks",
        "Tove Harl +2.5 dice: Grace",
        "Direct check: attribute=3 skill=1 target=2",
        "no character: your checks",
        "you roll direct attribute=2",
    )


def test_the_questions_offer_values_of_the_sheet() -> None:
    steps = [
        ("uwr> ", "direct"),
        ("attribute [0]: ", "Grasce"),
        ("attribute [0]: ", "?"),
        ("attribute [0]: ", "grace"),
        ("skill [0]: ", "skill=Stealth target=2"),
        ("specific [0]: ", "done"),
        (AT_UWR, "d"),
        ("faces of 5d6> ", "5 1 2 3 4"),
        ("answer [2]> ", ""),
        ("1d6> ", "6"),
        (AT_UWR, "odds direct attribute=Might target=1"),
        (AT_UWR, "--as none"),
        (AT_UWR, "odds direct attribute=1"),
    ]
    text = play(steps, "--as", "mira")
    parts(
        text,
        "UWR: which check?",
        "Mira Quill makes this check",
        "Mira Quill has Might 2, Grace 3.5, Mettle 3, Insight 2.5",
        "has no 'Grasce'",
        "did you mean 'grace'?",
        "Mira Quill has Acrobatics 2",
        "attribute=3.5 skill=2 target=2",
        "+3.5 dice: Grace",
        "+2 dice: Stealth, from Burglar",
        "2 successes against 2",
        "+2 dice: Might",
        "no character: your checks use plain numbers",
        "Direct check: attribute=1",
    )
    assert "breakdown" not in text.rpartition("no character")[2]


def test_a_character_from_a_file_brings_its_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "jo.json").write_text(
        run_cli("sheet ylir --export").out.replace("Ylir", "Jo"), encoding="utf-8"
    )
    steps = [
        ("game [1]: ", "--as nobody"),
        ("game [1]: ", "--as jo.json"),
        ("tuurna> ", "roll contest"),
        ("ties [reroll]: ", ""),
        ("level: ", "armaments"),
        ("a name", ""),
        ("level: ", "Armaments"),
        ("level: ", "3"),
        ("a name", ""),
        ("another side? [no]: ", ""),
        ("tuurna contest> ", "--as mira"),
        ("tuurna contest> ", "level=2"),
    ]
    parts(
        play(steps),
        "there is no character 'nobody'",
        "Jo makes your checks",
        "Tu'urna: which check?",
        "side 1, level",
        "Jo has",
        "Armaments",
        "side 2, level",
        "'Armaments' is not a number",
        "side 1: Jo",
        "there is no character 'mira'",
        "level=2 vs level=3",
    )


def test_a_game_with_its_character_from_the_start() -> None:
    text = play([(AT_UWR, "target=1")], *["uwr", "direct", "attribute=Grace", "--as", "mira"])
    parts(text, "Mira Quill", "+3.5 dice: Grace", "attribute=3.5 target=1", "+3.5 dice: Grace")
    status, text = terminal.talk(["play", "tuurna", "--as", "mira"], [])
    assert status == 2
    assert "there is no character 'mira'; there is oruun" in text


def test_a_contest_asks_for_its_sides() -> None:
    steps = [
        ("tuurna> ", "contst"),
        ("tuurna> ", "roll contest"),
        ("ties [reroll]: ", ""),
        ("level: ", ""),
        ("level: ", "3"),
        ("a name, name=value", "fate=luky"),
        ("a name, name=value", "fate"),
        ("fate [neutral]: ", "lucky"),
        ("a name", ""),
        ("level: ", "4"),
        ("a name, name=value", "back"),
        ("level: ", "5"),
        ("a name", ""),
        ("another side? [no]: ", ""),
        ("tuurna contest> ", ""),
    ]
    text = play(steps, "tuurna")
    parts(
        text,
        "did you mean 'contest'?",
        "level is needed",
        "did you mean 'lucky'?",
        "side 2, level",
        "level=3 fate=lucky vs level=5",
        "side 1 wins",
        "sum of each side",
        "wins",
    )


def test_values_that_do_not_fit_together_are_asked_again() -> None:
    steps = [
        ("attribute [0]: ", "attribute=3 skill=0 specific=0 rerolls=0 target=2"),
        ("bonus [0]: ", ""),
        ("favor [0]: ", ""),
        ("difficulty [none]: ", "easy"),
        ("difficulty [none]: ", ""),
        (AT_UWR, "roll"),
    ]
    parts(play(steps, "uwr", "direct"), "target", "difficulty", "attribute=3 target=2", "against 2")


def test_back_leads_to_the_lists() -> None:
    steps = [
        ("attribute [0]: ", "4"),
        ("skill [0]: ", "back"),
        ("attribute [0]: ", "back"),
        ("uwr> ", "back"),
        ("game [1]: ", "back"),
        ("game [1]: ", "q"),
    ]
    parts(play(steps, "uwr", "direct", leave=False), "Which game?", "this is the beginning")


def test_other_commands_work_in_the_middle_of_questions() -> None:
    steps = [
        ("attribute [0]: ", "history"),
        ("attribute [0]: ", "dance"),
        ("attribute [0]: ", "help"),
        ("attribute [0]: ", "rulesets"),
        ("attribute [0]: ", "direct attribute=2 faces=1,1"),
    ]
    parts(
        play(steps, "uwr", "direct"),
        "no rolls yet",
        "'dance' is not a number",
        "help roll explains a command",
        "uwr UWR",
        "0 successes",
    )


# -- by words


def test_a_check_in_one_line_and_changes_to_it() -> None:
    steps = [
        ("game [1]: ", f"odds {UWR}"),
        ("game [1]: ", "uwr"),
        ("uwr> ", f"odds {UWR}"),
        (AT_UWR, "target=2"),
        (AT_UWR, "difficulty=easy"),
        (AT_UWR, "target=none difficulty=easy"),
        (AT_UWR, "odds opposed attribute=4 vs attribute=3.5"),
        ("uwr opposed> ", "attribute=5"),
        ("uwr opposed> ", "attribute=2 vs attribute=1"),
    ]
    parts(
        play(steps),
        "attribute=4 rerolls=2 target=3",
        "attribute=4 rerolls=2 target=2",
        "not both",
        "attribute=4 rerolls=2 difficulty=easy",
        "attribute=4 vs attribute=3.5",
        "side 2 wins",
        "attribute=5 vs attribute=3.5",
        "attribute=2 vs attribute=1",
    )


def test_roll_may_be_left_out() -> None:
    steps = [
        ("uwr> ", "direct attribute=2 target=1 faces=5,1"),
        (AT_UWR, "roll direct attribute=2 target=1 faces=5,1"),
        (AT_UWR, "Direct check attribute=2 target=1 faces=5,1"),
        (AT_UWR, "handful roll uwr direct attribute=2 target=1 faces=5,1"),
        (AT_UWR, "history"),
    ]
    text = play(steps, "uwr")
    assert text.count("55.56% success") == 4
    for number in range(1, 5):
        parts(text.rpartition("> history")[2], f"you/{number} direct attribute=2 target=1 5 1; 1")


def test_a_game_from_a_file_or_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    extended = 'language = 1\nid = "house"\nextends = "uwr"\ntitle = { en = "At our table" }\n'
    (tmp_path / "house.toml").write_text(extended, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    steps = [
        ("game [1]: ", "house.toml"),
        ("house> ", "odds direct attribute=2 target=1"),
        ("house direct> ", "back"),
        ("house> ", "house direct attribute=3"),
        ("house direct> ", ""),
    ]
    parts(play(steps), "At our table, Direct check", "At our table: which check?", "attribute=3")
    assert run_cli("new my-game --from uwr").status == 0
    (name,) = library_names("my-game")
    parts(play([(f"{name}> ", "roll direct attribute=2 faces=1,1")], "my-game"), "0 successes")
    parts(play([(f"{name}> ", "what")], "my-game/ruleset.toml"), "which check?")
    empty = tmp_path / "empty"
    empty.mkdir()
    said = run_cli("play empty")
    assert (said.status, said.err) == (1, "handful: empty/ruleset.toml: there is no such file\n")


def library_names(folder: str) -> list[str]:
    from handful import library

    return [library.ruleset(folder).id]


def test_house_rules_stay() -> None:
    steps = [
        (AT_UWR, "options"),
        (AT_UWR, "options reroll_stack"),
        (AT_UWR, "options reroll_stak=x"),
        (AT_UWR, "odds direct attribute=3 target=3 --option reroll_stack=stacking"),
        (AT_UWR, "target=2"),
        (AT_UWR, "options"),
        (AT_UWR, "options reroll_stack=distinct"),
        (AT_UWR, "options"),
        (AT_UWR, "--option reroll_stack=stacking"),
    ]
    text = play(steps, *UWR.split())
    parts(
        text,
        "reroll_stack=distinct",
        "[distinct or stacking]",
        "did you mean 'reroll_stack'?",
        "house rules: reroll_stack=stacking",
        "target=3",
        "house rules reroll_stack",
        "reroll_stack=stacking (otherwise distinct)",
        "<- changed",
        "house rules: the game's own",
        "reroll_stack=distinct",
        "house rules: reroll_stack=stacking",
    )


def test_another_game_has_a_table_of_its_own() -> None:
    steps = [
        ("game [1]: ", "handful roll tuurna check level=1 difficulty=50"),
        ("tuurna check> ", "odds uwr direct attribute=1"),
        ("tuurna check> ", "uwr direct faces=6"),
        ("uwr direct> ", "checks"),
        ("uwr direct> ", "rulesets"),
        ("uwr direct> ", "tuurna"),
        ("tuurna check> ", "history"),
    ]
    text = play(steps)
    parts(text, "failure", "mean", "difficulties", "uwr UWR", "you/1 check level=1")
    assert "direct" not in text.rpartition("> history")[2]


# -- decisions


def test_rerolling_dice_by_number_undo_again_and_history() -> None:
    steps = [
        (AT_UWR, "d"),
        ("faces of 4d6> ", ""),
        ("faces of 4d6> ", "1,5"),
        ("2d6> ", "3 6"),
        ("answer [1,3]> ", "none"),
        (AT_UWR, "undo"),
        ("answer [1,3]> ", "7"),
        ("answer [1,3]> ", "1 3 2"),
        ("answer [1,3]> ", "odds"),
        ("answer [1,3]> ", "3 1"),
        ("faces of 2d6> ", "undo"),
        ("answer [1,3]> ", "1,3"),
        ("faces of 2d6> ", "5,2"),
        (AT_UWR, "undo"),
        (AT_UWR, "again faces=1,5,3,6"),
        ("answer [", "history"),
        ("answer [", "history 1"),
        ("answer [", "history 9"),
        ("answer [", "none"),
        (AT_UWR, "again faces=1,1,1,1"),
        ("answer [", "none"),
        (AT_UWR, "history"),
    ]
    text = play(steps, *UWR.split(), leave=True)
    parts(
        text,
        "type what your dice show",
        "none 0.00% success",
        "one of 1, 3 33.33% success",
        "1,3 55.56% success <- best",
        "picking dice 2, 4 cannot help",
        "2 successes against 3: failure by 1",
        "undo takes back the last decision",
        "die 7 may not be picked",
        "at most 2",
        "after rolling 1, 5, 3, 6",
        "you take back the last decision",
        "1: 1→5 2: 5 3: 3→2 4: 6",
        "3 successes against 3: success",
        "dice have fallen",
        "you/1 direct attribute=4 rerolls=2 target=3",
        "1→5 5 3→2 6; 3 successes against 3: success, just enough",
        "you/2 direct attribute=4 rerolls=2 target=3",
        "you decide",
        "breakdown",
        "+4 dice: Attribute",
        "there is no roll '9'",
        "you/2 direct",
        "1 5 3 6; 2 successes against 3: failure by 1",
        "you/3 direct",
        "1 1 1 1; 0 successes against 3",
    )


def test_a_ruling_with_both_totals_and_a_spend() -> None:
    steps = [
        (AT_ME_D6, "d"),
        ("1d6> ", "1"),
        ("2d6> ", "5,3"),
        ("answer [cancel]> ", "perhaps"),
        ("answer [cancel]> ", "2"),
        ("answer [none]> ", "paragon-bonus"),
        (AT_ME_D6, "undo"),
        ("answer [none]> ", "undo"),
        ("answer [cancel]> ", "undo"),
        ("answer [cancel]> ", "1"),
        ("answer [none]> ", "3"),
    ]
    text = play(steps, *["me-d6", "check", "dice=3D", "difficulty=5", "spend=ask"])
    parts(
        text,
        "1 cancel total 4 against 5: failure by 1",
        "2 complication total 9 against 5: success by 4",
        "<- best",
        "there is no word 'perhaps'",
        "none total 9 against 5: success by 4",
        "paragon-bonus total 12 against 5",
        "total 12 against 5: success by 7",
        "A complication",
        "you take back the last decision",
        "you take back the last decision",
        "there is no decision to take back",
        "total 7 against 5: success by 2",
    )


# -- mistakes, and ways to leave


MISTAKES_IN_THE_MENU = [
    ("uwrr direct attribute=4", "not in the list"),
    ("uwrr", "did you mean 'uwr'?"),
    ("6", "a number from 1 to 5"),
    ("0000011", "a number from 1 to 5"),
    ("histry", "a number from 1 to 5"),
    ("nosuch.toml check", "there is no such file"),
    ("checks nosuch", "there is no ruleset"),
    ("help", "uwr direct attribute=4 target=2"),
    ("?", "uwr direct attribute=4 target=2"),
    ("roll", "a number from 1 to 5"),
]
MISTAKES_AT_A_TABLE = [
    ("dirct attribute=4", "did you mean 'direct'?"),
    ("direct atribute=4", "did you mean 'attribute'?"),
    ("direct attribute=400", "0 to 200"),
    ("attack", "not an opposed check"),
    ("direct attribute=4 --seed 3", "--option name=value"),
    ("histry", "did you mean 'history'?"),
    ("undo", "no decision to take back"),
    ("again", "no rolls yet"),
    ("odds", "odds CHECK name=value"),
    ("history", "no rolls yet"),
    ("d", "no check yet"),
    ("9", "there are 1 to 2"),
    ("schön", "there is no word 'schön'"),
    ("--as", "--as has no value"),
    ("done", "there is no roll to finalise"),
    ("checks nosuch", "there is no ruleset"),
    ("serve", "there is no word 'serve'"),
    ("tuurna chek level=2", "did you mean 'check'?"),  # last: it changes the game
]


def answers(prompt: str, mistakes: list[tuple[str, str]], *words: str) -> Iterator[tuple[str, str, str]]:
    """Type the lines in one session; yield each with the wanted and the actual answer."""
    text = play([*((prompt, line) for line, _ in mistakes), (prompt, "q")], *words, leave=False)
    for line, wanted in mistakes:
        text = text.partition(f"{prompt}{line}\n")[2]
        yield line, wanted, text.partition(prompt)[0]


def test_a_mistake_before_there_is_a_game() -> None:
    for line, wanted, answer in answers("game [1]: ", MISTAKES_IN_THE_MENU):
        assert wanted in re.sub(r"\s+", " ", answer), line
        assert len(answer.splitlines()) < 12, answer


def test_a_mistake_is_reported_in_a_few_lines() -> None:
    for line, wanted, answer in answers("> ", MISTAKES_AT_A_TABLE, "uwr"):
        assert wanted in re.sub(r"\s+", " ", answer), line
        assert len(answer.splitlines()) < 6, answer


@pytest.mark.parametrize("way", rest_in_proof([CTRL_D, CTRL_C, "q", "quit"], 2))
@pytest.mark.parametrize("words", [[], UWR.split()])
def test_leaving(way: str, words: list[str]) -> None:
    text = play([("> " if words else "game [1]: ", way)], *words, leave=False)
    assert "Nothing was saved. To keep a table" in text.rstrip().splitlines()[-1]


@pytest.mark.parametrize("way", [CTRL_D, CTRL_C])
def test_leaving_in_the_middle_of_a_roll(way: str) -> None:
    steps = [(AT_UWR, "d"), ("faces of 4d6> ", "1,5,3,6"), ("answer [1,3]> ", way)]
    play(steps, *UWR.split(), leave=False)


def test_leaving_in_the_middle_of_questions() -> None:
    play([("attribute [0]: ", CTRL_D)], "uwr", "direct", leave=False)


def test_a_wrong_check_does_not_begin() -> None:
    status, text = terminal.talk(["play", "uwr", "dirct"], [])
    assert status == 2
    assert "did you mean 'direct'?" in text


def test_nothing_is_written_to_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    play([("uwr> ", "direct attribute=2 faces=1,1"), (AT_UWR, "seat ann player")], "uwr")
    assert not list(tmp_path.iterdir())


# -- comfort


def test_tab_completes_and_arrows_bring_lines_back() -> None:
    pytest.importorskip("readline")
    steps = [
        ("game [1]: ", "uw\t"),
        ("uwr> ", "dir\tatt\t4 rer\t2 tar\t3"),
        ("answer [", "none"),
        (AT_UWR, "hist\t"),
        (AT_UWR, "\x1b[A"),
    ]
    status, text = terminal.talk(["play"], [*steps, (AT_UWR, "q")])
    assert status == 0, text
    parts(text, "attribute=4 rerolls=2 target=3", "you/1 direct", "> history", "you/1 direct")


def test_a_terminal_that_can_do_nothing() -> None:
    steps = [(AT_UWR, "again faces=1,5,3,6"), ("answer [", "none")]
    text = play(steps, *UWR.split(), TERM="dumb", NO_COLOR="")
    assert "against 3" in text


def test_colour_only_on_request() -> None:
    _, text = terminal.talk(["play", *UWR.split()], [(AT_UWR, "q")], NO_COLOR="")
    assert "\033[1m" in text


def test_the_transcript_of_the_readme() -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    shown = next(b for b in re.findall(r"```\n(.*?)```", readme, re.DOTALL) if AT_UWR in b)
    steps = [
        (AT_UWR, shown.splitlines()[0].removeprefix(AT_UWR)),
        (AT_UWR, "d"),
        ("faces of 4d6> ", "1,5,3,6"),
        ("answer [1,3]> ", "1,3"),
        ("faces of 2d6> ", "1,1"),
    ]
    text = play(steps, "uwr", "direct", "attribute=1")
    assert not [line for line in shown.splitlines() if line not in text and line != "…"]
