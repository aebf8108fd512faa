"""A contest is one card: its sides, what each still owes, and why a tie went to whom."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from browser_fights import PATIENCE, FightScene
from playwright.sync_api import Browser, expect
from servers import ServerProcess

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path_factory.mktemp("contests") / "tables.db") as running:
        yield running


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_contest_is_one_card_and_one_click_for_each_player(
    browser: Browser, server: ServerProcess, language: str
) -> None:
    ring = FightScene(browser, server, "uwr", language, f"Contest {language}")
    arm = {"check": "direct", "parameters": {"attribute": 3}, "title": "Arm"}
    ring.do("gm", "request", key="arm", to=["ann", "bob"], **arm)
    sides = [{"request": "gm/arm", "name": one} for one in ("ann", "bob")]
    ring.do("gm", "challenge", key="wrestle", check="opposed", sides=sides)
    with ring as (gm, ann, bob):
        for one in (gm, ann):
            card = one.page.locator("article.contest")
            expect(one.page.locator("article.request")).to_have_count(0)  # the request is part of it
            owed = card.get_by_role("list", name=one.say("contest.owes"))
            expect(owed.get_by_role("listitem")).to_have_text(
                [f"{name}: {one.say('contest.owes_roll')}" for name in ("ann", "bob")]
            )
        ring.do("bob", "declare", key="b", check="direct", request="gm/arm")
        throw = ann.say("contest.owes_throw.other", n=3)
        expect(ann.page.locator(".owes")).to_contain_text(f"bob: {throw}")
        ann.check_screen("what each side owes")
        ann.press(ann.page.locator("article.contest"), "panel.roll")  # declares and throws
        expect(gm.page.locator(".owes").get_by_text("ann")).to_have_count(0)
        assert bob.page.locator("article.contest").count() == 1


def test_the_card_says_why_a_tie_went_to_whom(browser: Browser, server: ServerProcess) -> None:
    ring = FightScene(browser, server, "uwr", title="Tie")
    for seat in ("ann", "bob"):
        three = {"check": "direct", "parameters": {"attribute": 3}}
        ring.do(seat, "declare", key=seat, throw={"faces": [5, 1, 2]}, **three)
    ring.do("gm", "contest", key="tie", check="opposed", rolls=["ann/ann", "bob/bob"])
    with ring as (gm, ann, _):
        for one in (gm, ann):
            card = one.page.locator("article.contest")
            expect(card.locator(".verdict").first).to_have_text(one.say("contest.wins.one", who="bob"))
            expect(card.locator(".reason")).to_have_text(one.say.of("words", "tie_resisting"))
