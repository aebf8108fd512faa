"""Generate docs/reference.md and docs/schemas/ from the code, and the cookbook's ruleset.

A test fails when they are out of date.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

TOP = Path(__file__).parents[1]
sys.path.insert(0, str(TOP / "src"))

from handful.catalogue import FIELD, catalogue  # noqa: E402
from handful.errors import Message  # noqa: E402
from handful.rules.diagnostics import UNKNOWN_CODE, lint_code  # noqa: E402
from handful.rules.file_format import FIELDS  # noqa: E402
from handful.rules.language_reference import GROUPS  # noqa: E402
from handful.rules.schema import FILES, schema  # noqa: E402

HEAD = """# Reference of the rule language

*For anyone writing a game who looks up a word, a field or a mistake.*

Made from the code by `tools/reference.py`.
[language.md](language.md) explains the same in order; [tutorial.md](tutorial.md) builds a game.
"""
COOKBOOK = """# The recipes of docs/cookbook.md, put together by tools/reference.py.

language = 2
id = "cookbook"

[title]
en = "Cookbook"
[about]
en = "Ten things that people do with dice, each as a whole small check."
"""
TITLES = {
    "ruleset": "The file",
    "option": "[options.name]",
    "decision": "[decisions.name]",
    "rule": "[rules.name]",
    "check": "[checks.name]",
    "sides": "[checks.name.sides]",
    "param": "[checks.name.params.name]",
    "sheet": "[sheet]",
    "attribute": "[sheet.attributes.name], [sheet.attribute]",
    "skill form": "[sheet.skill]",
    "proficiency form": "[sheet.proficiency]",
    "proficiency": "[sheet.proficiencies.name]",
    "derived": "[sheet.derived.name]",
    "resource": "[sheet.resources.name]",
    "use": "[sheet.resources.name.uses.name]",
    "condition": "[sheet.conditions.name]",
    "trait": "[sheet.traits.name], [sheet.untrained]",
    "item form": "[sheet.item]",
    "pick": "[sheet.picks.parameter]",
    "creation": "[sheet.creation]",
    "budget": "[sheet.creation.budgets.name]",
    "start": "[sheet.creation.start]",
    "quick": "[sheet.creation.quick.name]",
    "rounds": "[rounds]",
    "settings": "[rounds.settings]",
    "retries": "[rounds.retries]",
    "pace": "[rounds.paces.name]",
    "stance": "[rounds.stances.name]",
    "answer": "[rounds.answers.name]",
    "attack": "[rounds.attacks.name]",
    "follow-up": "[rounds.attacks.name.damage], [rounds.attacks.name.resist]",
    "case": "cases.toml: [[case]]",
    "claim": "claims.toml: [[claim]]",
    "character": "A character (.json)",
}


def page() -> str:
    return "\n".join([HEAD, *_words(), *_fields(), *_codes(), *_schemas()])


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _words() -> Iterator[str]:
    for title, entries in GROUPS.items():
        yield from (f"## {title}", "", "| written | means |", "|---|---|")
        for forms in entries.values():
            yield from (f"| `{_cell(form)}` | {_cell(text)} |" for form, text in forms)
        yield ""


def _fields() -> Iterator[str]:
    yield from ("## Fields of files", "")
    for part, fields in FIELDS.items():
        yield from (f"### {TITLES[part]}", "", "| field | holds | for |", "|---|---|---|")
        for name, (kind, text) in fields.items():
            yield f"| `{name}` | {_holds(kind)} | {_cell(text)} |"
        yield ""


def _holds(kind: str) -> str:
    kind = {"rules": "a rule text", "any": "a value"}.get(kind, kind)
    if kind.startswith("each "):
        inside = _holds(kind.removeprefix("each "))
        return f"a table, {inside} for each name"
    return kind.replace("list ", "list of ")


def _codes() -> Iterator[str]:
    yield from (
        "## Mistakes",
        "",
        "What `handful lint` can say; `handful lint --json` gives the code with it.",
        "",
    )
    yield from ("| code | messages |", "|---|---|")
    for code, messages in _mistakes().items():
        yield f"| `{code}` | {'<br>'.join(map(_cell, messages))} |"
    yield ""


def _mistakes() -> dict[str, list[str]]:
    """Return the messages of each lint code, with … for what is put in."""
    found: dict[str, list[str]] = {}
    for code, text in catalogue("en").texts.items():
        if (name := lint_code(Message(code))) != UNKNOWN_CODE:
            shown = text if isinstance(text, str) else text[-1]
            found.setdefault(name, []).append(FIELD.sub("…", shown))
    return found


def _schemas() -> Iterator[str]:
    yield from (
        "## JSON Schema",
        "",
        "Editors complete and check a TOML file whose first line names its schema:",
        "`#:schema ruleset.schema.json`.",
        "`handful schema ruleset` prints it, and so for:",
        "",
    )
    yield from (f"- {{download}}`{file}.json <schemas/{file}.json>`" for file in FILES)
    yield ""


def cookbook() -> str:
    """Return the recipes of docs/cookbook.md as one ruleset."""
    text = (TOP / "docs" / "cookbook.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```toml\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    return "\n".join([COOKBOOK, *blocks])


def main() -> None:
    folder = TOP / "docs" / "cookbook"
    folder.mkdir(exist_ok=True)
    (folder / "ruleset.toml").write_text(cookbook(), encoding="utf-8")
    (TOP / "docs" / "reference.md").write_text(page(), encoding="utf-8")
    folder = TOP / "docs" / "schemas"
    folder.mkdir(exist_ok=True)
    for file in FILES:
        text = json.dumps(schema(file), indent=1, ensure_ascii=False) + "\n"
        (folder / f"{file}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
