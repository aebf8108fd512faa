"""The help command: all commands by topic, one command with an example, or a check."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from handful.cli import layout
from handful.cli.catalog import check_text
from handful.cli.check_request import shorten_word
from handful.cli.prompts import echo
from handful.cli.repl import fights
from handful.cli.repl.checks import playable_checks
from handful.cli.repl.commands import FIGHT, REPL_COMMANDS, TOPICS, ReplCommand, command_names, find_command
from handful.cli.repl.examples import fill_example
from handful.cli.repl.parsing import find_check
from handful.errors import Message, Refused, did_you_mean
from handful.rules.params import normalize_name

if TYPE_CHECKING:
    from handful.cli.repl.repl import Repl

Words = Sequence[str]
FIELD_HELP = {
    "as NAME": "who makes the check; as nobody: plain numbers",
    "vs, with": "another side, or another member of the group",
    "against NAME": "in a fight: the target, whose Defense counts",
    "item=ITEM": "the item you use: equip sets how often a round, and not while it is hot",
    "task=WORDS": "what you try: a failed try makes the next one harder",
    "spends=COST": "in a fight: action, reaction, interruption, resistance or nothing",
    "interrupts=ROLL": "in a fight: happens before the result of that roll",
    "answers=ROLL": "in a fight: a response to that roll, such as a parry",
    "title=WORDS": "what it is about; you can call the roll by its title",
    "mode=MODE": "who sees it: public, private, blind, secret or gm",
    "hidden=PARAMETER": "GM: hide a parameter from players, such as hidden=target",
    "for=SEAT": "GM: have someone else roll it",
    "off=1,2": "GM: leave out these lines of the sheet; look numbers them",
    "faces=6,3,1": "what your own dice show; dice asks for them",
    "entropy=WORDS": "add your own randomness to the dice",
}


def show_help(repl: Repl, words: Words) -> None:
    """List all commands by topic, or explain a topic, a command or a check."""
    if words:
        echo("\n".join(_help_lines(repl, words)))
        return
    rules, lines = repl.rules, []
    for topic in TOPICS:
        names = [name for name, word in REPL_COMMANDS.items() if word.topic == topic]
        names += fights.response_names(rules) if topic == FIGHT else []
        lines += [layout.apply_style(topic, "bold"), *layout.wrap_text(", ".join(names), 2)]
    lines += [layout.apply_style("checks", "bold"), *layout.wrap_text(", ".join(playable_checks(rules)), 2)]
    enter = "rolls again" if repl.is_solo else "shows what you can do now"
    more = (
        f"help roll explains a command, help {TOPICS[0]} a topic, help {playable_checks(rules)[0]} a check.  "
        f"Enter on an empty line {enter}.  You can shorten names, such as mira for ann/Mira Quill; "
        "leave out a roll to mean the last one.  Tab completes."
    )
    echo("\n".join([*lines, "", *layout.wrap_text(more, 0)]))


def _help_lines(repl: Repl, words: Words) -> list[str]:
    rules = repl.rules
    lines: list[str] = []
    wanted = normalize_name(" ".join(words))
    for topic in TOPICS:
        if wanted in (normalize_name(topic), normalize_name(topic).removeprefix("the_")):
            rows = [(name, word.summary) for name, word in REPL_COMMANDS.items() if word.topic == topic]
            lines += layout.columns(rows)
    found, _ = find_command(rules, words)
    lines += _command_help(repl, found) if found is not None and not lines else []
    if (check_name := find_check(rules, " ".join(words))) is not None:
        lines += (
            ["", *check_text(rules.checks[check_name])] if lines else check_text(rules.checks[check_name])
        )
    if not lines:
        candidates = [*command_names(rules), *playable_checks(rules), *TOPICS]
        meant = did_you_mean(normalize_name(" ".join(words)), candidates)
        raise Refused(Message("play.unknown_word", word=shorten_word(" ".join(words))), meant)
    return lines


def _command_help(repl: Repl, word: ReplCommand) -> list[str]:
    lines = layout.wrap_text(word.usage, 2, 6) + layout.wrap_text(word.summary, 4)
    if word.aliases:
        lines += layout.wrap_text(f"also: {', '.join(word.aliases)}", 4)
    example = fill_example(repl, word.example)
    lines += layout.wrap_text(f"example: {example}" if example else "this game has none", 4, 6)
    return lines + (
        layout.columns(list(FIELD_HELP.items()), indent=4) if word is REPL_COMMANDS["roll"] else []
    )
