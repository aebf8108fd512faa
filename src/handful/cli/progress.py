"""A progress bar for work that takes a while: on standard error, where somebody watches it."""

from __future__ import annotations

import sys
from time import monotonic
from types import TracebackType
from typing import Any

DELAY = 0.5  # seconds without a bar


class ProgressBar:
    """A bar that shows itself only when the work takes longer than a moment."""

    def __init__(self, what: str = "rolling") -> None:
        self._what = what
        self._began = monotonic()
        self._watched = sys.stderr is not None and sys.stderr.isatty()
        self._bar: Any = None

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def update(self, done: int, count: int) -> None:
        """So much is done, of so much."""
        if self._bar is None:
            if not self._watched or done >= count or monotonic() - self._began < DELAY:
                return
            self._bar = _bar()
            self._task = self._bar.add_task(self._what, total=count)
            self._bar.start()
        self._bar.update(self._task, completed=done)


def _bar() -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn
    from rich.progress import TimeRemainingColumn as Remaining

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        Remaining(),
        console=Console(stderr=True),
        transient=True,
    )
