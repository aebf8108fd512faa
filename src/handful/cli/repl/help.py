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
from handful.errors import Refused, did_you_mean
from handful.rules.params import normalize_name

if TYPE_CHECKING:
    from handful.cli.repl.repl import Repl

Words = Sequence[str]
FIELD_HELP = {
    "as NAME": "who makes it; as nobody: plain numbers",
    "vs, with": "a further side, or a further member, in checks that have some",
    "against NAME": "in a fight: the target, whose Defense counts",
    "item=ITEM": "what is used: no more often in a round than equip says, and not while it is hot",
    "task=WORDS": "what is tried: a failed try makes the next one harder",
    "spends=COST": "in a fight: action, reaction, interruption, resistance or nothing",
    "interrupts=ROLL": "in a fight: it comes before the result of that roll",
    "answers=ROLL": "in a fight: the game's answer to that roll, such as a parry",
    "title=WORDS": "what it is about; the title names the roll, too",
    "mode=MODE": "who sees it: public, private, blind, secret or gm",
    "hidden=PARAMETER": "GM: players do not see this parameter, such as hidden=target",
    "for=SEAT": "GM: somebody else rolls it",
    "off=1,2": "GM: these lines of a sheet do not count; look numbers them",
    "faces=6,3,1": "what your own dice show; dice asks for them",
    "entropy=WORDS": "words of yours that go into the table's dice",
}


def show_help(repl: Repl, words: Words) -> None:
    """List all commands by topic, or explain a topic, a command or a check."""
    if words:
        echo("\n".join(_help_lines(repl, words)))
        return
    rules, lines = repl.rules, []
    for part in TOPICS:
        names = [name for name, word in REPL_COMMANDS.items() if word.topic == part]
        names += fights.response_names(rules) if part == FIGHT else []
        lines += [layout.apply_style(part, "bold"), *layout.wrap_text(", ".join(names), 2)]
    lines += [layout.apply_style("checks", "bold"), *layout.wrap_text(", ".join(playable_checks(rules)), 2)]
    enter = "rolls again" if repl.is_solo else "says what you may do now"
    more = (
        f"help roll explains a word, help {TOPICS[0]} a part, help {playable_checks(rules)[0]} a check.  "
        f"Enter alone {enter}.  Names may be shortened: mira for ann/Mira Quill; a roll left out "
        "is the last one.  Tab completes."
    )
    echo("\n".join([*lines, "", *layout.wrap_text(more, 0)]))


def _help_lines(repl: Repl, words: Words) -> list[str]:
    rules = repl.rules
    lines: list[str] = []
    wanted = normalize_name(" ".join(words))
    for part in TOPICS:
        if wanted in (normalize_name(part), normalize_name(part).removeprefix("the_")):
            rows = [(name, word.summary) for name, word in REPL_COMMANDS.items() if word.topic == part]
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
        raise Refused(f"there is no word {shorten_word(' '.join(words))!r} here; help lists them", meant)
    return lines


def _command_help(repl: Repl, word: ReplCommand) -> list[str]:
    lines = layout.wrap_text(word.usage, 2, 6) + layout.wrap_text(word.summary, 4)
    if word.aliases:
        lines += layout.wrap_text(f"also: {', '.join(word.aliases)}", 4)
    example = fill_example(repl, word.example)
    lines += layout.wrap_text(f"such as: {example}" if example else "this game has none", 4, 6)
    return lines + (
        layout.columns(list(FIELD_HELP.items()), indent=4) if word is REPL_COMMANDS["roll"] else []
    )
