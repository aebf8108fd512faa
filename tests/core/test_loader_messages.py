"""Every message of the loader has a file that triggers it, and the lint code that it always had."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from broken_rulesets import BROKEN

from handful.catalogue import catalogue
from handful.errors import Message
from handful.rules.diagnostics import UNKNOWN_CODE, lint_code
from handful.rules.load import BadRuleset, Source, load

# What `handful lint --json` prints for each broken file; programs rely on it.
GOLDEN = json.loads((Path(__file__).parents[1] / "support/lint_codes.json").read_text(encoding="utf-8"))
# Two are variants of another message; the last one is raised for drafts, which are no files.
VARIANTS = {"ruleset.arguments.count_and_row", "ruleset.formula.no_dice_in_rule", "ruleset.unknown-name.base"}


def mistakes(text: str) -> list[Message]:
    try:
        load([Source("broken.toml", text)])
    except BadRuleset as bad:
        return [error.problem for error in bad.errors]
    return []


@pytest.mark.parametrize("code", BROKEN)
def test_every_message_is_shown_by_a_file(code: str) -> None:
    assert code in [problem.code for problem in mistakes(BROKEN[code])]


@pytest.mark.parametrize("code", GOLDEN)
def test_lint_codes_stay_as_they_were(code: str) -> None:
    assert [lint_code(problem) for problem in mistakes(BROKEN[code])] == GOLDEN[code]


def test_every_message_of_the_loader_has_a_file() -> None:
    known = {code for code in catalogue("en").texts if lint_code(Message(code)) != UNKNOWN_CODE}
    assert {*BROKEN} == known - VARIANTS


def test_other_messages_have_a_lint_code_as_well() -> None:
    assert lint_code(Message("roll.finished")) == UNKNOWN_CODE
    assert lint_code(Message("", text="something else")) == UNKNOWN_CODE
