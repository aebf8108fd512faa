"""Attacks on dice and logs, played, and what `handful verify` says: the rows of a table in docs/table.md."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from itertools import count
from typing import Any

import pytest
from handmade_logs import OTHER_KEY, Line, lines_of, rehashed, text_of
from ruleset_cases import ruleset

from golden import record
from golden.test_golden import entries, rules
from handful.ed25519 import SigningKey
from handful.errors import Refused
from handful.store import MemoryStore, StoredTable, TableHeader
from handful.table import Command, derive_faces, export_log
from handful.table.key_streams import commitment_of
from handful.verifier import Log, report

UWR = ruleset("uwr").rules
ENTROPY = "5a" * 16
EVENING = TableHeader("evening", "uwr", bytes(32))
ASKED = {"check": "direct", "parameters": {"attribute": 6, "target": 2}}


class Evening:
    """A stored table with a GM and two players, and the store that its host has at hand."""

    def __init__(self, store: MemoryStore | None = None, *, again: bool = True) -> None:
        """With `store` the table in it is opened again, by another process, or goes on in the same one."""
        self.count = count(1)
        self.store = store or MemoryStore()
        if store is None:
            self.store.create_table(EVENING)
        self.table = StoredTable(self.store, EVENING, UWR, self.now, has_epoch=not again)
        if store is None:
            self.do("gm", "open", table="evening")
            self.do("gm", "seat", name="ann", role="player")
            self.do("gm", "seat", name="bob", role="player")
        self.table.begin_epoch()

    def now(self) -> str:
        return f"t{next(self.count)}"

    def do(self, seat: str, do: str, key: str = "", **data: Any) -> Any:
        return self.table.do(seat, Command(do, key or f"key {next(self.count)}", data))

    def roll(self, seat: str, name: str, entropy: str = ENTROPY, **data: Any) -> list[int]:
        """Declare and throw, and return the faces."""
        self.do(seat, "declare", key=name, **ASKED, **data)
        return self.throw(seat, f"{seat}/{name}", entropy)

    def throw(self, seat: str, roll: str, entropy: str = ENTROPY) -> list[int]:
        thrown = self.do(seat, "throw", roll=roll, entropy=entropy)
        faces: list[int] = thrown[0].data["faces"]
        return faces

    def log(self, seat: str = "ann") -> list[Line]:
        return lines_of(self.table.export(seat))

    @property
    def key(self) -> SigningKey:
        """The table's private key, which the host can read."""
        return SigningKey(self.store.signing_seed("evening"))

    def copy(self) -> MemoryStore:
        """Return a backup of the file."""
        return deepcopy(self.store)


def said(*logs: list[Line] | str) -> tuple[str, bool]:
    """Return what `handful verify` says about logs, and True if it finds nothing wrong."""
    texts = [log if isinstance(log, str) else text_of(log) for log in logs]
    lines, is_intact = report([Log(f"log {at}", text) for at, text in enumerate(texts, 1)])
    return "\n".join(lines), is_intact


def played() -> Evening:
    evening = Evening()
    evening.roll("ann", "first")
    evening.roll("bob", "his")
    evening.roll("ann", "second")
    return evening


def test_honest_logs_agree() -> None:
    evening = played()
    text, is_intact = said(*(evening.log(seat) for seat in ("gm", "ann", "bob")))
    assert is_intact
    assert "the logs agree" in text
    assert "could have" not in text, "nothing is left in doubt"


# -- a player


def test_the_name_of_a_roll_decides_nothing() -> None:
    """The host gives a player the file; before, three seconds of trying names gave six sixes."""
    file = Evening().copy()
    found = {tuple(Evening(deepcopy(file), again=False).roll("ann", f"name {at}")) for at in range(30)}
    assert len(found) == 1


def test_a_roller_knows_the_commitment_but_not_the_key() -> None:
    evening = Evening()
    evening.do("ann", "declare", key="r", **ASKED)
    shown = text_of(evening.log("ann"))
    key = evening.table.dice.key(evening.table.table.keys.places["ann/r"])
    assert key not in shown
    evening.throw("ann", "ann/r")
    assert key in text_of(evening.log("ann"))


def dropped(lines: list[Line]) -> list[Line]:
    return [one for one in lines if one.get("data", {}).get("roll") != "ann/first"]


def cut(lines: list[Line]) -> list[Line]:
    return [*lines[:-4], lines[-1]]


def typed(lines: list[Line]) -> list[Line]:
    """Change the faces of a roll, and call them physical."""
    for one in lines:
        if one.get("kind") == "dice_thrown" and one["data"]["roll"] == "ann/first":
            one["data"] |= {"faces": [6] * 6, "physical": True, "entropy": ""}
    return lines


def changed(lines: list[Line]) -> list[Line]:
    for one in lines:
        if one.get("kind") == "dice_thrown" and one["data"]["roll"] == "ann/first":
            one["data"] |= {"faces": [6] * 6}
    return lines


@pytest.mark.parametrize("forge", [dropped, cut, typed, changed])
def test_a_player_who_changes_an_export_cannot_sign_it(forge: Callable[[list[Line]], list[Line]]) -> None:
    text, is_intact = said(rehashed(forge(played().log())))
    assert not is_intact
    assert "was not signed by this table" in text


def test_a_player_who_signs_with_another_key_has_another_table() -> None:
    evening = played()
    false = dropped(evening.log())
    false[0]["public_key"] = OTHER_KEY.public_key.hex()
    text, is_intact = said(rehashed(false, OTHER_KEY), evening.log("bob"))
    assert not is_intact
    assert "are signed with different keys: they are of different tables" in text


def test_an_earlier_export_that_passes_for_the_whole_is_shown_by_any_longer_one() -> None:
    """Cutting the end honestly, by keeping an old export, is found by comparing only."""
    evening = Evening()
    evening.roll("ann", "first")
    early = evening.log("ann")
    evening.roll("ann", "bad luck")
    assert said(early)[1]
    text, is_intact = said(early, evening.log("bob"))
    assert is_intact
    assert "the shorter one was exported earlier, or its end was cut off" in text


def test_physical_dice_are_claims_of_whoever_typed_them() -> None:
    evening = Evening()
    evening.do("ann", "declare", key="r", **ASKED)
    evening.do("gm", "throw", roll="ann/r", faces=[6] * 6)
    text, is_intact = said(evening.log("bob"))
    assert is_intact
    assert "6 faces typed by gm: nothing proves physical dice" in text


@pytest.mark.parametrize("name", ["Ann", "\uff41nn", "\u0430nn", "ANN"])
def test_names_that_look_alike_are_refused(name: str) -> None:
    with pytest.raises(Refused, match="looks like 'ann'"):
        Evening().do("gm", "seat", name=name, role="player")


# -- a GM


def test_a_gm_who_takes_a_seat_is_seen_by_it() -> None:
    evening = Evening()
    evening.roll("ann", "mine", mode="secret")
    assert "ann/mine" not in text_of(evening.log("gm"))
    evening.table.record_link("ann", by="gm")()
    text, _ = said(evening.log("ann"))
    assert "gm made a link to the seat of ann" in text
    evening.table.record_link("ann", by="")()
    assert "the host made a link to the seat of ann" in said(evening.log("ann"))[0]


# -- a host with the file


def test_a_host_who_knows_the_key_does_not_know_the_entropy() -> None:
    """The key alone gives other faces than the throw, unless the roller's device sends nothing."""
    evening = Evening()
    evening.do("ann", "declare", key="r", **ASKED)
    key = evening.table.dice.key(evening.table.table.keys.places["ann/r"])
    foreseen = list(derive_faces(key, 0, 6, 6, ""))
    assert evening.throw("ann", "ann/r") != foreseen
    evening.do("bob", "declare", key="r", **ASKED)
    key = evening.table.dice.key(evening.table.table.keys.places["bob/r"])
    assert evening.throw("bob", "bob/r", "") == list(derive_faces(key, 0, 6, 6, ""))
    assert (
        "1 throw without randomness from the roller's device: the host could have known"
        in said(evening.log("bob"))[0]
    )


def test_a_restored_backup_has_other_dice_and_says_so() -> None:
    evening = Evening()
    backup = evening.copy()
    seen = evening.roll("ann", "r")
    restored = Evening(backup)
    assert restored.roll("ann", "r") != seen
    text, is_intact = said(restored.log())
    assert is_intact
    assert "a backup or a copy of it was opened again, with new keys" in text
    text, is_intact = said(evening.log("ann"), restored.log("bob"))
    assert not is_intact
    assert "there a backup was restored, or a copy of the table was played" in text


def test_a_roll_declared_before_a_backup_was_restored_is_named() -> None:
    """Its key was published in the other world, so its entropy can be chosen: only a note tells."""
    evening = Evening()
    evening.do("ann", "declare", key="r", **ASKED)
    backup = evening.copy()
    seen = evening.throw("ann", "ann/r")
    restored = Evening(backup)
    assert restored.throw("ann", "ann/r") == seen
    assert "1 throw after the table was opened again, of a roll declared before" in said(restored.log())[0]


def test_a_second_server_on_a_copy_never_repeats_dice() -> None:
    file = Evening().copy()
    rolls = [tuple(Evening(deepcopy(file)).roll("ann", "r")) for _ in range(5)]
    assert len({*rolls}) == 5


# -- a host with a changed server: the table's key is theirs


def test_a_server_that_leaves_out_a_roll_breaks_the_announced_commitments() -> None:
    evening = played()
    text, is_intact = said(rehashed(dropped(evening.log()), evening.key))
    assert not is_intact
    assert "the commitment of ann/second is not the one announced before" in text


def test_a_server_that_leaves_out_the_last_roll_is_found_by_comparing() -> None:
    evening = played()
    false = rehashed(
        [one for one in evening.log() if one.get("data", {}).get("roll") != "ann/second"], evening.key
    )
    assert said(false)[1]
    text, _ = said(false, evening.log("bob"))
    assert "the shorter one was exported earlier, or its end was cut off" in text


def test_a_server_that_changes_faces_contradicts_the_key() -> None:
    evening = played()
    text, is_intact = said(rehashed(changed(evening.log()), evening.key))
    assert not is_intact
    assert "its key gives" in text


def test_a_server_that_calls_its_dice_physical_says_who_claims_them() -> None:
    evening = played()
    false = rehashed(typed(evening.log()), evening.key)
    text, is_intact = said(false)
    assert is_intact, "only the roller knows that they typed nothing, or a log of somebody else"
    assert "6 faces typed by ann: nothing proves physical dice" in text
    text, is_intact = said(false, evening.log("bob"))
    assert not is_intact
    assert "public line" in text


def test_a_server_that_tells_two_seats_different_things_is_found_by_comparing() -> None:
    evening = played()
    false = evening.log("ann")
    for one in false:
        if one.get("kind") == "roll_declared" and one["data"]["roll"] == "bob/his":
            one["data"]["title"] = "something else"
    forged = rehashed(false, evening.key)
    assert said(forged)[1], "each log alone is sound"
    assert said(evening.log("bob"))[1]
    text, is_intact = said(forged, evening.log("bob"))
    assert not is_intact
    assert "public line" in text
    assert "something else" in text
    heads = [lines[-1]["public"]["digits"] for lines in (lines_of(forged), evening.log("bob"))]
    assert heads[0] != heads[1], "players who read their digits to each other notice it"


def test_a_server_that_chooses_keys_after_it_saw_the_entropy_breaks_the_announcement() -> None:
    """It tries keys until six sixes fall, and rewrites commitment and key."""
    evening = Evening()
    evening.roll("ann", "first")
    lines, tries = evening.log("ann"), count()
    chosen = next(
        key for key in (f"{at:064x}" for at in tries) if derive_faces(key, 0, 6, 6, ENTROPY)[:3] == (6, 6, 6)
    )
    for one in lines[1:-1]:
        data = one["data"]
        match one["kind"]:
            case "roll_declared":
                data["commitment"] = commitment_of(chosen)
            case "dice_thrown":
                data["faces"] = list(derive_faces(chosen, 0, 6, 6, ENTROPY))
            case "roll_finalised":
                data["key"] = chosen
    text, is_intact = said(rehashed(lines, evening.key))
    assert not is_intact
    assert "the commitment of ann/first is not the one announced before" in text


# -- several together


def test_a_host_who_rolls_can_try_entropy_and_no_log_shows_it() -> None:
    """Whoever has the key and sends the entropy chooses: this cannot be proven."""
    evening = Evening()
    evening.do("gm", "declare", key="r", **ASKED)
    key = evening.table.dice.key(evening.table.table.keys.places["gm/r"])
    chosen = next(
        entropy
        for entropy in (f"{at:032x}" for at in count())
        if derive_faces(key, 0, 6, 6, entropy)[:3] == (6, 6, 6)
    )
    assert evening.throw("gm", "gm/r", chosen)[:3] == [6, 6, 6]
    text, is_intact = said(evening.log("ann"), evening.log("bob"), evening.log("gm"))
    assert is_intact
    assert "could have" not in text


def test_a_log_that_everyone_invented_together_verifies() -> None:
    """A log proves nothing to a stranger if host and players agree on it."""
    evening = played()
    logs = [rehashed(typed(evening.log(seat)), evening.key) for seat in ("ann", "bob", "gm")]
    text, is_intact = said(*logs)
    assert is_intact
    assert "6 faces typed by ann" in text


# -- logs of before


def test_an_old_log_is_verified_and_says_what_it_does_not_prove() -> None:
    old = export_log(record.begun(rules("uwr")), entries("uwr"), "ann")
    text, is_intact = said(old)
    assert is_intact
    assert "of format 1 are not signed: whoever exported them could have left out rolls" in text
    assert "with a key that follows from its name: a roller who knew the table's secret" in text
