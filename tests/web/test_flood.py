"""A flood of bad requests leaves no memory behind."""

from __future__ import annotations

import gc
import sys
from pathlib import Path

import pytest
from flood import MEGA, Target, kinds, run
from servers import ServerProcess

from handful.web.faults import Fault, drop_tracebacks

COUNT = 3_000


@pytest.mark.proof
@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_a_flood_of_bad_requests_leaves_nothing_behind(tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "tables.db", "--log-level", "warning") as server:
        seat = server.open()["gm"]
        to = Target(server.port, seat.path, seat.token)
        grown = run(to, server.process.pid, COUNT, list(kinds(to)))
    assert grown < 30 * MEGA


def test_an_answered_error_frees_the_objects_of_its_frames() -> None:
    """The frames below keep the errors that they raise, as those of FastAPI do."""

    class Body:
        pass

    def fail(body: Body) -> None:
        try:
            raise ValueError("no JSON")
        except ValueError as cause:
            kept = Fault(422, "bad", "no JSON")
            raise kept from cause

    gc.collect()
    gc.disable()
    try:
        try:
            fail(Body())
        except Fault as fault:
            drop_tracebacks(fault)
        assert not [one for one in gc.get_objects() if type(one) is Body]
    finally:
        gc.enable()
