"""Amounts of work: sample sizes and parameters of `make test` and of `make proof`.

A test that uses `sample` is marked `sampled`, so that both commands run it.
`make proof` sets `HANDFUL_PROOF=1`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import pytest
from _pytest.mark import ParameterSet

FULL = os.environ.get("HANDFUL_PROOF") == "1"


def sample(small: int, full: int) -> int:
    """Return `small` in `make test` and `full` in `make proof`."""
    return full if FULL else small


def rest_in_proof(values: Iterable[Any], keep: int = 1) -> list[Any]:
    """Return parameters of which `make test` runs the first `keep` and `make proof` the others."""
    return [only_in_proof(value) if place >= keep else value for place, value in enumerate(values)]


def every_nth_in_test(values: Iterable[Any], step: int) -> list[Any]:
    """Return parameters of which `make test` runs one in `step` and `make proof` the others."""
    return [only_in_proof(value) if place % step else value for place, value in enumerate(values)]


def only_in_proof(value: Any) -> ParameterSet:
    """Return a parameter that `make test` leaves out."""
    if isinstance(value, ParameterSet):
        return value._replace(marks=[*value.marks, pytest.mark.proof])
    return pytest.param(value, marks=pytest.mark.proof)
