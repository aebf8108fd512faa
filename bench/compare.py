"""Compares the answers of the libraries, so that no wrong answer is ever timed.

Answers must be equal where a library is exact.  Where it truncates an exploding die, every probability may
be off by the tail that was cut.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from cases import MAX_TAIL

Answer = dict[str, Any]
ZERO = Fraction(0)


class Disagree(Exception):
    """Two libraries give different answers to the same case."""


def compare(family: str, cases: Any, answers: dict[str, list[Answer]]) -> None:
    tolerance = Fraction(MAX_TAIL) if family == "wild die" else ZERO
    for place, case in enumerate(cases):
        ours = answers["handful"][place]
        for name in answers:
            if name != "handful":
                _compare_one(ours, answers[name][place], tolerance, f"{family} {case}: {name}")


def _compare_one(ours: Answer, theirs: Answer, tolerance: Fraction, where: str) -> None:
    own, other = _chances(ours), _chances(theirs)
    left = ZERO
    if ours["left"]:  # Handful lists an infinite distribution up to a value; the tail is one figure
        start, *probability = ours["left"]
        left = Fraction(*probability)
        beyond = sum((chance for value, chance in other.items() if value >= start), ZERO)
        other = {value: chance for value, chance in other.items() if value < start}
        if abs(beyond - left) > tolerance:
            raise Disagree(f"{where}: {beyond} beyond {start}, not {left}")
    if sum(own.values(), left) != 1:
        raise Disagree(f"{where}: our chances do not add up to 1")
    for value in own.keys() | other.keys():
        if abs(own.get(value, ZERO) - other.get(value, ZERO)) > tolerance:
            raise Disagree(f"{where}: {other.get(value, 0)} for {value}, not {own.get(value, 0)}")


def _chances(answer: Answer) -> dict[int, Fraction]:
    listed = {value: Fraction(weight, total) for value, weight, total in answer["chances"]}
    return {value: chance for value, chance in listed.items() if chance}
