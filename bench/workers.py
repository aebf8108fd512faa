"""Starts one worker process per library and style, and sends it requests."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from types import TracebackType
from typing import Any, NamedTuple

import environments
from cases import IDIOM, STYLES


class Contender(NamedTuple):
    """A library used in one style."""

    library: str
    style: str = IDIOM

    def __str__(self) -> str:
        return self.library if self.style == IDIOM else f"{self.library}, {self.style}"


OURS = Contender("handful")
CONTENDERS = (OURS, *(Contender(name, style) for style in STYLES for name in environments.PEERS))


class Worker:
    """Worker process of one library, in the library's own environment."""

    def __init__(self, contender: Contender) -> None:
        self.contender = contender
        # a fixed hash seed: sets have the same order in every run
        environment = {**os.environ, "PYTHONHASHSEED": "0"}
        environment.pop("PYTHONPATH", None)
        self._process = subprocess.Popen(
            [
                str(environments.python(contender.library)),
                str(environments.BENCH / "worker.py"),
                *contender,
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )

    def ask(self, do: str, **rest: Any) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps({"do": do, **rest}), file=self._process.stdin, flush=True)
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self.contender} ended while it was asked to {do} {rest}")
        return json.loads(line)

    def __enter__(self) -> Worker:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


Workers = Mapping[Contender, Worker]
