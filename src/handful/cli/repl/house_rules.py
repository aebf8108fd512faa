"""Commands about rules: house rules, and switching the table to another ruleset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from handful.cli import layout
from handful.cli.check_request import read_options, shorten_word
from handful.cli.heading import format_value
from handful.cli.prompts import echo
from handful.cli.repl import parsing
from handful.errors import Message, Refused
from handful.library.tables import installed_rules
from handful.rules.params import find_name
from handful.rules.ruleset import Ruleset, localize
from handful.table import preview_rules

if TYPE_CHECKING:
    from handful.cli.repl.repl import Repl

Words = Sequence[str]


def house_rules(repl: Repl, words: Words) -> None:
    """List the house rules, or change some: `house rules name=value`."""
    if not words or "=" not in words[0]:
        chosen = {name: _typed_value(one) for name, one in repl.table.options.items()}
        echo("\n".join(option_lines(repl.rules, chosen, words)))
        return
    repl.submit("house_rules", options=read_options(repl.rules, words))


def rules(repl: Repl, words: Words) -> None:
    """Show the ruleset of the table, or switch to that of a game or file."""
    if not words:
        echo(f"{repl.rules.id} {repl.rules.hash[:12]}")
        return
    read = parsing.parse_words(words)
    game, dismiss = read.first("which? rules GAME, or a path to a ruleset.toml"), read.rest()
    if dismiss not in ("", "dismiss"):
        raise Refused(Message("play.rules_usage", dismiss=shorten_word(dismiss)))
    after, texts = installed_rules(game)
    repl.stored.store.save_rules(after.hash, texts)
    found = preview_rules(repl.table, repl.seat, after.hash)
    for name, reasons in found["unfit"].items():
        echo("\n".join(layout.wrap_text(f"{name} does not fit: {reasons[0]}", 2, 4)))
    if found["unfit"] and not dismiss:
        raise Refused(Message("play.rules_dismiss", game=game))
    repl.submit("rules", hash=after.hash, dismisses=[*found["unfit"]] or None)


def _typed_value(value: Any) -> Any:
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else value


def option_lines(rules: Ruleset, chosen: Mapping[str, str], wanted: Sequence[str] = ()) -> list[str]:
    """Format all house rules with their current values, or one with its explanation."""
    values = rules.resolve_options(chosen)
    if wanted:
        option = rules.options[find_name(" ".join(wanted), rules.options, "option")]
        return [
            f"  {option.name}={format_value(values[option.name])}",
            *layout.wrap_text(f"{localize(option.label)} [{option.expects()}]", 6),
        ]
    rows = [
        (
            f"{name}={format_value(values[name])}",
            f"{option.expects()}" + ("" if values[name] == option.default else "  <- changed"),
        )
        for name, option in rules.options.items()
    ]
    if not rows:
        return ["  this game has no house rules"]
    how = "house rules name=value changes one; house rules name explains it"
    return [*layout.columns(rows), *layout.wrap_text(how, 2)]
