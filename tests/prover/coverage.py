"""Which instructions of the language and which lines of the solver a run has met.

Tracing is slow, so only the games of some seeds are traced.
"""

from __future__ import annotations

import ast
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import handful.solver
from prover.games import Game

SOLVER = Path(handful.solver.__file__).parent


class Coverage:
    """Words of the language that games used, and lines of the solver that were run."""

    def __init__(self, *, each: int = 0) -> None:
        """Trace the games of one in `each` seeds; of none unless given."""
        self._each = each
        self.words: set[str] = set()
        self._lines: set[tuple[str, int]] = set()
        self._traced = 0

    def note(self, game: Game) -> None:
        """Note what a game's rules call and which statements they have."""
        for part in game.toml.split('does = """')[1:]:
            for node in ast.walk(ast.parse(part.split('"""')[0])):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                    word = node.func.id
                    named = node.keywords if word in ("roll", "reroll", "choose", "ask") else []
                    self.words |= {word, *(f"{word}({one.arg} = …)" for one in named)}
                elif isinstance(node, (ast.For, ast.While, ast.If, ast.IfExp, ast.AugAssign)):
                    self.words.add(type(node).__name__.lower())

    @contextmanager
    def of(self, seed: int) -> Iterator[None]:
        """Trace what is run inside, for some seeds."""
        if not self._each or seed % self._each:
            yield
            return
        self._traced += 1
        threading.settrace(self._trace)
        sys.settrace(self._trace)
        try:
            yield
        finally:
            sys.settrace(None)
            threading.settrace(None)  # type: ignore[arg-type]

    def _trace(self, frame: FrameType, event: str, arg: Any) -> Any:
        if not frame.f_code.co_filename.startswith(str(SOLVER)):
            return None
        self._lines.add((frame.f_code.co_filename, frame.f_lineno))
        return self._trace

    def add(self, other: Coverage) -> None:
        self.words |= other.words
        self._lines |= other._lines
        self._traced += other._traced

    def lines(self) -> list[str]:
        """The figures, for a summary."""
        arms = _arms()
        taken = len(arms & self._lines)
        share = f"{taken:,} of {len(arms):,}" if self._traced else "not traced:"
        return [
            f"{len(self.words)} words of the language: {', '.join(sorted(self.words))}",
            f"{share} arms of branches in the solver, in {self._traced} traced games",
        ]

    def missed(self) -> list[str]:
        """Branches of the solver that no traced game has taken."""
        return [f"{Path(file).relative_to(SOLVER)}:{line}" for file, line in sorted(_arms() - self._lines)]


def _arms() -> set[tuple[str, int]]:
    """The first line of each arm of each branch, as far as it has a line of its own."""
    found = set()
    for path in SOLVER.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        run = _run_lines(compile(text, str(path), "exec"))
        for node in ast.walk(ast.parse(text)):
            bodies = [getattr(node, "body", []), getattr(node, "orelse", [])]
            if isinstance(node, ast.Match):
                bodies = [case.body for case in node.cases]
            elif not isinstance(node, (ast.If, ast.While, ast.For)):
                continue
            found |= {(str(path), body[0].lineno) for body in bodies if body and body[0].lineno in run}
    return found


def _run_lines(code: CodeType) -> set[int]:
    lines = {line for _, _, line in code.co_lines() if line}
    for one in code.co_consts:
        if isinstance(one, CodeType):
            lines |= _run_lines(one)
    return lines
