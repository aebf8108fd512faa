"""The bench's end of the line to the three libraries: one long-lived process each."""

from __future__ import annotations

import json
import os
import subprocess
from types import TracebackType
from typing import Any

import environments


class Worker:
    """A library in its own environment and process."""

    def __init__(self, name: str) -> None:
        self.name = name
        # the same order of sets and dictionaries in every run
        own = {**os.environ, "PYTHONHASHSEED": "0"}
        own.pop("PYTHONPATH", None)
        self._process = subprocess.Popen(
            [str(environments.python(name)), str(environments.BENCH / "worker.py"), name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=own,
        )

    def ask(self, do: str, **rest: Any) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps({"do": do, **rest}), file=self._process.stdin, flush=True)
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self.name} ended while it was asked to {do} {rest}")
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
