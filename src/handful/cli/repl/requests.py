"""Commands between the GM and the players: requests, calls, contests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from handful.cli.check_request import shorten_word
from handful.cli.repl import names, parsing
from handful.cli.repl.rolls import continue_roll, show_next_step, show_roll
from handful.cli.repl.sheet_access import NOBODY, any_names_for, sheet_names_for
from handful.errors import Message, Refused
from handful.rules.params import normalize_name

if TYPE_CHECKING:
    from handful.cli.repl.repl import Repl

Words = Sequence[str]


def request(repl: Repl, words: Words) -> None:
    """Ask players for a check: `request NAME,NAME CHECK name=value ... [hidden=target]`."""
    view = repl.view()
    if not words:
        raise Refused(Message("play.request_usage"))
    to = names.seats(view, words[0])
    takes = ("hidden", "mode", "title")
    read = parsing.parse_check(repl.rules, words[1:], takes, any_names_for(repl))
    data: dict[str, Any] = {"parameters": read.sides[0]} if read.sides[0] else {}
    if len(read.sides) > 1:
        raise Refused(Message("play.request_one_side"))
    if read.who[0]:
        data["as"] = names.character(view, read.who[0])
    if hidden := read.fields.pop("hidden", ""):
        data["hidden"] = [normalize_name(one) for one in hidden.split(",")]
    repl.submit("request", to=to, check=read.check.name, **data, **read.fields)


def _find_request(repl: Repl, view: names.View, do: str, words: list[str]) -> dict[str, Any]:
    """Find the request: the first word if it names one, else the last legal one."""
    if words and "=" not in words[0]:
        short = {one["request"].partition("/")[2] for one in view["requests"]}
        if "/" in words[0] or words[0] in short:
            name = names.request(view, words.pop(0))
            return next(one for one in view["requests"] if one["request"] == name)
    name = names.last_possible(view, do, "request")
    return next(one for one in view["requests"] if one["request"] == name)


def propose(repl: Repl, words: Words) -> None:
    """Propose parameters for a requested check: `propose [REQUEST] name=value ... [as NAME]`."""
    view, rest = repl.view(), list(words)
    asked = _find_request(repl, view, "propose", rest)
    check = repl.rules.check(asked["check"])
    who_asked = sheet_names_for(repl, asked["as"].get(repl.seat, ""))
    read = parsing.parse_parameters(repl.rules, check, rest, (), who_asked)
    data: dict[str, Any] = {}
    who = read.who[0]
    own = names.own_characters(view)
    if who is None and repl.seat not in asked["as"] and len(own) == 1:
        data["as"] = own[0]
    elif who is not None and normalize_name(who) not in NOBODY:
        data["as"] = names.character(view, who)
    repl.submit("propose", request=asked["request"], parameters=read.sides[0], **data)


def accept(repl: Repl, words: Words) -> None:
    """Accept a proposal, which declares the roll: `accept [NAME] [REQUEST] [name=value ...]`."""
    view, rest = repl.view(), list(words)
    name = _take_seat(view, rest)
    asked = _find_proposed_request(repl, view, "accept", rest, name)
    if rest and "=" not in rest[0] and name is None:
        name = _take_seat(view, rest)
    waiting = [one for one in asked["proposals"] if one not in asked["rolls"]]
    open_ = [one for one in asked["to"] if one not in asked["rolls"]]
    if name is None:
        if len(waiting or open_) != 1:
            raise Refused(Message("play.accept_whose", waiting=waiting or open_))
        (name,) = waiting or open_
    check = repl.rules.check(asked["check"])
    action_fields = ("spends", "item", "task")
    read = parsing.parse_parameters(
        repl.rules, check, rest, ("off", *action_fields), any_names_for(repl, asked["as"].get(name, ""))
    )
    data: dict[str, Any] = {name: read.fields[name] for name in action_fields if name in read.fields}
    if read.sides[0]:
        data["parameters"] = read.sides[0]
    if read.who[0]:
        data["as"] = names.character(view, read.who[0])
    if "off" in read.fields:
        data["off"] = parsing.parse_numbers(read.fields["off"], "lines")
    events = repl.submit("accept", request=asked["request"], name=name, **data)
    show_next_step(repl, events[0].data["roll"])


def _take_seat(view: names.View, rest: list[str]) -> str | None:
    """Pop the first word if it names a seat."""
    if rest and "=" not in rest[0] and "/" not in rest[0]:
        seat_names = [one["name"] for one in view["seats"]]
        if any(normalize_name(one).startswith(normalize_name(rest[0])) for one in seat_names):
            return names.seat(view, rest.pop(0))
    return None


def _find_proposed_request(
    repl: Repl, view: names.View, do: str, rest: list[str], name: str | None
) -> dict[str, Any]:
    """Find the request: by name, else the last one with an open proposal of that seat."""
    if rest and "=" not in rest[0]:
        return _find_request(repl, view, do, rest)
    said = [one for one in view["requests"] if name in one["proposals"] and name not in one["rolls"]]
    if name is not None and said:
        return dict(said[-1])
    open_ = [
        one
        for one in view["requests"]
        if {*one["proposals"]} - {*one["rolls"]} and (name is None or name in one["to"])
    ]
    return dict(open_[-1]) if open_ else _find_request(repl, view, do, rest)


def refuse(repl: Repl, words: Words) -> None:
    """Refuse a proposal: `refuse NAME [WORDS]`."""
    view, rest = repl.view(), list(words)
    name = _take_seat(view, rest)
    if name is None:
        raise Refused(Message("play.refuse_whose"))
    said = [one for one in view["requests"] if name in one["proposals"] and name not in one["rolls"]]
    if not said:
        raise Refused(Message("play.proposed_nothing", name=name))
    repl.submit("refuse", request=said[-1]["request"], name=name, words=" ".join(rest) or None)


def withdraw(repl: Repl, words: Words) -> None:
    asked = _find_request(repl, repl.view(), "withdraw", list(words))
    repl.submit("withdraw", request=asked["request"])


# -- contests


def contest(repl: Repl, words: Words) -> None:
    """Compare finished rolls: `contest CHECK ROLL ROLL ... [name=value]`."""
    view = repl.view()
    rolls, read = _read_sides(repl, words, "contest CHECK ROLL ROLL")
    events = repl.submit(
        "contest",
        check=read.check.name,
        rolls=[names.roll(view, one) for one in rolls],
        **_overall_data(read),
    )
    continue_roll(repl, events[0].data["roll"])


def challenge(repl: Repl, words: Words) -> None:
    """Open a contest between declared rolls or requested seats: `challenge CHECK SIDE SIDE ...`."""
    view = repl.view()
    named, read = _read_sides(repl, words, "challenge CHECK SIDE SIDE")
    sides = [_side_data(view, one) for one in named]
    data = _overall_data(read)
    if "together" in data:
        data["together"] = parsing.parse_yes_no(data["together"])
    events = repl.submit("challenge", check=read.check.name, sides=sides, **data)
    for event in events:
        if event.kind == "roll_declared":
            show_roll(repl, event.data["roll"])


def _read_sides(repl: Repl, words: Words, usage: str) -> tuple[list[str], parsing.ParsedCheck]:
    positional = [word for word in words[1:] if "=" not in word]
    if not positional:
        raise Refused(Message("play.of_which_rolls", usage=usage))
    named = [*words[:1], *(word for word in words[1:] if "=" in word)]
    return positional, parsing.parse_check(repl.rules, named, ("hidden", "mode", "together"))


def _overall_data(read: parsing.ParsedCheck) -> dict[str, Any]:
    data: dict[str, Any] = {"parameters": read.sides[0]} if read.sides[0] else {}
    data |= read.fields
    if "hidden" in data:
        data["hidden"] = [normalize_name(one) for one in data["hidden"].split(",")]
    return data


def _side_data(view: names.View, typed: str) -> dict[str, str]:
    """Resolve a side: a roll, a seat with an open request, or the last declared roll of a seat."""
    if "/" in typed:
        return {"roll": names.roll(view, typed)}
    seat = names.seat(view, typed)
    asked = [o for o in view["requests"] if seat in o["to"] and seat not in o["rolls"]]
    if asked:
        return {"request": asked[-1]["request"], "name": seat}
    own = [o["roll"] for o in view["rolls"] if o["roller"] == seat and o["phase"] == "declared"]
    if not own:
        raise Refused(Message("play.request_first", seat=seat))
    return {"roll": own[-1]}


def call(repl: Repl, words: Words) -> None:
    """Call a lie (`call CHECK name=value ...`), or cancel a contest (`call off [CONTEST]`)."""
    if words and words[0].lower() == "off":
        view = repl.view()
        if len(words) > 1:
            name = names.contest(view, words[1])
        else:
            name = names.last_possible(view, "call_off", "contest")
        repl.submit("call_off", contest=name)
        return
    view = repl.view()
    read = parsing.parse_check(repl.rules, words, ("title",), sheet_names_for(repl))
    data: dict[str, Any] = {"parameters": read.sides[0]} if read.sides[0] else {}
    own, who = names.own_characters(view), read.who[0]
    if who is None and len(own) == 1:
        data["as"] = own[0]
    elif who is not None and normalize_name(who) not in NOBODY:
        data["as"] = names.character(view, who)
    repl.submit("call", check=read.check.name, **data, **read.fields)


def settle(repl: Repl, words: Words) -> None:
    """Settle a call: `settle [REQUEST] [against ROLL CHECK | contest=ROLL]`; alone: no lie."""
    view, rest = repl.view(), list(words)
    asked = _find_request(repl, view, "settle", rest)
    joined = parsing.join_prepositions(rest)
    positional = [word for word in joined if "=" not in word]
    fields = dict(word.split("=", 1) for word in joined if "=" in word)
    data: dict[str, Any] = {}
    if against := fields.pop("against", None):
        own = {*asked["rolls"].values()}
        others = {**view, "rolls": [one for one in view["rolls"] if one["roll"] not in own]}
        data["against"] = names.roll(others, against)
    if contest_roll := fields.pop("contest", None):
        data["contest"] = names.roll(view, contest_roll)
    check = fields.pop("check", None) or (positional.pop(0) if positional else None)
    if positional:
        raise Refused(Message("play.settle_usage", typed=shorten_word(positional[0])))
    if check:
        data["check"] = repl.rules.check(check).name
    elif "against" in data:
        data["check"] = _comparing_check(repl)
    if fields:
        data["parameters"] = fields
    repl.submit("settle", request=asked["request"], **data)


def _comparing_check(repl: Repl) -> str:
    """Return the only check of the game that compares two sides; refuse if there are several."""
    candidates = [
        name
        for name, one in repl.rules.checks.items()
        if one.sides is not None and one.sides.least <= 2 <= one.sides.most and one.program
    ]
    if len(candidates) != 1:
        raise Refused(Message("play.settle_by", candidates=candidates))
    return candidates[0]
