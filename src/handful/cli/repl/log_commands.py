"""Commands about the past: log, history, luck, export and verify."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from handful import table as tables
from handful import verifier
from handful.cli import layout
from handful.cli.prompts import echo
from handful.cli.repl.event_text import EventWriter
from handful.cli.repl.parsing import parse_number
from handful.cli.repl.show_roll import check_line, result_line
from handful.errors import Message, Refused, format_count
from handful.library.evenings import evening_summaries
from handful.library.files import read_log, write_log
from handful.table import Table
from handful.table.chain import spoken_digits

if TYPE_CHECKING:
    from handful.cli.repl.repl import Repl

Words = Sequence[str]
DEFAULT_LINES = 20  # lines of a log
BAR_WIDTH = 20


def log(repl: Repl, words: Words) -> None:
    """Show the last events this seat received, as sentences."""
    many = parse_number(words[0], "how many lines") if words else DEFAULT_LINES
    if many < 1:
        raise Refused(Message("play.log_lines"))
    lines = _log_sentences(repl)
    if not lines:
        echo("  nothing has happened yet")
    if len(lines) > many:
        echo(f"  {format_count(len(lines) - many, 'earlier line')}: log {len(lines)}")
    shown, day = lines[-many:], ""
    for count, line, date in shown:
        if date != day and shown[0][2] != shown[-1][2]:  # a table that goes on over several days
            echo(layout.apply_style(date, "bold"))
        day = date
        echo("\n".join(layout.wrap_after(f"{count:>4}  ", line)))
    public = repl.stored.seat_log(repl.seat).last_public
    if public is not None and not repl.is_solo:
        head = f"public line {public.n}, the same for everyone: {spoken_digits(public.hash)}"
        echo("\n".join(layout.wrap_text(head, 2, 4)))


def _log_sentences(repl: Repl) -> list[tuple[int, str, str]]:
    """Return all events this seat received as sentences, numbered as in its export, with their dates."""
    seat, table = repl.seat, Table(repl.rules)
    viewer = repl.table.viewer(seat)
    sentences: list[tuple[int, str, str]] = []
    for entry in repl.stored.store.read(repl.stored.header.table):
        event = tables.read_event(entry)
        table = tables.evolve(table, event)
        data = tables.EntryTexts(table, entry).data_for(viewer)
        if data is not None:
            said = EventWriter(table, seat).sentence(event, data)
            sentences.append((len(sentences) + 1, said, entry["time"][:10]))
    return sentences


def history(repl: Repl, words: Words) -> None:
    """List the rolls visible to this seat: check, faces, result."""
    if words:
        from handful.cli.repl.rulings import show_full_roll

        show_full_roll(repl, words)
        return
    rolls = repl.view()["rolls"]
    if not rolls:
        echo("  no rolls yet")
    for one in rolls:
        lines = layout.wrap_text(f"{one['roll']}  {check_line(repl.rules, one)}", 2, 6)
        echo("\n".join(lines + layout.wrap_text(result_line(repl, one), 6, 8)))


def luck(repl: Repl, words: Words) -> None:
    """Show the luck of the table and of each seat, against the exact odds."""
    found = tables.luck(repl.table, repl.seat)
    if not found["table"]["count"]:
        echo("  no finished rolls yet")
        return
    rows = []
    for name, one in [("the table", found["table"]), *found["seats"].items()]:
        rows.append(_row(name, one))
        if len(one["checks"]) > 1:
            rows += [_row(f"  {check}", check_luck) for check, check_luck in one["checks"].items()]
    echo(layout.apply_style("luck: how often fair dice would do worse", "bold"))
    echo("\n".join(layout.columns(rows)))
    if found["left_out"]:
        count = format_count(found["left_out"], "roll")
        echo(f"  {count} left out: no number to compare, or too complex to compute")


def summary(repl: Repl, words: Words) -> None:
    """Summarize each evening: who rolled how often and how it went."""
    known = tables.known_to(repl.table, repl.seat)
    for evening in evening_summaries(known, repl.stored.seat_log(repl.seat).lines):
        echo(
            layout.apply_style(f"{evening['begins'][:10]}, {format_count(evening['rolls'], 'roll')}", "bold")
        )
        for name, one in evening["seats"].items():
            said = [
                format_count(one["rolls"], "roll"),
                f"{one['dice']} {'die' if one['dice'] == 1 else 'dice'}",
            ]
            said += [f"{one['successes']} succeeded"] if one["successes"] + one["failures"] else []
            said += [f"{event['says']}: {event['count']}" for event in one["events"]]
            echo("\n".join(layout.wrap_text(f"{name}: {', '.join(said)}", 2, 4)))
        for character, changes in evening["points"].items():
            titles = EventWriter(repl.table, repl.seat)
            points = ", ".join(f"{titles.resource_title(one)} {by:+}" for one, by in changes.items())
            echo("\n".join(layout.wrap_text(f"{character.partition('/')[2]}: {points}", 2, 4)))


def _row(name: str, one: dict[str, object]) -> tuple[str, str, str, str]:
    share = Fraction(str(one["percentile"]))
    rolls = f"{one['count']} roll{'s' * (one['count'] != 1)}"
    hundredths = round(share * 100)
    percent = "<1%" if hundredths < 1 else ">99%" if hundredths > 99 else f"{hundredths}%"
    filled = layout.bar(share, BAR_WIDTH)
    empty = "·" if layout.has_block_characters() else "."
    return name, rolls, percent.rjust(4), filled + empty * (BAR_WIDTH - len(filled))


def export(repl: Repl, words: Words) -> None:
    """Write this seat's log to a file."""
    log = repl.stored.export(repl.seat)
    path = words[0] if words else f"{repl.table.id}-{repl.seat}.log"
    write_log(path, log)
    many = log.count("\n") - 2  # minus the header and the closing line
    saved = f"saved {format_count(many, 'event')} in {path}; check them with handful verify {path}"
    echo("\n".join(layout.wrap_text(saved, 2, 4)))


def verify(repl: Repl, words: Words) -> None:
    """Verify the log of this seat, or one in a file."""
    if words:
        name, log = words[0], read_log(words[0])
    else:
        name, log = "your log", repl.stored.export(repl.seat)
    problems, summary = verifier.verify(log)
    if problems:
        raise Refused(Message("play.log_not_sound", name=name, problems=problems[0]))
    echo("\n".join(layout.wrap_text(f"{name} is intact: {summary}", 2, 4)))
