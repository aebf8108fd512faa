"""Worker processes for untrusted rulesets: limited, and replaced after a fault."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from handful.errors import TooBig
from handful.store import RulesetTexts
from handful.web.faults import Fault
from handful.web.settings import ServerLimits
from handful.web.worker_main import MEMORY_LIMIT
from handful.web.workers import WorkerPool

GREEDY = """
from handful.web.worker_main import serve_stdin

def answered(question):
    if "file" in question:
        with open(question["file"], "w") as file:
            file.write("x")
    held = bytearray(question["bytes"])
    return len(held)

serve_stdin(answered)
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Allocate as much memory as asked, in a worker process."""
    (tmp_path / "greedy.py").write_text(GREEDY)
    before = os.environ.get("PYTHONPATH", "")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [str(tmp_path), before])))
    return "greedy"


async def here() -> bool:
    return False


async def no_texts() -> RulesetTexts:
    return []


def asked(module: str, *questions: dict[str, Any]) -> list[Any]:
    """Return the answer or the exception of each question in turn."""

    async def all_of_them() -> list[Any]:
        pool, found = WorkerPool(ServerLimits(), 1, module), []
        for one in questions:
            try:
                found.append(await pool.submit("somebody", one, no_texts, here))
            except (Fault, TooBig) as error:
                found.append(error)
        await pool.stop()
        return found

    return asyncio.run(all_of_them())


@pytest.mark.skipif(sys.platform == "win32", reason="there is no limit to set")
def test_a_question_beyond_the_memory_limit_is_too_big_and_the_next_is_answered(
    module: str,
) -> None:
    first, then = asked(module, {"bytes": MEMORY_LIMIT}, {"bytes": 7})
    assert isinstance(first, TooBig)
    assert "too much to read" in first.message
    assert then == 7


@pytest.mark.skipif(sys.platform == "win32", reason="there is no limit to set")
def test_nothing_is_written_into_a_file(module: str, tmp_path: Path) -> None:
    file = tmp_path / "written"
    (found,) = asked(module, {"bytes": 1, "file": str(file)})
    assert isinstance(found, Fault)
    assert file.read_text() == ""


def test_rules_are_sent_again_to_a_replaced_worker() -> None:
    rules = [("x.toml", "language = 1")]
    sent: list[Any] = [[["no", "such", "form"]], rules]

    async def texts() -> RulesetTexts:
        return sent.pop(0)  # type: ignore[no-any-return]

    async def twice() -> list[str]:
        pool, said = WorkerPool(ServerLimits(), 1), []
        for _ in range(2):
            try:
                await pool.submit("somebody", {"rules": "x"}, texts, here)
            except Exception as error:
                said.append(getattr(error, "message", ""))
        await pool.stop()
        return said

    broke, read = asyncio.run(twice())
    assert str(broke) == "the odds could not be computed"
    assert "x.toml" in read
