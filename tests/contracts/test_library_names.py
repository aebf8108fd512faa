"""Every library name that documentation has ever shown stays importable, also after a rename."""

from importlib import import_module

import pytest

DOCUMENTED = {
    "handful": ["ruleset"],
    "handful.errors": ["BadReply", "Refused"],
    "handful.library.tables": ["kept_table", "new_table", "open_table"],
    "handful.rounds": ["act", "answer", "begin", "combatant", "end_turn", "fix", "possible"],
    "handful.sheet": ["list_contributions", "told"],
    "handful.table": [
        *["Command", "KeyedDice", "Table", "character_history", "decide", "fold", "history", "legal_actions"],
        *["luck", "odds", "preview", "preview_lines", "preview_sheet", "sketch", "view"],
    ],
    "handful.verifier": ["verify"],
}


@pytest.mark.parametrize("module", DOCUMENTED)
def test_documented_names_exist(module: str) -> None:
    missing = [name for name in DOCUMENTED[module] if not hasattr(import_module(module), name)]
    assert not missing, f"{module} lacks {', '.join(missing)}"
