"""Scripts for `handful play FILE`: each of the five games, every command, wrong input."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from cli_runner import run_cli
from effort import every_nth_in_test
from repl_scripts import ScriptedTable

from golden.test_golden import NAMES, entries, record, rules
from handful import table as tables
from handful.cli.repl.commands import REPL_COMMANDS, find_command
from handful.cli.repl.event_text import SENTENCES, EventWriter
from handful.cli.repl.repl import Repl
from handful.cli.repl.show_table import typed_word
from handful.library.draft_rulesets import read_draft_ruleset, stored_texts
from handful.library.tables import DRAFT_PREFIX, now, open_table
from handful.store import SQLiteStore, StoredTable, TableHeader
from handful.table import Command
from handful.table.commands import command_kinds
from handful.table.events import event_kinds

SEATS = ["seat ann player", "seat bob player", "seat eve watcher"]

TYPED = ("throw 5", "undo", "throw 4", "throw 5 5")  # one face wrongly, and taken back

# a request to both, dice by hand, a lie that is called, and a check of both together
GAMES: dict[str, dict[str, Any]] = {
    "uwr": {
        "bring": ("mira", "tove"),
        "ask": "direct target=2 hidden=target",
        "own": ("attribute=2 as nobody", "attribute=2 as nobody"),
        "faces": ("5 6", "1 2"),
        "lie": "direct attribute=2 faces=1,1",
        "call": "direct attribute=3 as nobody",
        "together": "opposed",
        "doubt": "opposed",
        "called": TYPED,
    },
    "agga": {
        "bring": ("dorn", "ina"),
        "ask": "direct target=2 hidden=target",
        "own": ("attribute=2 as nobody", "attribute=2 as nobody"),
        "faces": ("5 6", "1 2"),
        "lie": "direct attribute=2 faces=1,1",
        "call": "direct attribute=3 as nobody",
        "together": "opposed",
        "doubt": "opposed",
        "called": TYPED,
    },
    "fons": {
        "bring": ("pell", "warden"),
        "ask": "direct target=2 hidden=target",
        "own": ("attribute=2 as nobody", "attribute=2 as nobody"),
        "faces": ("5 6", "1 2"),
        "lie": "direct attribute=2 faces=1,1",
        "call": "direct attribute=3 as nobody",
        "together": "opposed",
        "doubt": "opposed",
        "called": TYPED,
    },
    "tuurna": {
        "bring": ("ylir", "zejhe"),
        "ask": "check difficulty=2 hidden=difficulty",
        "own": ("level=2 as nobody", "level=2 as nobody"),
        "faces": ("4 4", "1 2"),
        "lie": "check level=2 faces=1,1",
        "call": "check level=3 as nobody",
        "together": "group judge=max difficulty=2",
        "doubt": "contest",
        "called": ("throw 5", "undo", "throw 4", "throw 4 4"),
    },
    "me-d6": {
        "bring": ("sanna", "corvin"),
        "ask": "check difficulty=10 hidden=difficulty",
        "own": ("dice=2D as nobody", "dice=2D as nobody"),
        "faces": ("5 4", "2 2"),
        "lie": "check dice=2D faces=2,2",
        "call": "check dice=3D as nobody",
        "together": "opposed",
        "doubt": "opposed",
        "called": ("throw 5", "throw 4 4"),
    },
}


@pytest.mark.parametrize("game", GAMES)
def test_a_long_session_in_each_game(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    own, night, log = GAMES[game], ScriptedTable(tmp_path, game), Path("ann.log")
    out = night.play_ok(
        *SEATS,
        f"bring {own['bring'][0]} for ann",
        f"bring {own['bring'][1]} for bob",
        f"request ann,bob {own['ask']} title='over the wall'",
        "seat ann",
        f"propose {own['own'][0]}",
        "seat bob",
        f"propose {own['own'][1]}",
        "seat kim",
        "accept ann",
        "accept bob",
        "seat ann",
        f"throw {own['faces'][0]}",
        "seat bob",
        f"throw {own['faces'][1]}",
        # both together
        "seat kim",
        f"contest {own['together']} kim/1 kim/2",
        # a secret lie that gets called; one face is typed wrongly and taken back
        f"roll {own['lie']} mode=secret title=lie",
        "seat ann",
        f"call {own['call']} title='really?'",
        "seat kim",
        "accept ann",
        "seat ann",
        *own["called"],
        "seat kim",
        f"settle against lie {own['doubt']}",
        "seat eve",
        "log",
        "luck",
        "seat ann",
        "log 100",
        "luck",
        "look",
        "odds",
        f"export {log}",
        f"verify {log}",
    )
    assert out.count("ann catches the lie") >= 2  # in the log of the GM, and in ann's
    assert '"lie"' in out
    assert "(target hidden)" in out
    kinds = night.kinds()
    assert "call_settled" in kinds
    assert "roll_revealed" in kinds
    assert ("faces_taken_back" in kinds) == (game != "me-d6")
    assert [one["roller"] for one in night.view("eve")["rolls"] if "lie" in one["title"]] == ["kim"]
    assert run_cli(["verify", str(log)]).status == 0
    exported = run_cli(["export", str(night.file), "--seat", "ann"]).out
    assert exported == log.read_text()


def test_a_decision_is_asked_with_odds_answered_and_taken_back(tmp_path: Path) -> None:
    night = ScriptedTable(tmp_path, "uwr")
    out = night.play_ok(
        *SEATS,
        "seat ann",
        "roll direct attribute=3 rerolls=1 target=2 faces=5,1,2",
        "what",
        "none",
        "undo",
        "2",
        "throw 6",
    )
    assert "one of 2, 3  33.33% success  <- best" in out
    assert "ann (player) answer [2]> none" in out
    assert "2: 1→6" in out
    assert "2 successes against 2: success, just enough" in out
    roll = night.view("ann")["rolls"][0]
    assert roll["phase"] == "finalised"
    assert [die["physical"] for die in roll["dice"]] == [True] * 4


def test_a_roll_begun_with_physical_dice_asks_for_the_next(tmp_path: Path) -> None:
    night = ScriptedTable(tmp_path, "uwr")
    out = night.play_ok(*SEATS, "roll direct attribute=2 rerolls=1 faces=5,1", "2")
    assert "kim/1: kim throws 1d6" in out
    assert "kim/1: kim throws 1d6" not in night.play_ok("roll direct attribute=2")


def test_virtual_dice_continue_automatically(tmp_path: Path) -> None:
    night = ScriptedTable(tmp_path, "uwr")
    night.play_ok("roll direct attribute=9 rerolls=1", "1", "roll direct attribute=2")
    assert [one["phase"] for one in night.view("kim")["rolls"]] == ["finalised"] * 2


# -- words


def test_every_command_has_an_example_of_its_own() -> None:
    from handful import ruleset

    rules = ruleset("me-d6").rules
    for name, word in REPL_COMMANDS.items():
        found, _ = find_command(rules, word.example.split())
        assert found is word, name
        assert word.usage.split()[0] == name.split()[0]
        assert word.summary
        assert all(find_command(rules, [one])[0] is word for one in word.aliases if " " not in one), name


def test_every_table_command_has_a_typed_command() -> None:
    from handful import ruleset

    rules = ruleset("uwr").rules
    for name in set(command_kinds()) - {"open", "picture", "portrait"}:  # a terminal shows no pictures
        assert find_command(rules, typed_word(name).split())[0] is not None, name


def test_help_explains_every_command(tmp_path: Path) -> None:
    out = ScriptedTable(tmp_path, "me-d6").play_ok(
        "help", *(f"help {name}" for name in REPL_COMMANDS), "help parry"
    )
    flat = out.replace("\n      ", " ")
    for word in REPL_COMMANDS.values():
        such = word.example.partition("{")[0]
        assert f"example: {such}" in flat or "this game has none" in flat
    first = out.partition("> help roll")[0]
    assert len(first.splitlines()) < 40  # on one screen
    for name in (*REPL_COMMANDS, "parry", "attack", "take10"):
        assert name in first.replace("\n ", ""), name
    more = ScriptedTable(tmp_path, "uwr", "other").play_ok("help fights", "help the GM", "help direct")
    assert "the next round" in more
    assert "raise or lower points" in more
    assert "half a die becomes a reroll" in more


def test_every_event_has_a_sentence() -> None:
    assert {*SENTENCES} == {*event_kinds()}


@pytest.mark.parametrize("name", NAMES)
def test_every_recorded_event_has_a_sentence_for_every_seat(name: str) -> None:
    """Also where a seat is told only some of it."""
    table = record.begun(rules(name))
    for entry in entries(name):
        event = tables.read_event(entry)
        before, table = table, tables.evolve(table, event)
        for seat, role in table.seats.items():
            told = tables.redact(event, tables.Viewer(seat, role), before)
            data = None if told is None else told.data
            if data is not None:
                said = EventWriter(table, seat).sentence(event, data)
                assert said.isprintable()
                assert event.kind.replace("_", " ") not in said or event.kind not in SENTENCES


def test_pending_questions_and_legal_commands_are_listed(tmp_path: Path) -> None:
    night = ScriptedTable(tmp_path, "uwr")
    out = night.play_ok(
        *SEATS,
        "request ann direct target=1",
        "what",
        "seat ann",
        "what",
        "propose attribute=2",
        "seat kim",
        "accept",
        "what",
        "seat ann",
        "what",
        "seat eve",
        "what",
    )
    kims, anns, later, hers, eves = (part for part in out.split("> what\n")[1:])
    assert "waiting for ann" in kims
    assert "  propose kim/" in anns
    assert "  throw kim/1 (ann's)" in later
    assert "  throw kim/1\n" in hers
    assert "you can: leave, seat, log, luck" in eves


def test_the_gm_corrects_judges_reveals_and_switches_lines(tmp_path: Path) -> None:
    night = ScriptedTable(tmp_path, "uwr")
    out = night.play_ok(
        *SEATS,
        "bring mira for ann",
        "seat ann",
        "declare direct attribute=Grace target=2",
        "seat kim",
        "look",
        "line favor=1 a low branch",
        "switch 3 off",
        "switch ann/1 3 on",
        "cancel ann/1",
        "roll direct attribute=2 faces=5,1 target=2 hidden=target mode=private",
        "correct target=1 words='it was dark'",
        "judge kim/1 grade=fine you are in",
        "reveal target",
        "reveal to ann",
        "house rules",
        "house rules half_dice=attribute",
        "visibility private",
        "leave eve",
        "seats",
    )
    assert "kim/1 is corrected to direct attribute=2 target=1" in out
    assert 'kim says: fine "you are in"' in out
    assert "house rules: half_dice=attribute" in out
    assert "watcher, left" in out
    assert night.view("kim")["mode"] == "private"
    kinds = night.kinds()
    for kind in ("line_added", "line_switched", "target_revealed", "roll_revealed", "roll_judged"):
        assert kind in kinds


def test_characters_are_added_shown_adjusted_and_imported_again(tmp_path: Path) -> None:
    night = ScriptedTable(tmp_path, "uwr")
    out = night.play_ok(
        *SEATS,
        "seat ann",
        "bring mira",
        "show mira open",
        "seat bob",
        "sheet mira",
        "seat kim",
        "adjust mira vitality=-2 a fall",
        "undo points",
        "adjust mira vitality=-2",
        "seat ann",
        "bring mira",
        "dismiss",
    )
    assert 'Mira Quill: Vitality -2 (now 3) "a fall"' in out
    assert "Vitality: 3 -> 5" in out
    assert not night.view("ann")["characters"]


def test_a_request_to_a_character_takes_the_names_on_its_sheet(tmp_path: Path) -> None:
    out = ScriptedTable(tmp_path, "uwr").play_ok(
        *SEATS,
        "bring mira for ann",
        "request ann direct target=2 as mira",
        "seat ann",
        "propose attribute=grace",
        "seat kim",
        "accept ann skill=acrobatics",
        "request ann direct target=2 as mira",
        "seat ann",
        "propose grace",
        "seat kim",
        "accept",
    )
    assert "ann as Mira Quill rolls direct attribute=3.5 skill=2 target=2" in out
    assert "ann as Mira Quill rolls direct attribute=3.5 target=2" in out


def test_a_challenge_holds_both_sides_until_both_are_declared(tmp_path: Path) -> None:
    night = ScriptedTable(tmp_path, "uwr")
    early = night.refused(
        *SEATS,
        "request ann,bob direct",
        "challenge opposed ann bob",
        "seat ann",
        "propose attribute=2",
        "seat kim",
        "accept ann",
        "seat ann",
        "throw 5 5",
    )
    assert "every side of the contest is declared before the throw; wait for bob" in early
    out = night.play_ok(
        "seat bob",
        "propose attribute=2",
        "seat kim",
        "accept bob",
        "seat ann",
        "throw 5 5",
        "seat bob",
        "throw 1 1",
        "seat kim",
        "log",
    )
    assert "ann wins" in out


def test_a_contest_is_called_off_and_a_request_withdrawn(tmp_path: Path) -> None:
    out = ScriptedTable(tmp_path, "uwr").play_ok(
        *SEATS,
        "request ann,bob direct",
        "challenge opposed ann bob",
        "call off",
        "withdraw",
        "request ann direct",
        "seat ann",
        "propose attribute=9",
        "seat kim",
        "refuse ann too much",
    )
    assert "is called off" in out
    assert "is withdrawn" in out
    assert 'kim turns down ann "too much"' in out


# -- names


def test_names_of_secrets_leave_no_gap_in_the_numbers(tmp_path: Path) -> None:
    """Roll names leave no gap for rolls that a seat does not see."""
    night = ScriptedTable(tmp_path, "uwr")
    night.play_ok(
        *SEATS,
        "roll direct attribute=2",
        "roll direct attribute=2 mode=gm",
        "roll direct attribute=2 mode=secret",
        "request bob direct",
        "roll direct attribute=2",
    )
    assert [one["roll"] for one in night.view("ann")["rolls"]] == ["kim/1", "kim/2"]
    assert len(night.view("kim")["rolls"]) == 4


def test_a_name_may_be_abbreviated_while_unambiguous(tmp_path: Path) -> None:
    night = ScriptedTable(tmp_path, "uwr")
    night.play_ok(*SEATS, "bring mira for an", "bring tove for bob", "sheet qu", "sheet ann/mira")
    assert "can be ann/Mira Quill or bob/Mira Two" not in night.play_ok("sheet tove")
    assert "there is no character 'tovi'" in night.refused("sheet tovi")
    assert "did you mean" in night.refused("seat kimm")


OPEN = [
    "roll direct attribute=2 target=2 hidden=target faces=5,1",
    "seat ann",
    "bring mira",
    "roll direct attribute=2 faces=1,1",
    "seat kim",
]
SECRET = [
    "roll direct attribute=3 mode=gm faces=1,2,3",
    "roll direct attribute=3 mode=secret",
    "request ann direct target=3",
    "seat ann",
    "propose attribute=Grace",
    "seat kim",
    "withdraw",
    "adjust mira vitality=-1",
    "adjust mira vitality=1",
]
LOOKS = [
    "seat bob",
    "what",
    "log",
    "luck",
    "seats",
    "look",
    "odds",
    "sheet sentry",
    "help fight",
    "throw kim/9",
    "look kim/9",
    "verify",
]


def test_secrets_of_others_do_not_change_a_seats_screen(tmp_path: Path) -> None:
    """Two evenings that differ in what bob may not know: his screen is the same, byte by byte."""
    seen = []
    for name, secrets in (
        ("plain", []),
        ("secret", ["bring sentry", *SECRET]),
        ("more", SECRET * 2),
    ):
        (tmp_path / name).mkdir()
        night = ScriptedTable(tmp_path / name, "uwr")
        night.play_ok(*SEATS, *OPEN, *secrets)
        said = night.play(*secrets[1:], *OPEN[:1], *LOOKS)
        out = said.out.partition("> seat bob\n")[2]
        assert "(uwr): bob, player" in out
        errors = re.sub(r"line \d+", "line", said.err)
        seen.append((_plain(out), _plain(errors)))
    assert seen[0] == seen[1] == seen[2]


def _plain(text: str) -> str:
    """Without the head of the log: it holds the promises of the dice, which are by chance."""
    return re.sub(r"\b[0-9a-f]{16,}\b|(?:\d{5}\s+){5}\d{5}", "…", text)


# -- wrong input

WRONG = {
    "dance": "there is no word 'dance'",
    "rol direct": "did you mean 'roll'?",
    "roll": "which check? there is direct, opposed",
    "roll nothing": "there is no check 'nothing'",
    "roll direct atribute=2": "did you mean 'attribute'?",
    "roll direct attribute=much": "attribute",
    "roll direct attribute=2 attribute=3": "twice",
    "roll direct attribute=2 mode=loud": "'public', 'private', 'blind', 'secret' or 'gm'",
    "roll direct attribute=2 as": "'as' needs a name after it",
    "roll direct attribute=2 as zoe": "there is no character 'zoe'",
    "roll direct attribute=2 for zoe": "there is no seat 'zoe'",
    "roll direct attribute=2 hidden=luck": "luck",
    "throw": "there is no roll to throw for kim now",
    "throw kim/7": "there is no roll 'kim/7'; no rolls yet",
    "throw 0x1": "there is no roll",
    "answer": "there is no roll to answer",
    "undo": "no decision to take back",
    "finalise": "there is no roll to finalise",
    "look": "no rolls yet",
    "odds": "nothing is declared yet",
    "judge you win": "there is no roll to judge",
    "reveal": "there is no roll to reveal",
    "correct target=2": "there is no roll to correct",
    "seat zoe gamer": "'gamer' is not a role; it can be player, gm or watcher",
    "seat kim player": "already has a seat",
    "request zoe direct": "there is no seat 'zoe'",
    "request": "whom, and for what?",
    "request kim direct": "is not a player here",
    "accept ann": "",
    "refuse": "whose proposal?",
    "settle": "there is no request to settle",
    "contest opposed": "of which rolls?",
    "contest opposed kim/1": "there is no roll",
    "challenge opposed ann bob": "has declared nothing and was not asked",
    "call direct": "call is not possible for kim now",
    "call off": "there is no contest to call off",
    "bring": "whom? bring NAME",
    "bring zoe": "there is no character 'zoe'",
    "bring corvin": "there is no character 'corvin'",
    "sheet": "there are no characters yet",
    "adjust": "whose points?",
    "use": "",
    "harm": "who is harmed?",
    "harm zoe 3": "there is no character 'zoe'",
    "equip": "whose?",
    "house rules tie=maybe": "tie",
    "visibility": "rolls are public now",
    "visibility loud": "public",
    "fix 2": "there is no fight",
    "fix many": "is not a number",
    "act": "there is no fight",
    "next": "next is not possible for kim now",
    "end fight": "end fight is not possible for kim now",
    "interrupt": "there is nothing to interrupt",
    "stance": "no stances",
    "pace": "no paces",
    "respond": "knows no answer",
    "fight wolf:fast": "is not a number",
    "log many": "is not a number",
    "log 0": "numbered from 1",
    "verify nowhere.log": "nowhere.log",
    "help dance": "there is no word 'dance'",
    "it's a 'trap": "there is no word",
}


@pytest.fixture(scope="module")
def idle_table(tmp_path_factory: pytest.TempPathFactory) -> ScriptedTable:
    night = ScriptedTable(tmp_path_factory.mktemp("idle_table"), "uwr")
    night.play_ok(*SEATS)
    return night


@pytest.mark.parametrize("line", every_nth_in_test(WRONG, 3))
def test_wrong_input_is_refused_in_one_message_without_effect(line: str, idle_table: ScriptedTable) -> None:
    before = idle_table.kinds()
    said = idle_table.play(line)
    assert said.status in (2,), said.out
    assert said.err.startswith("line 1: handful: ")
    assert WRONG[line] in said.err
    assert len(said.err.splitlines()) <= 2
    assert "bug in handful" not in said.err
    assert idle_table.kinds() == [*before, "epoch_begun"], "opened, and nothing else"


def test_a_seat_cannot_change_a_roll_it_does_not_see(tmp_path: Path) -> None:
    night = ScriptedTable(tmp_path, "uwr")
    night.play_ok(*SEATS, "declare direct attribute=2 mode=private")
    for line in ("line kim/1 favor=1", "correct kim/1 target=2", "throw kim/1", "judge kim/1 no"):
        said = night.refused("seat ann", line)
        assert "ann does not see what kim/1 checks" in said or "is not possible here now" in said
    assert "something, not for your eyes" in night.play_ok("seat ann", "log", "look kim/1")


def test_a_script_goes_on_after_a_refusal_but_not_in_the_wrong_seat(tmp_path: Path) -> None:
    night = ScriptedTable(tmp_path, "uwr")
    said = night.play("dance", "# a remark", "", *SEATS, "seat zoe", "roll direct attribute=2")
    assert said.status == 2
    assert [line.partition(": ")[0] for line in said.err.splitlines()[:1]] == ["line 1"]
    assert "line 7: " in said.err
    assert "the script ends here" in said.err
    assert "roll_declared" not in night.kinds()


def test_an_export_never_overwrites_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    night, log = ScriptedTable(tmp_path, "uwr"), "kim.log"
    night.play_ok(*SEATS, f"export {log}", "roll direct attribute=2", f"export {log}")
    assert run_cli(["verify", str(log)]).status == 0
    (tmp_path / "letter.txt").write_text("dear all\n")
    assert "already exists" in night.refused("export letter.txt")
    assert (tmp_path / "letter.txt").read_text() == "dear all\n"
    assert "cannot be written" in night.play(f"export {tmp_path}/no/where.log").err


# -- files


def test_a_game_opens_a_table_in_memory_and_a_path_one_on_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "uwr> seats\n  you  GM\n" in run_cli("play uwr", "seats\n").out  # a table in memory
    assert not list(tmp_path.iterdir())
    assert "evening (uwr): kim, GM" in run_cli("play --new evening.handful --game uwr --gm kim").out
    assert "evening (uwr): kim, GM" in run_cli("play evening.handful").out
    Path("evening.handful").rename("evening.sav")
    assert "evening (uwr): kim, GM" in run_cli("play evening.sav").out
    said = run_cli("play evening")
    assert said.status == 2
    assert "a table is a file, such as evening.handful" in said.err
    assert "is a table" in run_cli("play evening.sav direct").err
    assert "name its file" in run_cli("play --game uwr").err
    assert "--new, --game" in run_cli("play uwr --gm kim").err


def test_a_new_table_names_its_missing_options(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    said = run_cli("play new.handful")
    assert said.status == 2
    assert "a new table needs --game GAME and --gm NAME" in said.err
    assert "there is no ruleset" in run_cli("play new.handful --game chess --gm kim").err
    assert "without /" in run_cli("play new.handful --game uwr --gm a/b").err
    assert not list(tmp_path.iterdir())
    assert run_cli("play new.handful --game uwr --gm kim").status == 0
    assert "already exists" in run_cli("play --new new.handful --game uwr --gm kim").err
    assert "already exists" in run_cli("play new.handful --game uwr").err
    assert "there is no seat 'zoe'" in run_cli("play new.handful --seat zoe").err
    second = run_cli("play --new new.handful --table second --game agga --gm kim")
    assert "second (agga)" in second.out
    assert "name one: new or second" in run_cli("play new.handful").err
    assert "second (agga)" in run_cli("play new.handful --table second").out


def test_a_foreign_or_damaged_file_is_refused_unchanged(tmp_path: Path) -> None:
    bad = tmp_path / "bad.handful"
    bad.write_bytes(b"no database at all, but long enough to be looked at" * 50)
    before = bad.read_bytes()
    said = run_cli(["play", str(bad)])
    assert said.status == 1
    assert str(bad) in said.err
    assert bad.read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 1


def test_two_screens_at_one_table(tmp_path: Path) -> None:
    """Events of another process show up at the next line, and no key is used twice."""
    from handful.cli.repl.repl import Repl

    night = ScriptedTable(tmp_path, "uwr")
    night.play_ok(*SEATS)
    here, there = (Repl(open_table(night.file), "kim", interactive=False) for _ in range(2))
    there.run_line("roll direct attribute=2 faces=1,1")
    here.run_line("roll direct attribute=2 faces=5,5")
    there.run_line("roll direct attribute=2 faces=6,6")
    here.read_events()
    assert [one["roll"] for one in here.view()["rolls"]] == ["kim/1", "kim/2", "kim/3"]
    assert "kim/3 is final: 2 successes (no target)" in here.unread["kim"]
    for one in (here, there):
        one.stored.store.close()


def test_a_derived_game_offers_the_characters_of_its_base(
    tmp_path: Path,
) -> None:
    """A brew has no file, so no characters beside it; what it extends has, and they fit."""
    night = ScriptedTable(tmp_path, "")
    head = 'language = 1\nid = "sixes"\nextends = "uwr"\n[title]\nen = "Sixes"\n'
    brew = read_draft_ruleset(head + '[about]\nen = "UWR, changed."\n')
    store = SQLiteStore(str(night.file), create=True)
    opened = TableHeader("night", f"{DRAFT_PREFIX}sixes", bytes(32), brew.hash)
    store.save_rules(brew.hash, stored_texts(brew))
    store.create_table(opened)
    StoredTable(store, opened, brew.rules, now).do("kim", Command("open", "open", {"table": "Night"}))
    store.close()
    night.made = True
    night.play_ok("bring mira")
    (mira,) = night.view("kim")["characters"]
    assert (mira["name"], mira["owner"]) == ("Mira Quill", "kim")
    assert "there is mira, sentry or tove" in night.refused("bring nobody")
    evening = Repl(open_table(night.file), "kim", interactive=False)
    assert evening.completions(["bring"], "") == ["mira", "sentry", "tove"]
    evening.stored.store.close()


def test_every_throw_mixes_in_randomness_of_this_device(tmp_path: Path) -> None:
    night = ScriptedTable(tmp_path, "uwr")
    night.play_ok(
        "roll direct attribute=3",
        "declare direct attribute=3",
        "throw entropy=abracadabra",
        "roll direct attribute=2 faces=6,6",
    )
    kept = open_table(night.file)
    thrown = [one["data"]["entropy"] for one in kept.store.read("night") if one["kind"] == "dice_thrown"]
    kept.store.close()
    first, second, typed = thrown
    assert re.fullmatch("[0-9a-f]{32}", first)
    assert re.fullmatch("[0-9a-f]{32}abracadabra", second)
    assert first != second[:32]
    assert typed == ""


def test_a_check_and_its_throw_are_one_command(tmp_path: Path) -> None:
    night = ScriptedTable(tmp_path, "uwr")
    night.play_ok(
        "roll direct attribute=3 target=2", "roll direct attribute=2 faces=5,1", "correct faces=5,2"
    )
    message = night.refused("roll direct attribute=2 faces=5,7")
    assert "a d6 shows 1 to 6, not 7" in message
    kept = open_table(night.file)
    entries = [one for one in kept.store.read("night") if "roll" in one["data"]]
    kept.store.close()
    rolls = {one["data"]["roll"]: one["command"]["key"] for one in entries if one["kind"] == "roll_declared"}
    assert [*rolls] == ["kim/1", "kim/2"], "a refused throw leaves no roll"
    for one in entries:
        if one["kind"] in ("dice_thrown", "roll_finalised"):
            assert one["command"]["key"] == rolls[one["data"]["roll"]]
    entropies = [one["data"]["entropy"] for one in entries if one["kind"] == "dice_thrown"]
    assert [len(one) for one in entropies] == [32, 0], "of this device, for dice of the table"
