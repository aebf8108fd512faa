"""Streams of keys: one audience each, no key twice, and nothing follows from names."""

from __future__ import annotations

from hashlib import sha256
from itertools import product

import pytest

from handful.table import Viewer
from handful.table.key_streams import (
    COMPARISON,
    GM_ONLY,
    OPEN,
    SECRET,
    STREAMS,
    KeyPlace,
    commitment_of,
    derive_key,
    first_commitments,
    sees_stream,
    stream_for,
)
from handful.table.visibility import ALL, MODES, NOTHING, combine_modes

ONE, OTHER = bytes(range(32)), bytes(32)
POSSIBLE = [
    mode
    for names in product(MODES, repeat=2)
    if max((mode := combine_modes(*names)).gm, mode.roller) == ALL  # the others are refused
]


@pytest.mark.parametrize("gm", [False, True])
@pytest.mark.parametrize("roller", [False, True])
def test_whoever_sees_one_declaration_of_a_stream_sees_all(gm: bool, roller: bool) -> None:
    viewer = Viewer("ann" if roller else "bob", "gm" if gm else "player")
    for one in POSSIBLE:
        assert (one.level(viewer, "ann") > NOTHING) == sees_stream(stream_for(one), viewer, "ann")


def test_private_and_blind_rolls_share_a_stream() -> None:
    """Others see the same of both, so the commitment must not tell them apart."""
    assert [stream_for(MODES[name]) for name in ("public", "private", "blind")] == [OPEN] * 3
    assert stream_for(MODES["secret"]) == SECRET
    assert stream_for(MODES["gm"]) == GM_ONLY


def test_no_two_places_have_the_same_key() -> None:
    rollers = ["ann", "bob", "1", "ann\n1", ""]
    places = [
        KeyPlace(1, stream, roller, index)
        for stream in (*STREAMS, COMPARISON)
        for roller in rollers
        for index in (0, 1, 11)
    ]
    keys = {derive_key(secret, place) for secret in (ONE, OTHER) for place in places}
    assert len(keys) == 2 * len(places)


def test_a_commitment_is_the_hash_of_its_key() -> None:
    told = first_commitments(lambda place: derive_key(ONE, place), 1, "ann")
    assert [*told] == [*STREAMS]
    for stream, commitment in told.items():
        key = derive_key(ONE, KeyPlace(1, stream, "ann", 0))
        assert commitment == commitment_of(key) == sha256(bytes.fromhex(key)).hexdigest()


def test_keys_stay_as_they_are() -> None:
    """A change would make rolls that are declared impossible to finish."""
    assert derive_key(ONE, KeyPlace(1, OPEN, "ann", 0)) == (
        "c4a8e2d065498a13f9cd00dbc0fe200020d9262cff1282c5e3316730f48d6d32"
    )
