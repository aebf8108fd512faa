"""Amounts of work: sample sizes and parameters of `make test` and of `make proof`.

A test that uses `sample` is marked `sampled`, so that both commands run it.
`make proof` sets `HANDFUL_PROOF=1`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import pytest

FULL = os.environ.get("HANDFUL_PROOF") == "1"


def sample(small: int, full: int) -> int:
    """Return `small` in `make test` and `full` in `make proof`."""
    return full if FULL else small


def rest_in_proof(values: Iterable[Any], keep: int = 1) -> list[Any]:
    """Return parameters of which `make test` runs the first `keep` and `make proof` the others."""
    return [
        value if place < keep else pytest.param(value, marks=pytest.mark.proof)
        for place, value in enumerate(values)
    ]
