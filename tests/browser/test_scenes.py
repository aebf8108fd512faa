"""The scene of docs/scenes.md in every game, clicked and typed in Chromium.

Each scene has a request with a proposed skill, a decision by clicking, a ruling, a lie that is
called, a contest with a tie, a check of a group, something that is taken back, a phone that loses
its network in the middle of a decision, a server that is killed in the middle of a contest, and at
the end logs that are exported and verified.  Where a game has no such thing, its scene says what
it has instead.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from browser_players import BrowserPlayer, Scene
from playwright.sync_api import Browser, expect
from servers import ServerProcess

from handful.verifier import verify


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """One for all scenes; each of them kills it once."""
    with ServerProcess(tmp_path_factory.mktemp("scenes") / "tables.db") as running:
        yield running


def killed(server: ServerProcess, *people: BrowserPlayer) -> None:
    """The server dies and comes back; the pages find it by themselves."""
    server.kill()
    for one in people:
        expect(one.page.get_by_text("No connection. Trying again")).to_be_visible()
    server.start()
    for one in people:
        one.is_back()


def exported(*people: BrowserPlayer) -> None:
    """Export the log of every seat; the page and the verifier find it intact."""
    for one in people:
        log = one.side("Log")
        log.get_by_role("button", name="Verify", exact=True).click()
        expect(log).to_contain_text("Log intact")
        one.check_screen("log", checked=one.scene == "uwr")
        with one.page.expect_download() as download:
            log.get_by_role("link", name="Export", exact=True).click()
        assert verify(download.value.path().read_text(encoding="utf-8"))[0] == []
        assert one.faults == []


def test_uwr_over_the_wall(browser: Browser, server: ServerProcess) -> None:
    with Scene(browser, server, "uwr", ann="mira", bob="tove", gm="sentry") as (gm, ann, bob):
        # the GM asks, Ann proposes the skill, the GM accepts
        gm.asks("ann", title="over the wall", Target=4)
        asked = "gm asks for a check: over the wall"
        ann.check_screen("asked", checked=True)
        ann.proposes("over the wall", Attribute="grace", Skill="balance", chance="17%")
        gm.check_screen("proposal", checked=True)
        gm.accepts(asked, "ann")
        climb = "Mira Quill (ann): over the wall"
        # half a die and the narrow skill give a reroll each; one is taken back
        ann.throws(climb, "65421")
        ann.sees(climb, "Keep it", "Reroll 2 dice 4, 2 best")
        ann.rerolls(climb, 4)
        ann.takes_back(climb)
        ann.check_screen("reroll", checked=True)
        ann.loses_the_network()
        ann.rerolls(climb, 2, 1, worth="11%")
        ann.sees(climb, "not confirmed yet")
        ann.gets_network_back()
        ann.throws(climb, "52")
        for one in (gm, ann, bob):
            one.sees(climb, "Failure", "3 successes", "1 short")
        # what it means is the GM's to say; then the wall turns out to be lower
        gm.judges(climb, "she hangs on the wall, and somebody looks up")
        gm.corrects(climb, "Target", 3, "it is lower on this side")
        for one in (ann, bob):
            one.sees(climb, "Success", "3 successes", "just enough", "somebody looks up")
        gm.check_screen("ruling", checked=True)

        # the sentry lies in secret (U-20, U-23), and Tove doubts it (U-19)
        lie, look = "Sentry (gm): the gate is locked", "Tove Harl (bob): is it?"
        gm.rolls(who="gm/Sentry", title="the gate is locked", mode="gm", Attribute="insight")
        gm.throws(lie, "62")
        bob.calls("is it?", Attribute="insight", Skill="kenning")
        assert "the gate is locked" not in bob.page.content()
        gm.accepts("bob challenges: is it?", "bob")
        bob.throws(look, "531")
        gm.check_screen("call", checked=True)
        gm.settles("bob challenges: is it?", lie, "opposed")
        for one in (ann, bob):  # the lie, not the sentry's sheet
            one.sees("gm: the gate is locked", "revealed", "1 success")
        bob.check_screen("lie", checked=True)

        # a race that ends in a tie, with a server that dies on the way: who resists wins (U-19)
        gm.contests("opposed", "ask ann", "ask bob", title="to the gate")
        ann.proposes("to the gate", Attribute="mettle")
        bob.proposes("to the gate", Character="", Attribute=3)
        for name in ("ann", "bob"):
            gm.accepts("gm asks for a check: to the gate", name)
        ann.throws("Mira Quill (ann): to the gate", "651")
        killed(server, gm, ann, bob)
        gm.check_screen("contest", checked=True)
        bob.throws("bob: to the gate", "256")
        race = "Mira Quill vs bob: Opposed check"
        for one in (gm, ann, bob):
            one.sees(race, "bob wins", "tied")
        bob.check_screen("tie", checked=True)

        # all the guards with one throw, against both (AMB-U13)
        gm.rolls(title="all the guards", Attribute=4)
        gm.throws("gm: all the guards", "6552")
        gm.contests("opposed", "gm: all the guards", "Mira Quill (ann): to the gate", "bob: to the gate")
        hunt = "gm vs Mira Quill vs bob: Opposed check"
        for one in (gm, ann, bob):
            one.sees(hunt, "gm wins", "against Mira Quill: Success · against bob: Success", "1 net")
        gm.check_screen("group", checked=True)
        exported(gm, ann, bob)


@pytest.mark.proof
def test_agga_through_the_river(browser: Browser, server: ServerProcess) -> None:
    """Request a group check whose difficulty only the GM knows."""
    with Scene(browser, server, "agga", ann="ina", bob="dorn") as (gm, ann, bob):
        gm.asks("ann", "bob", title="through the river", Target=2, hidden=["Target"])
        asked = "gm asks for a check: through the river"
        assert "Target" not in ann.card(asked).inner_text()
        ann.proposes("through the river", Attribute="savvy", Skill="rites")
        gm.refuses(asked, "ann", "the river does not listen")
        ann.sees(asked, "the river does not listen")
        ann.check_screen("refused")
        ann.proposes("through the river", Attribute="savvy", Skill="kenning", chance="2 successes on average")
        gm.accepts(asked, "ann")
        # only failed dice are rerolled here, and a locked one says why
        ford = "Ina of the Ferries (ann): through the river"
        ann.throws(ford, "64213")
        locked = ann.card(ford).get_by_role("img", name="shows 6, typed by ann, counts: Only")
        expect(locked).to_have_attribute(
            "title", "Only a die that has failed, each one once unless rerolls stack."
        )
        ann.rerolls(ford, 1)
        ann.takes_back(ford)
        ann.loses_the_network()
        ann.rerolls(ford, 2)
        ann.check_screen("offline")
        ann.gets_network_back()
        ann.throws(ford, "5")
        ann.sees(ford, "2 successes")
        expect(ann.card(ford)).not_to_contain_text("Success")  # enough? she cannot know
        ann.check_screen("hidden target")

        # Bob fetches something to drink: the GM answers and throws for him
        gm.answers_for(asked, "bob", Character="bob/Dorn", Attribute="mettle")
        dorn = "Dorn (bob): through the river"
        gm.throws(dorn, "522", instead_of="bob")
        gm.rerolls(dorn, 2, instead_of="bob")
        gm.throws(dorn, "4", instead_of="bob")
        gm.corrects(dorn, "Favor", 1, "Ina shows him where to step")
        for one in (ford, dorn):
            gm.press(gm.more(one), "Reveal the target")
        for one in (ann, bob):
            one.sees(ford, "Success", "2 successes")
            one.sees(dorn, "Success", "2 successes")
        gm.judges(dorn, "both are across, without a dry thread")
        gm.check_screen("both across")
        expect(gm.page.get_by_role("article", name=asked, exact=True)).to_have_count(0)  # all have answered

        # Ina calls the ferryman's lie
        gm.rolls(title="the last boat is gone", mode="gm", Attribute=3)
        gm.throws("gm: the last boat is gone", "225")
        ann.calls("another one?", Attribute="mettle", Skill="kenning")
        assert "the last boat" not in ann.page.content()
        gm.accepts("ann challenges: another one?", "ann")
        look = "Ina of the Ferries (ann): another one?"
        ann.throws(look, "1151")
        ann.press(ann.card(look), "Keep it")
        gm.settles("ann challenges: another one?", "gm: the last boat is gone", "opposed")
        for one in (ann, bob):
            one.sees("gm: the last boat is gone", "revealed", "1 success")

        # a race back that ends level; AGGA says nothing of ties: they are for whoever resists
        gm.contests("opposed", "ask ann", "ask bob", title="back")
        ann.proposes("back", Character="", Attribute=3)
        bob.proposes("back", Attribute="grace")
        for name in ("ann", "bob"):
            gm.accepts("gm asks for a check: back", name)
        ann.throws("ann: back", "611")
        killed(server, gm, ann, bob)
        bob.throws("Dorn (bob): back", "51")
        for one in (gm, ann, bob):
            one.sees("ann vs Dorn: Opposed check", "Dorn wins", "tied")
        # nobody resists her start (U-21)
        gm.contests("opposed", "ann: back", Uncontested=True)
        ann.sees("ann: Opposed check", "Success")
        bob.check_screen("race")
        exported(gm, ann, bob)


@pytest.mark.proof
def test_fons_on_the_rope(browser: Browser, server: ServerProcess) -> None:
    with Scene(browser, server, "fons", ann="pell", gm="warden") as (gm, ann, bob):
        gm.put(gm.side("Rules"), Several_rerolls_on_one_die="1")
        gm.check_screen("house rules")
        gm.asks("ann", title="over the yard", Difficulty="extreme")
        ann.proposes("over the yard", Attribute="grace", Skill="acrobatics", chance="62%")
        gm.accepts("gm asks for a check: over the yard", "ann")
        rope = "Pell Ashdown (ann): over the yard"
        # the same die twice: at this table rerolls stack
        ann.throws(rope, "6433221")
        ann.rerolls(rope, 4)
        ann.takes_back(rope)
        ann.rerolls(rope, 1)
        ann.throws(rope, "3")
        ann.loses_the_network()
        ann.rerolls(rope, 3, last=True)
        ann.gets_network_back()
        ann.throws(rope, "5")
        for one in (gm, ann, bob):
            one.sees(rope, "Failure", "2 successes", "1 short")
        gm.corrects(rope, "Difficulty", "difficult", "no rain any more")
        gm.judges(rope, "the yard holds its breath")
        for one in (gm, ann, bob):
            one.sees(rope, "Success", "2 successes", "holds its breath")
        ann.check_screen("rope")

        # the Warden bluffs in style, and Pell sees through it
        lie = "The Warden (gm): the cell is empty"
        gm.rolls(who="gm/The Warden", title="the cell is empty", mode="gm", Attribute="style")
        gm.throws(lie, "51")
        ann.calls("really?", Attribute="insight")
        assert "the cell is empty" not in ann.page.content()
        gm.accepts("ann challenges: really?", "ann")
        ann.throws("Pell Ashdown (ann): really?", "661")
        gm.settles("ann challenges: really?", lie, "opposed")
        for one in (ann, bob):  # the lie, not the Warden's sheet
            one.sees("gm: the cell is empty", "revealed", "1 success")

        # he glares at both; Bob is level with him, and that is enough to stand (F-11)
        glare = "The Warden (gm): a glare"
        gm.rolls(who="gm/The Warden", title="a glare", Attribute="fright")
        gm.throws(glare, "65421")
        gm.contests("opposed", glare, "ask ann", "ask bob", title="stand")
        ann.proposes("stand", Attribute="mettle")
        bob.proposes("stand", Attribute=3)
        for name in ("ann", "bob"):
            gm.accepts("gm asks for a check: stand", name)
        ann.throws("Pell Ashdown (ann): stand", "45")
        killed(server, gm, ann, bob)
        bob.throws("bob: stand", "662")
        for one, warden in ((gm, "The Warden"), (ann, "gm"), (bob, "gm")):
            one.sees(
                f"{warden} vs Pell Ashdown vs bob: Opposed check",
                "against Pell Ashdown: Success",
                "against bob: Failure",
            )
        bob.check_screen("glare")
        exported(gm, ann, bob)


@pytest.mark.proof
def test_tuurna_at_the_door(browser: Browser, server: ServerProcess) -> None:
    """No rerolls here: a 5 or 6 brings another die, and the Narrator decides between two Fates."""
    with Scene(browser, server, "tuurna", ann="zejhe", bob="ylir", gm="oruun") as (gm, ann, bob):
        gm.put(
            gm.side("Rules"),
            **{"Several Fates on one Roll: added up, the strongest, or the Narrator decides": "2"},
        )
        gm.asks("ann", title="at the door", Difficulty="moderate")
        ann.proposes("at the door", Level="instinct", Fate="lucky+unlucky")
        gm.accepts("gm asks for a check: at the door", "ann")
        door = "Zejhe (ann): at the door"
        gm.sees(door, "Which Fate rules", "cursed0%", "unlucky16%", "neutral35%", "lucky56%")
        ann.sees(door, "Waiting for Narrator")
        gm.check_screen("fate")
        gm.loses_the_network()
        gm.picks(door, "unlucky")
        gm.gets_network_back()
        gm.takes_back(door)
        gm.picks(door, "lucky 56", "the watch is asleep")
        ann.throws(door, "5213", "4")
        for one in (gm, ann, bob):
            one.sees(door, "Failure", "4 result", "1 short")
        gm.corrects(door, "Difficulty", "easy", "an old door")
        gm.judges(door, "she hears a name, and no more")
        for one in (gm, ann, bob):
            one.sees(door, "Success", "1 over", "a name, and no more")
        ann.check_screen("door")

        # Oruun lies without a blink, and Ylir notices: in a Contest the higher Score wins
        lie = "Oruun the Undying (gm): I have never been here"
        gm.rolls(who="gm/Oruun the Undying", title="I have never been here", mode="gm", Level="communication")
        gm.throws(lie, "311221")
        bob.calls("have you?", Level="tactics")
        assert "never been here" not in bob.page.content()
        gm.accepts("bob challenges: have you?", "bob")
        bob.throws("Ylir (bob): have you?", "341")
        gm.settles("bob challenges: have you?", lie, "contest")
        for one in (ann, bob):
            one.sees("gm: I have never been here", "revealed", "1 result")

        # down the stairs the two are level: both throw again, each their own dice
        gm.contests("contest", "ask ann", "ask bob", title="down the stairs")
        ann.proposes("down the stairs", Level="instinct")
        bob.proposes("down the stairs", Level="endurance")
        for name in ("ann", "bob"):
            gm.accepts("gm asks for a check: down the stairs", name)
        ann.throws("Zejhe (ann): down the stairs", "3311")
        bob.throws("Ylir (bob): down the stairs", "331")
        race = "Zejhe vs Ylir: Contest"
        bob.check_screen("tie")
        ann.throws(race, "3441")
        killed(server, gm, ann, bob)
        bob.throws(race, "311")
        for one in (gm, ann, bob):
            one.sees(race, "Zejhe wins", "Zejhe 3, Ylir 1")
        bob.check_screen("stairs")

        # both creep past the last guard: a group, judged by its weakest
        gm.asks("ann", "bob", title="past the last guard")
        ann.proposes("past the last guard", Level="instinct")
        bob.proposes("past the last guard", Level="tactics")
        for name in ("ann", "bob"):
            gm.accepts("gm asks for a check: past the last guard", name)
        ann.throws("Zejhe (ann): past the last guard", "3431")
        bob.throws("Ylir (bob): past the last guard", "442")
        gm.contests(
            "group", "Zejhe (ann): past", "Ylir (bob): past", What_counts="min", Difficulty="very_easy"
        )
        for one in (gm, ann, bob):
            one.sees("Zejhe with Ylir: Group check", "Success", "Zejhe 3, Ylir 2")
        gm.check_screen("group")
        exported(gm, ann, bob)


@pytest.mark.proof
def test_me_d6_at_the_lock(browser: Browser, server: ServerProcess) -> None:
    """No rerolls here: the GM rules on a 1 of the wild die, and a player may spend a point."""
    with Scene(browser, server, "me-d6", ann="sanna", bob="corvin", gm="raider") as (gm, ann, bob):
        gm.asks("ann", title="the lock", Difficulty="difficult")
        ann.proposes("the lock", Dice="repair", Points_spent=["Medal", "decide after the roll"])
        gm.accepts("gm asks for a check: the lock", "ann")
        lock = "Sanna Vey (ann): the lock"
        ann.throws(lock, "1", "321")
        # both totals of the ruling (D-5)
        gm.sees(lock, "the highest die is canceled", "total 11", "a complication follows", "total 14")
        gm.check_screen("ruling")
        gm.picks(lock, "the highest die is canceled")
        gm.takes_back(lock)
        gm.picks(lock, "everything counts", "sparks, and the lights go out")
        ann.sees(lock, "Spend a Paragon or Renegade point for +3?")
        ann.loses_the_network()
        ann.picks(lock, "a Paragon point: +3")
        ann.gets_network_back()
        ann.press(ann.card(lock), "Finish the roll")
        for one in (gm, ann, bob):
            one.sees(lock, "Success", "17 total", "1 over")
        gm.corrects(lock, "Modifier", 6, "in the dark")
        gm.judges(lock, "it holds, for now")
        for one in (gm, ann, bob):
            one.sees(lock, "Failure", "17 total", "it holds, for now")
        ann.check_screen("lock")

        # the raider claims to be of the crew; a tie would be for whoever acts (D-34)
        lie = "Raider (gm): I am of the crew"
        gm.rolls(who="gm/Raider", title="I am of the crew", mode="gm", Dice="con")
        gm.throws(lie, "3", "4")
        bob.calls("of which crew?", Dice="perception")
        assert "of the crew" not in bob.page.content()
        gm.accepts("bob challenges: of which crew?", "bob")
        look = "Corvin Ade (bob): of which crew?"
        bob.throws(look, "3", "245")
        bob.picks(look, "keep the points")
        bob.press(bob.card(look), "Finish the roll")
        gm.settles("bob challenges: of which crew?", lie, "opposed")
        for one in (ann, bob):
            one.sees("gm: I am of the crew", "revealed", "8 total")

        # who is the better officer needs no dice (D-10), but who is wounded may have none (D-23)
        ann.press(ann.side("Characters"), "Medals: heal 10 hit points")
        gm.contests("compare", "ask ann", "ask bob", title="orders")
        ann.proposes("orders", Dice="command")
        bob.proposes("orders", Dice="command")
        for name in ("ann", "bob"):
            gm.accepts("gm asks for a check: orders", name)
        for one in (gm, ann, bob):
            card = one.sees(
                "Sanna Vey vs Corvin Ade: Comparison", "Corvin Ade wins", "10", "18", "No longer needed"
            )
            expect(card).not_to_contain_text("Waiting for")
        # on the ladder they are equal, and so they roll; a tie is Ann's, who set out first
        gm.contests("compare", "ask ann", "ask bob", title="the ladder")
        ann.proposes("the ladder", Character="", Dice="3D")
        bob.proposes("the ladder", Character="", Dice="3D")
        for name in ("ann", "bob"):
            gm.accepts("gm asks for a check: the ladder", name)
        ann.throws("ann: the ladder", "4", "33")
        killed(server, gm, ann, bob)
        bob.throws("bob: the ladder", "2", "53")
        for one in (gm, ann, bob):
            one.sees("ann vs bob: Comparison", "ann wins", "10 total")
        bob.check_screen("tie")

        # one roll for all the raiders, against both (D-31)
        gm.rolls(title="all of them", Dice="3D")
        gm.throws("gm: all of them", "4", "43")
        gm.contests("opposed", "gm: all of them", "ann: the ladder")
        gm.contests("opposed", "gm: all of them", "Corvin Ade (bob): of which crew?")
        for one in (gm, ann, bob):
            one.sees("gm vs ann: Opposed check", "gm wins", "1 over")
            one.sees("gm vs Corvin Ade: Opposed check", "Corvin Ade wins", "3 short")
        gm.check_screen("group")

        # Corvin's knife: what the raider's Defense is, only the GM knows (D-27)
        gm.shows_sheet("Raider", "own")
        form = bob.panel("Roll", "Roll")
        bob.put(form, Character="bob/Corvin Ade", Difficulty="easy")
        bob.put(form, Check="attack", Target="gm/Raider")
        expect(form.get_by_label("Difficulty")).to_have_value("")  # the target brings it
        bob.check_screen("attack")
        bob.rolls(who="bob/Corvin Ade", title="with the knife", Dice="melee")
        knife = "Corvin Ade (bob): with the knife"
        bob.throws(knife, "5", "44")
        bob.picks(knife, "keep the points")
        gm.sees(knife, "Success", "hidden from players: Defense")
        bob.sees(knife, "total", "partly hidden")
        expect(bob.card(knife)).not_to_contain_text("Success")
        exported(gm, ann, bob)
