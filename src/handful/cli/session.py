"""`handful` without a command: an interactive roll, or a demonstration without a terminal.

Everything that is asked comes from the ruleset: games, checks, parameters with their ranges and
defaults.  A wrong entry is told and asked again; `q`, Ctrl-D and Ctrl-C leave.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from handful import library
from handful import odds as exact
from handful.cli import paper, rim
from handful.cli.asking import People, entry, people, say
from handful.cli.heading import typed
from handful.cli.play import play
from handful.cli.show_odds import odds_text
from handful.cli.show_roll import roll_text
from handful.cli.supply import Supply
from handful.cli.words import bound_words
from handful.errors import Refused, TooBig, did_you_mean
from handful.roll import Bound
from handful.rules.params import Param, canonical, lookup
from handful.rules.ruleset import Check, Ruleset, text

DEMONSTRATION = [
    "handful odds uwr direct attribute=3.5 skill=2 target=2",
    "handful roll me-d6 check dice=4D+1 difficulty=moderate --seed 8",
]
MOST_PROMPTS = 8  # parameters asked one by one; of longer lists only the most important


def begin() -> None:
    """Lead through rolls, or show what handful does."""
    somebody = people()
    if somebody is None:
        demonstrate()
        return
    try:
        lead(somebody)
    except (rim.Left, KeyboardInterrupt):
        say("\nuntil the next roll")


def demonstrate() -> None:
    """An odds table and a roll, as the commands print them."""
    from handful.cli.app import handful

    for line in DEMONSTRATION:
        say(f"$ {line}\n")
        handful.main(shlex.split(line)[1:], prog_name="handful", standalone_mode=False)
        say("")
    say("In a terminal `handful` leads through a roll; `handful --help` shows the rest.")


def lead(somebody: People) -> None:
    """Game, check, parameters, odds, roll; again until somebody leaves."""
    say("Handful: a roll by the rules, with its exact odds.  q leaves, ? explains.\n")
    games = {name: library.ruleset(name) for name in library.shipped()}
    titles = [(name, f"{game.title}: {text(game.rules.about)}") for name, game in games.items()]
    game = games[pick("Which game?", titles)].rules
    while True:
        known = [c for c in game.checks.values() if c.program is not None]
        check = game.checks[pick("Which check?", [(c.name, text(c.title)) for c in known])]
        bound = settle(game, check)
        say("")
        show_odds(bound)
        while True:
            wanted = entry("\nEnter rolls, d rolls with your own dice, n is another check: ")
            if wanted.lower() in ("n", "new"):
                break
            if wanted.lower() not in ("", "d"):
                say("that is not understood: press Enter, or type d, n or q")
                continue
            own_dice = wanted.lower() == "d"
            supply = Supply([] if own_dice else None, None, somebody.faces)
            done = play(bound, supply, (), somebody.decision)
            say("")
            say(roll_text(done))


def show_odds(bound: Bound) -> None:
    try:
        say(odds_text(bound, exact.odds(bound)))
    except TooBig as refusal:
        say(f"the odds: {refusal.message}")


def pick(question: str, rows: Sequence[tuple[str, str]]) -> str:
    """One of some names, by number or by name; Enter takes the first."""
    say(question)
    numbered = [(f"{n}", name, what) for n, (name, what) in enumerate(rows, 1)]
    say(
        "\n".join(
            paper.columns([(n, name, paper.shortened(what, 56)) for n, name, what in numbered])
        )
    )
    names = [name for name, _ in rows]
    while True:
        wanted = entry("number or name [1]: ") or "1"
        if wanted.isascii() and wanted.isdigit() and 1 <= int(wanted[:6]) <= len(names):
            return names[int(wanted[:6]) - 1]
        if (found := lookup(wanted, names)) is not None:
            return found
        if wanted == "?":
            for _, name, what in numbered:
                say("\n".join(paper.folded(f"{name}: {what}", 2, 4)))
            continue
        say(f"  {wanted[:40]!r} is not in the list {did_you_mean(canonical(wanted), names)}")


# -- parameters


def settle(game: Ruleset, check: Check) -> Bound:
    """The check with parameters that somebody typed; asked again until they fit together."""
    while True:
        words = parameters(check)
        try:
            bound = bound_words(game, check.name, words)
            library.Roll.begin(bound)  # refuses what does not fit together
            return bound
        except Refused as refusal:
            say(f"  {refusal.message}\n")


def parameters(check: Check) -> list[str]:
    """All words of a check, side by side."""
    say("\n".join(paper.folded(text(check.help), 0)))
    if check.sides is None:
        return ask_words(check, list(check.params.values()))
    words = ask_words(check, check.overall())
    number = 1
    while True:
        say(f"side {number}" if check.sides.word == "vs" else f"member {number}")
        words += ask_words(check, check.per_side())
        number += 1
        if number > check.sides.most or not another(number > check.sides.least, number == 2):
            return words
        words.append(check.sides.word)


def another(optional: bool, likely: bool) -> bool:
    """Whether a further side follows."""
    if not optional:
        return True
    wanted = entry(f"a further side? [{'yes' if likely else 'no'}]: ").lower()
    return wanted.startswith("y") if wanted else likely


def ask_words(check: Check, params: Sequence[Param]) -> list[str]:
    """Words for some parameters: each is asked for, or the others on one line if there are many."""
    asked = list(params)
    if len(asked) > MOST_PROMPTS:
        asked = [p for p in params if p.required or p.type == "ladder"]
    words = [word for param in asked if (word := ask_word(param)) is not None]
    rest = [param for param in params if param not in asked]
    return words + (ask_rest(check, rest) if rest else [])


def ask_word(param: Param) -> str | None:
    """`name=value`, or None where the default holds."""
    unit = f" ({param.unit})" if param.unit else ""
    default = "" if param.required else f" [{typed(param.default, param)}]"
    while True:
        value = entry(f"  {text(param.label)}{unit}{default}: ")
        if not value and not param.required:
            return None
        if value == "?":
            say("\n".join(paper.folded(f"{text(param.help)}: {param.expects()}", 4)))
            continue
        try:
            param.read(value)
            return f"{param.name}={value}"
        except Refused as refusal:
            say(f"    {refusal.message}")


def ask_rest(check: Check, rest: Sequence[Param]) -> list[str]:
    """Further `name=value` words on one line."""
    names = [param.name for param in rest]
    while True:
        line = entry("  anything else, as name=value (? lists them) [nothing]: ")
        if line == "?":
            rows = [(param.name, text(param.help) or text(param.label)) for param in rest]
            say("\n".join(paper.columns(rows, indent=4)))
            continue
        try:
            return [checked(check, names, word) for word in shlex.split(line)]
        except (Refused, ValueError) as wrong:
            say(f"    {wrong}")


def checked(check: Check, names: Sequence[str], word: str) -> str:
    """A typed word, if it names one of these parameters and its value fits."""
    name, equals, value = word.partition("=")
    own = lookup(name, names)
    if own is None or not equals:
        raise Refused(f"{word[:40]!r} is not understood; write name=value")
    check.params[own].read(value)
    return f"{own}={value}"
