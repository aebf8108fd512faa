"""Commands of a fight: combatants, turns and moves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from handful.cli.check_request import shorten_word
from handful.cli.prompts import echo
from handful.cli.repl import names, parsing
from handful.cli.repl.rolls import show_roll, throw_data
from handful.cli.repl.sheet_access import any_names_for
from handful.cli.repl.show_fight import fight_lines
from handful.errors import Message, Refused, format_choices
from handful.rules.params import find_name, match_name, normalize_name, spellings
from handful.table import LEAVES, actions_in

if TYPE_CHECKING:
    from handful.cli.repl.repl import Repl

Words = Sequence[str]


def show(repl: Repl) -> None:
    lines = fight_lines(repl.rules, repl.view())
    echo("\n".join(lines[1:]) if lines else "  no fight yet")


# -- who fights


def fight(repl: Repl, words: Words) -> None:
    """Begin a fight (`fight [in order] NAME NAME ...`), or show the current one."""
    if not words:
        show(repl)
        return
    view, rest = repl.view(), list(words)
    by_gm = [one.lower() for one in rest[:2]] == ["in", "order"]
    if by_gm:
        rest = rest[2:]
    combatants = [_read_combatant(repl, view, one) for one in rest]
    order = [one.get("character") or f"{repl.seat}/{one['name']}" for one in combatants]
    repl.submit("fight", combatants=combatants, order=order if by_gm else None)
    show(repl)


def _read_combatant(repl: Repl, view: names.View, typed: str) -> dict[str, Any]:
    """Parse `corvin`, `corvin:first=1` (tie-break marks), or `wolf:12` (no sheet); `!` hides."""
    name, _, more = typed.partition(":")
    hidden = name.endswith("!")
    name = name.removesuffix("!")
    try:
        combatant: dict[str, Any] = {"character": names.character(view, name)}
    except Refused as refusal:
        if refusal.code == "play.ambiguous_name":
            raise
        combatant = {"name": name} | ({"hidden": True} if hidden else {})
    for part in more.split(",") if more else ():
        mark, equals, value = part.partition("=")
        if not equals:
            combatant["initiative"] = parsing.parse_number(mark, "initiative")
        else:
            combatant.setdefault("marks", {})[mark] = parsing.parse_number(value, mark)
    return combatant


def join(repl: Repl, words: Words) -> None:
    """Add a combatant to the fight: `join NAME [behind NAME]`."""
    view = repl.view()
    read = parsing.parse_words(words, ("behind",), ("behind",))
    behind = read.take("behind")
    who = _read_combatant(repl, view, read.first("who? join NAME [behind NAME]"))
    read.done("join NAME [behind NAME]")
    repl.submit("join", who=who, behind=names.combatant(view, behind) if behind else None)
    show(repl)


def out(repl: Repl, words: Words) -> None:
    _move(repl, "out", words)


def uncover(repl: Repl, words: Words) -> None:
    _move(repl, "uncover", words)


def next_round(repl: Repl, words: Words) -> None:
    repl.submit("next_round")
    show(repl)


def end(repl: Repl, words: Words) -> None:
    """End the turn (`end`), or as GM the fight (`end fight`)."""
    if words and words[0].lower() == "fight":
        repl.submit("end_fight")
        return
    _move(repl, "end_turn", words)
    show(repl)


# -- moves


def find_mover(view: names.View, do: str, typed: str | None) -> str:
    """Find the combatant: by name, else the one whose turn it is, else the only one."""
    if typed:
        return names.combatant(view, typed)
    if view["fight"] is None:
        raise Refused(Message("fight.none"), Message("play.gm_begins_fight"))
    order = [one["combatant"] for one in view["fight"]["order"]]
    gm = view["role"] == "gm"
    mine = [one for one in order if gm or one in names.own_characters(view)]
    found = names.possible_values(view, do, "combatant")
    turn = [one for one in found if one in view["fight"]["turn"]]
    for some in (turn, found, mine):
        if len(some) == 1:
            return some[0]
    if not mine:
        raise Refused(Message("play.nobody_in_fight", seat=view["seat"]))
    raise Refused(Message("play.act_as_whom", found=found or mine))


def _move(repl: Repl, do: str, words: Words, **data: Any) -> None:
    """Submit a move; the words may name the combatant."""
    read = parsing.parse_words(words, ("as",))
    typed = read.take("as") or read.rest() or None
    repl.submit(do, combatant=find_mover(repl.view(), do, typed), **data)


def fix(repl: Repl, words: Words) -> None:
    """Set the number of actions this round: `fix 2 [as NAME]`."""
    read = parsing.parse_words(words, ("as",))
    actions = parsing.parse_number(read.first("how many actions? fix NUMBER [as NAME]"), "it")
    typed = read.take("as") or read.rest() or None
    repl.submit("fix", combatant=find_mover(repl.view(), "fix", typed), actions=actions)


def _move_with_words(do: str) -> Callable[[Repl, Words], None]:
    """Build a handler for a move with a description: `act draws a pistol [as NAME]`."""

    def move(repl: Repl, words: Words) -> None:
        read = parsing.parse_words(words, ("as", "actions"))
        who = find_mover(repl.view(), do, read.take("as"))
        actions = read.take("actions")
        more = {"actions": parsing.parse_number(actions, "actions")} if actions else {}
        repl.submit(do, combatant=who, what=read.rest() or None, **more)

    return move


def wait(repl: Repl, words: Words) -> None:
    _move(repl, "wait", words)
    show(repl)


def prepare(repl: Repl, words: Words) -> None:
    _move(repl, "prepare", words)


def undo_move(repl: Repl, words: Words) -> None:
    _move(repl, "undo_move", words)
    show(repl)


act = _move_with_words("act")
react = _move_with_words("react")


def interrupt(repl: Repl, words: Words) -> None:
    """Interrupt a roll with words, or with a check rolled at once: `interrupt [ROLL] with CHECK ...`."""
    view, rest = repl.view(), list(words)
    decided = [one["roll"] for one in view["rolls"] if one["phase"] == "decided"]
    if rest and "/" in rest[0]:
        name = names.roll(view, rest.pop(0))
    elif decided:
        name = decided[-1]
    else:
        raise Refused(
            Message("play.nothing_to_interrupt"),
            Message("play.when_to_interrupt"),
        )
    if rest and rest[0].lower() == "with":
        from handful.cli.repl.checks import roll

        roll(repl, [*rest[1:], f"interrupts={name}"])
        return
    read = parsing.parse_words(rest, ("as",))
    who = find_mover(view, "interrupt", read.take("as"))
    repl.submit("interrupt", combatant=who, roll_of=name, what=read.rest() or None)


def _take_name(words: list[str], candidates: Mapping[str, Any], what: str) -> str:
    """Pop the longest name the words begin with; titles such as `Full reaction` match, too."""
    for count in range(len(words), 0, -1):
        typed = normalize_name(" ".join(words[:count]))
        for name, wording in candidates.items():
            if typed in map(normalize_name, (name, *spellings(wording))):
                del words[:count]
                return name
    return find_name(words.pop(0), candidates, what)


def stance(repl: Repl, words: Words) -> None:
    """Take a stance for the whole round: `stance NAME [CHOICE] [as WHO]`."""
    rounds = repl.rules.rounds
    stances: Mapping[str, Any] = rounds.stances if rounds else {}
    read = parsing.parse_words(words, ("as",))
    if not stances:
        raise Refused(Message("play.no_stances"))
    if not read.positional:
        raise Refused(Message("play.which_stance", stances=stances))
    name = _take_name(read.positional, {name: one.title for name, one in stances.items()}, "stance")
    choices = stances[name].choices
    choice = _take_name(read.positional, choices, "choice") if read.positional else None
    who = find_mover(repl.view(), "stance", read.take("as"))
    read.done(f"stance {name} {format_choices(choices)}")
    repl.submit("stance", combatant=who, stance=name, choice=choice)


def pace(repl: Repl, words: Words) -> None:
    """Move at a pace: `pace NAME [as WHO]`."""
    rounds = repl.rules.rounds
    paces: Mapping[str, Any] = rounds.paces if rounds else {}
    read = parsing.parse_words(words, ("as",))
    if not paces:
        raise Refused(Message("play.no_paces"))
    if not read.positional:
        raise Refused(Message("play.which_pace", paces=paces))
    name = _take_name(read.positional, {name: one.title for name, one in paces.items()}, "pace")
    who = find_mover(repl.view(), "pace", read.take("as"))
    read.done(f"pace {format_choices(paces)} [as NAME]")
    repl.submit("pace", combatant=who, pace=name)


def grant(repl: Repl, words: Words) -> None:
    """Grant a permission for this round: `grant NAME reaction`, `grant NAME free action`."""
    usage = f"grant NAME {' or '.join(one.replace('_', ' ') for one in LEAVES)}"
    leave = next((one for one in LEAVES if normalize_name(" ".join(words)).endswith(f"_{one}")), None)
    if leave is None:
        raise Refused(Message("play.whom_and_what", usage=usage))
    name = words[: len(words) - leave.count("_") - 1]
    who = names.combatant(repl.view(), " ".join(name))
    repl.submit("grant", combatant=who, leave=leave)


def take_hit(repl: Repl, words: Words) -> None:
    """Accept a hit without a response: `take hit [ROLL] [as NAME]`."""
    view, rest = repl.view(), list(words)
    hits = [one for one in actions_in(view) if one["do"] == "take_hit"]
    if rest and "/" in rest[0]:
        wanted = names.roll(view, rest.pop(0))
        hits = [one for one in hits if one["roll_of"] == wanted]
    read = parsing.parse_words(rest, ("as",))
    if (typed := read.take("as") or read.rest()) is not None and typed:
        who = names.combatant(view, typed)
        hits = [one for one in hits if one["combatant"] == who]
    if len(hits) != 1:
        which = [f"take hit {one['roll_of']}" for one in hits]
        raise Refused(Message("play.which_hit", hits=which) if hits else Message("play.no_hit_now"))
    (one,) = hits
    repl.submit("take_hit", combatant=one["combatant"], roll_of=one["roll_of"])


# -- responses to a roll, such as a parry


def response_names(rules: Any) -> list[str]:
    """Return the response names of a game, such as `parry`."""
    sheet = rules.sheet
    return list(sheet.rounds.answers) if sheet and sheet.rounds else []


def respond(repl: Repl, words: Words, word: str = "") -> None:
    """Respond to a roll: `parry [ROLL] [name=value ...] [as NAME]`."""
    rounds = repl.rules.rounds
    responses: Mapping[str, Any] = rounds.answers if rounds else {}
    if not responses:
        raise Refused(Message("play.no_answers_in_game"))
    view, rest = repl.view(), list(words)
    if not word:
        word = rest.pop(0) if rest and match_name(rest[0], responses) else next(iter(responses))
    response = responses[find_name(word, responses, "answer")]
    target = names.roll(view, rest.pop(0)) if rest and "/" in rest[0] else ""
    check = repl.rules.check(response.check)
    read = parsing.parse_parameters(
        repl.rules, check, rest, ("faces", "entropy", "spends"), any_names_for(repl)
    )
    if not target:
        target = _roll_to_answer(view, response.to)
    answered = next((one for one in view["rolls"] if one["roll"] == target), None)
    if read.who[0]:
        who = names.character(view, read.who[0])
    else:
        who = (answered or {}).get("deed", {}).get("target", "")
    if not who:
        raise Refused(Message("play.against_nobody", target=shorten_word(target)))
    throw = throw_data(read.take_throw_fields())
    events = repl.submit(
        "declare",
        check=check.name,
        as_=[who],
        answers=target,
        throw=throw,
        **read.declare_fields(),
        **read.fields,
    )
    show_roll(repl, str(events[0].data["roll"]))


def _roll_to_answer(view: names.View, check: str) -> str:
    """Return the last roll of a check that targets a character of this seat (for the GM: anyone)."""
    own = names.own_characters(view)
    for roll in reversed(view["rolls"]):
        target = roll.get("deed", {}).get("target", "")
        theirs = target in own or (view["role"] == "gm" and target)
        if theirs and roll.get("asked", {}).get("check") == check:
            return str(roll["roll"])
    raise Refused(Message("play.nothing_to_answer", check=check))
