"""Messages and their catalogues: every code has its texts, and texts show what they are given."""

from __future__ import annotations

import ast
import pickle
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import handful
from handful.catalogue import FIELD, LANGUAGES, catalogue, render
from handful.errors import (
    NO_MESSAGE,
    BadCharacter,
    HandfulError,
    Message,
    Refused,
    RuleError,
    TooBig,
    as_message,
    did_you_mean,
    unplaced,
)
from handful.rules.source import BadRuleset

SOURCE = Path(handful.__file__).parent


def calls() -> Iterator[tuple[str, ast.Call]]:
    """Yield every call of `Message` in the source, with its place."""
    for file in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Message" and node.args:
                yield f"{file.relative_to(SOURCE)}:{node.lineno}", node


def fields(text: str | list[str]) -> set[str]:
    forms = [text] if isinstance(text, str) else text
    return {found["name"] for form in forms for found in FIELD.finditer(form) if found["name"]}


ERRORS = {"BadReply", "FileFault", "Refused", "TooBig", "WrongValue"}
# Codes that are passed on, not written.
COMPUTED = {"errors.py", "sheet/entry_reader.py", "web/message_json.py"}


def test_every_code_of_the_source_has_texts_with_its_arguments() -> None:
    english = catalogue("en").texts
    for place, call in calls():
        code, spread = call.args[0], any(one.arg is None for one in call.keywords)
        if not isinstance(code, ast.Constant):
            assert place.partition(":")[0] in COMPUTED, place
        elif code.value:
            assert code.value in english, place
            given = {one.arg for one in call.keywords if one.arg}
            shown = fields(english[code.value])
            assert given - {"count"} <= shown if spread else given == shown | given & {"count"}, place


def test_every_code_of_the_catalogue_is_used() -> None:
    written = {node.value for _, call in calls() for node in ast.walk(call) if isinstance(node, ast.Constant)}
    text = (SOURCE / "errors.py").read_text(encoding="utf-8")
    unused = [code for code in catalogue("en").texts if code not in written and f'"{code}"' not in text]
    assert unused == []


def test_refusals_are_raised_with_codes() -> None:
    for file in sorted((SOURCE / "table").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ERRORS:
                texts = [one for one in node.args if isinstance(one, ast.JoinedStr | ast.Constant)]
                assert not texts, f"{file.name}:{node.lineno} has a text instead of a message"


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_every_language_has_the_same_codes_and_arguments(language: str) -> None:
    english, other = catalogue("en").texts, catalogue(language).texts
    assert english.keys() == other.keys()
    for code, text in english.items():
        assert fields(other[code]) == fields(text), code


def test_codes_are_plain_words() -> None:
    for code in catalogue("en").texts:
        assert re.fullmatch(r"[a-z]+(_[a-z0-9]+)*(\.[a-z]+([_-][a-z0-9]+)*)*", code), code


def test_a_text_shows_names_lists_numbers_and_messages() -> None:
    unknown = Message("name.unknown", what="check", name="dirct", names=["direct", "opposed"])
    assert str(unknown) == "there is no check 'dirct'; there is direct or opposed"
    assert render(unknown, "de") == "Probe 'dirct' gibt es nicht; es gibt direct oder opposed"
    game = {"direct": "Direkte Probe", "opposed": "Vergleichende Probe"}
    assert render(unknown, "de", game).endswith("es gibt Direkte Probe oder Vergleichende Probe")
    assert render(unknown, "de", keep_names=True).startswith("check 'dirct'")
    nested = Message(
        "at", place="n", problem=Message("value.missing", expects=Message("expects.whole_number"))
    )
    assert str(nested) == "n: needs a whole number"
    assert render(nested, "de") == "n: braucht eine ganze Zahl"
    assert str(Message("roll.too_many_throws", most=10_000)).count("10,000") == 1


@pytest.mark.parametrize(("count", "text"), [(1, "1 face"), (2, "2 faces"), (0, "0 faces")])
def test_a_count_has_a_plural(count: int, text: str) -> None:
    assert str(Message("count.face", count=count)) == text


def test_lists_are_cut_and_an_empty_one_is_nothing() -> None:
    assert str(Message("advice.there_is", names=[])) == "there is nothing"
    assert render(Message("advice.there_is", names=()), "de") == "es gibt nichts"
    assert str(Message("advice.there_is", names=(str(n) for n in range(100)))).endswith("59 or …")


def test_a_list_may_have_an_entry_on_each_line() -> None:
    problems = [Message("sheet.missing"), Message("sheet.not_text")]
    assert str(Message("character.further_mistakes", problems=problems)) == "is missing\nmust be a text"


def test_texts_of_libraries_are_translated_if_they_are_known() -> None:
    known = Message("foreign_text", text="Invalid value (at line 3, column 5)")
    assert str(known) == "Invalid value (at line 3, column 5)"
    assert render(known, "de") == "das ist kein Wert (Zeile 3, Spalte 5)"
    assert render(Message("foreign_text", text="Xyzzy"), "de") == "Xyzzy"


def test_a_message_without_code_is_its_text() -> None:
    assert str(as_message("as it is")) == "as it is"
    assert render(as_message("ja {x}"), "de") == "ja {x}"
    assert not NO_MESSAGE
    assert not as_message("")
    assert as_message("x")


def test_messages_are_values() -> None:
    one = Message("did_you_mean", name="direct")
    assert one == Message("did_you_mean", name="direct") != Message("did_you_mean", name="other")
    assert {one: 1}[Message("did_you_mean", name="direct")] == 1
    assert pickle.loads(pickle.dumps(one)) == one
    assert repr(one) == "Message('did_you_mean', name='direct')"
    with pytest.raises(AttributeError):
        one.code = "other"


def test_an_error_has_a_code_and_english_texts() -> None:
    error = Refused(Message("roll.finished"), did_you_mean("dirct", ["direct"]))
    assert (error.code, error.hint) == ("roll.finished", "did you mean 'direct'?")
    assert str(error) == error.message == str(Message("roll.finished"))
    assert HandfulError("plain").code == ""
    located = RuleError(Message("rule.division_by_zero"), file="a.toml", line=3)
    assert str(located) == "a.toml:3: division by zero"
    assert unplaced(Message("at", place="n", problem=Message("value.none", name="n"))).code == "value.none"


def test_a_bad_character_counts_its_mistakes() -> None:
    problems = [Message("sheet.missing"), Message("sheet.not_text"), Message("sheet.not_table")]
    assert BadCharacter(problems).message == "the character: is missing"
    assert BadCharacter(problems, "a.json").hint.startswith("and 2 more mistakes: `handful sheet --check")
    assert BadCharacter(problems).mistakes == ("is missing", "must be a text", "must be a table")


@pytest.mark.parametrize(
    "error",
    [
        TooBig(Message("roll.calls_too_deep"), cost=7),
        RuleError(Message("rule.division_by_zero"), hint="x", file="a.toml", line=3),
        BadCharacter([Message("sheet.missing"), Message("sheet.not_text")], "a.json"),
        BadRuleset([RuleError(Message("ruleset.zero.division"), line=2)]),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_reach_another_process_whole(error: HandfulError) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert str(copy) == str(error)
    fields = {name: one for name, one in vars(error).items() if name != "errors"}
    assert {name: one for name, one in vars(copy).items() if name != "errors"} == fields


def test_no_catalogue_is_read_before_a_text_is_shown() -> None:
    code = (
        "import sys, handful.cli.app; from handful.errors import Message, Refused\n"
        "Refused(Message('roll.finished'), 'x')\n"
        "assert 'handful.catalogue' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
