"""Progress bar on standard error, for work that takes longer than a moment."""

from __future__ import annotations

import sys
from time import monotonic
from types import TracebackType
from typing import Any

DELAY = 0.5  # seconds before the bar appears


class ProgressBar:
    """Progress bar that appears only after `DELAY`, and only in a terminal."""

    def __init__(self, label: str = "rolling") -> None:
        self._label = label
        self._started = monotonic()
        self._is_terminal = sys.stderr is not None and sys.stderr.isatty()
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
        """Show that `done` of `count` steps are finished."""
        if self._bar is None:
            if not self._is_terminal or done >= count or monotonic() - self._started < DELAY:
                return
            self._bar = _create_bar()
            self._task = self._bar.add_task(self._label, total=count)
            self._bar.start()
        self._bar.update(self._task, completed=done)


def _create_bar() -> Any:
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
