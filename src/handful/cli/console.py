"""Output and errors of the command line: exceptions become a line on standard error and a status.

Exit status: 0 success, 2 wrong input, 130 Ctrl-C, 1 anything that typing cannot fix: a broken file,
the system, a missing package.
All text is printed by `emit`, so that a full disk or a closed pipe is handled here as well.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Mapping
from typing import Any

from handful.errors import (
    NO_MESSAGE,
    FileFault,
    HandfulError,
    Message,
    Refused,
    RuleError,
    Text,
    as_message,
    did_you_mean,
    format_count,
)
from handful.rules.source import BadRuleset

USAGE_ERROR, SYSTEM_ERROR, INTERRUPTED = 2, 1, 130
MAX_LINE = 2000


class OutputFault(HandfulError):
    """Standard output cannot be written: a full disk, or a closed pipe."""


class UserLeft(Exception):
    """The user left at a question, with Ctrl-D or `q`."""


def prepare_output() -> None:
    """Require standard output; replace characters that it cannot encode."""
    if sys.stdout is None:
        raise FileFault(Message("command.output_closed"))
    for stream in (sys.stdout, sys.stderr):
        if (reconfigure := getattr(stream, "reconfigure", None)) is not None:
            reconfigure(errors="replace" if stream is sys.stdout else "backslashreplace")


def emit(text: str) -> None:
    """Print text with exactly one line break at its end."""
    try:
        sys.stdout.write(text.rstrip("\n") + "\n")
    except (OSError, ValueError) as fault:
        raise _output_fault(fault) from None


def emit_json(fields: Mapping[str, Any]) -> None:
    """Print one JSON object and nothing else."""
    import json

    emit(json.dumps(fields, ensure_ascii=True, indent=2))


def flush() -> None:
    try:
        sys.stdout.flush()
    except (OSError, ValueError) as fault:
        raise _output_fault(fault) from None


def _output_fault(fault: OSError | ValueError) -> HandfulError:
    closed = isinstance(fault, BrokenPipeError)
    reason = getattr(fault, "strerror", None) or str(fault)
    return OutputFault("" if closed else Message("command.output_fails", reason=reason))


# -- errors


def report_error(error: BaseException) -> int:
    """Print what went wrong and return the exit status."""
    match error:
        case SystemExit(code=code):
            return code if isinstance(code, int) else (0 if code is None else SYSTEM_ERROR)
        case OutputFault():
            close_broken_output()
            if error.problem:  # a closed pipe is no error worth a message
                print_error(error.problem)
            return SYSTEM_ERROR
        case KeyboardInterrupt():
            return INTERRUPTED
        case UserLeft():
            print_error(Message("command.left_early"))
            return INTERRUPTED
        case BadRuleset() | RuleError():
            print_rule_error(error)
            return SYSTEM_ERROR
        case HandfulError():
            print_error(error.problem, error.advice)
            return USAGE_ERROR if isinstance(error, Refused) else SYSTEM_ERROR
    return _report_foreign_error(error)


def _report_foreign_error(error: BaseException) -> int:
    """Report errors of click and of the system, and unexpected exceptions."""
    import click

    match error:
        case click.Abort():  # Ctrl-C; click has already ended the line
            return INTERRUPTED
        case click.ClickException():
            print_error(*_usage_error_text(error))
            return USAGE_ERROR
        case OSError():
            close_broken_output()
            print_error(Message("command.system_refused", reason=error.strerror or error))
        case RecursionError():
            print_error(Message("command.nested_too_deeply"))
        case MemoryError():
            print_error(Message("command.out_of_memory"))
        case _:
            print_error(Message("command.bug", reason=error))
    return SYSTEM_ERROR


def _usage_error_text(error: Any) -> tuple[Text, Message]:
    """Return a usage error in one line, and a hint."""
    import click

    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "handful"
    if isinstance(error, click.MissingParameter) and error.param is not None:
        argument = error.param.human_readable_name.upper()
        return Message("command.needs_argument", path=path, argument=argument), _help_hint(path)
    if (
        isinstance(error, click.BadOptionUsage)
        and context is not None
        and (missing := _missing_value_text(error.option_name, context.command))
    ):
        return missing, _help_hint(path)
    if isinstance(error, click.NoSuchOption):  # click's own suggestion does not fit the line
        options = [name for param in context.command.params for name in param.opts] if context else []
        meant = did_you_mean(error.option_name, [name for name in options if name.startswith("--")])
        return Message("command.unknown_option", path=path, option=error.option_name), meant
    message = error.format_message()
    return message[:1].lower() + message[1:].rstrip("."), _help_hint(path)


def _help_hint(path: str) -> Message:
    return Message("command.help_shows", path=path)


def _missing_value_text(name: str, command: Any) -> Message:
    """Return a message for an option typed without its value; empty if it takes none."""
    for param in command.params:
        if name in param.opts and not getattr(param, "is_flag", False):
            metavar = param.metavar or param.name.upper()
            return Message("command.option_needs_value", name=name, metavar=metavar)
    return NO_MESSAGE


def print_error(message: Text, hint: Text = "") -> None:
    """Print one line on standard error; a "did you mean" hint gets a second line."""
    if sys.stderr is None:
        return
    own_line = is_guess(as_message(hint))
    text = f"{message}; {hint}" if hint and not own_line else str(message)
    line = f"handful: {flatten(text)}\n" + (f"  {flatten(str(hint))}\n" if own_line else "")
    with contextlib.suppress(OSError):
        sys.stderr.write(line)
        sys.stderr.flush()


def is_guess(hint: Message) -> bool:
    """Return whether a hint suggests a name in place of a mistyped one."""
    return hint.code == "did_you_mean"


def print_rule_error(error: BadRuleset | RuleError) -> None:
    """Print the first mistake in a ruleset file with its position, and the number of others."""
    errors = error.errors if isinstance(error, BadRuleset) else [error]
    text = f"handful: {errors[0]}"
    if more := len(errors) - 1:
        shows = f"`handful lint {errors[0].file}` shows them all"
        text += f"\n  and {format_count(more, 'more mistake')}: {shows}"
    with contextlib.suppress(OSError):
        sys.stderr.write(text + "\n")


def flatten(text: str) -> str:
    """Return a message without line breaks and control characters, cut at `MAX_LINE`."""
    flat = "".join(c if c.isprintable() else " " for c in text)
    return flat if len(flat) <= MAX_LINE else flat[: MAX_LINE - 1] + "…"


def close_broken_output() -> None:
    """Close a broken standard output, so that Python does not flush it again at exit and complain."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        with contextlib.suppress(OSError, ValueError):
            sys.stdout.close()
