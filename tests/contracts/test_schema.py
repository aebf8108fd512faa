"""The JSON Schemas accept every shipped file and agree with the loader."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from broken_rulesets import BROKEN
from cli_runner import run_cli
from fuzzing import RULESETS
from toy_rulesets import toml

from handful.explore.claims import FIELDS as CLAIM_FIELDS
from handful.library.cases import FIELDS as CASE_FIELDS
from handful.rules.diagnostics import lint_code
from handful.rules.file_format import FIELDS, REQUIRED_FIELDS, field_names
from handful.rules.load import BadRuleset, Source, load
from handful.rules.schema import _SIMPLE_KINDS, FILES, schema
from handful.sheet.character_reader import FIELDS as CHARACTER_FIELDS

TOP = Path(__file__).parents[2]
SHIPPED = [
    *(("ruleset", file) for file in sorted(RULESETS.rglob("ruleset.toml"))),
    *(("cases", file) for file in sorted(RULESETS.rglob("cases.toml"))),
    *(("claims", file) for file in sorted(RULESETS.rglob("claims.toml"))),
    *(("character", file) for file in sorted(RULESETS.rglob("characters/*.json"))),
    ("ruleset", TOP / "tests" / "languages" / "1.toml"),
    ("ruleset", TOP / "examples" / "rulebook" / "ruleset.toml"),
]
# Mistakes that a schema can see: the wrong name or kind of something, not what it means.
STRUCTURE = {
    "ruleset.unknown-key.key",
    "ruleset.kind.sheet",
    "ruleset.kind.whole_number",
    "ruleset.kind.number",
    "ruleset.kind.truth",
    "ruleset.kind.names",
    "ruleset.kind.formulas",
    "ruleset.kind.params",
    "ruleset.kind.gives",
    "ruleset.kind.off",
    "ruleset.kind.values",
    "ruleset.kind.row",
    "ruleset.kind.unknown",
    "ruleset.wording.missing",
    "ruleset.missing.decider",
    "ruleset.limit.file_number",
    "ruleset.language-missing.version",
    "ruleset.id.missing",
    "ruleset.no-checks.none",
    "ruleset.name.not_a_name",
    "ruleset.limit.source_too_long",
    "ruleset.kind.table",
}


def fits(file: str, data: Any) -> bool:
    return bool(jsonschema_rs.is_valid(schema(file), data))


def read(path: Path) -> Any:
    text = path.read_text(encoding="utf-8")
    return json.loads(text) if path.suffix == ".json" else tomllib.loads(text)


@pytest.mark.parametrize(("file", "path"), SHIPPED, ids=lambda one: str(one)[-40:])
def test_every_shipped_file_fits_its_schema(file: str, path: Path) -> None:
    jsonschema_rs.validate(schema(file), read(path))


@pytest.mark.parametrize("message", sorted(STRUCTURE))
def test_the_schema_refuses_what_the_loader_refuses(message: str) -> None:
    assert not fits("ruleset", tomllib.loads(BROKEN[message]))


def test_the_schema_knows_no_mistakes_of_its_own() -> None:
    """The schema accepts every file whose structure the loader accepts."""
    structure = {"unknown-key", "kind", "wording", "missing", "limit", "name", "id", "no-checks"}
    structure |= {"language-missing", "language-newer", "date", "unshown"}
    tried = 0
    for text in [*BROKEN.values(), toml("result(total = 1)")]:
        try:
            data = tomllib.loads(text)
            load([Source("broken.toml", text)])
        except BadRuleset as bad:
            if structure & {lint_code(error.problem) for error in bad.errors}:
                continue
        except (ValueError, RecursionError):
            continue
        tried += 1
        jsonschema_rs.validate(schema("ruleset"), data)
    assert tried > 50


@pytest.mark.parametrize(
    ("file", "data"),
    [
        ("cases", {"case": [{"name": "a"}]}),
        ("cases", {"case": [{"name": "a", "check": "c", "face": [1]}]}),
        ("cases", {"cases": []}),
        ("claims", {"claim": [{"id": "a", "says": "b", "check": "c", "range": [1]}]}),
        ("character", {"format": "1"}),
        ("character", {"kind": "monster"}),
        ("character", {"nmae": "x"}),
    ],
)
def test_other_files_with_mistakes_do_not_fit(file: str, data: Any) -> None:
    assert not fits(file, data)


def test_the_schema_describes_the_fields_that_are_read() -> None:
    assert field_names("case") == {*CASE_FIELDS}
    assert field_names("claim") == {*CLAIM_FIELDS}
    assert field_names("character") == {*CHARACTER_FIELDS}
    for part, fields in FIELDS.items():
        assert {*REQUIRED_FIELDS.get(part, ())} <= {*fields}
        for name, (kind, text) in fields.items():
            assert text.endswith((".", "`.")), (part, name)
            inside = kind.split(" ", 1)[1] if kind.startswith(("each ", "list ")) else kind
            assert inside in _SIMPLE_KINDS or inside in FIELDS, (part, name, kind)


@pytest.mark.parametrize("file", FILES)
def test_schemas_are_schemas_and_are_published(file: str) -> None:
    made = schema(file)
    jsonschema_rs.meta.validate(made)
    assert run_cli(f"schema {file}").data == made
    kept = TOP / "docs" / "schemas" / f"{file}.json"
    assert json.loads(kept.read_text(encoding="utf-8")) == made, "run tools/reference.py"
