"""The rim of the command line: troubles become a line on standard error and an exit status.

0 is an answer, 2 is what somebody typed, 130 is Ctrl-C; 1 is what typing does not mend: a broken
file, the system, something that is not installed.
Text goes out through `emit`, so that a full disk or a closed pipe is noticed here as well.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Mapping
from typing import Any

from handful.errors import FileFault, HandfulError, Refused, RuleError, did_you_mean, format_count
from handful.rules.load import BadRuleset

USAGE_ERROR, SYSTEM_ERROR, INTERRUPTED = 2, 1, 130
MAX_LINE = 2000


class OutputFault(HandfulError):
    """Standard output takes no more: a full disk, or a reader that has gone."""


class UserLeft(Exception):
    """Somebody left in the middle of a question: Ctrl-D, or `q`."""


def prepare_output() -> None:
    """Standard output must be there; what it cannot show, it replaces."""
    if sys.stdout is None:
        raise FileFault("standard output is closed: there is nowhere to answer")
    for stream in (sys.stdout, sys.stderr):
        if (reconfigure := getattr(stream, "reconfigure", None)) is not None:
            reconfigure(errors="replace" if stream is sys.stdout else "backslashreplace")


def emit(text: str) -> None:
    """Print text that ends in one line break."""
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
    gone = isinstance(fault, BrokenPipeError)
    reason = getattr(fault, "strerror", None) or str(fault)
    return OutputFault("" if gone else f"the answer cannot be written: {reason}")


# -- troubles


def report_error(trouble: BaseException) -> int:
    """Say what went wrong and give the exit status."""
    match trouble:
        case SystemExit(code=code):
            return code if isinstance(code, int) else (0 if code is None else SYSTEM_ERROR)
        case OutputFault(message=message):
            close_broken_output()
            if message:  # a reader that has gone wants no complaint
                print_error(message)
            return SYSTEM_ERROR
        case KeyboardInterrupt():
            return INTERRUPTED
        case UserLeft():
            print_error("left before the roll was finished")
            return INTERRUPTED
        case BadRuleset() | RuleError():
            print_rule_error(trouble)
            return SYSTEM_ERROR
        case HandfulError():
            print_error(trouble.message, trouble.hint)
            return USAGE_ERROR if isinstance(trouble, Refused) else SYSTEM_ERROR
    return _report_foreign_error(trouble)


def _report_foreign_error(trouble: BaseException) -> int:
    """Troubles of click, of the system, and those that nobody thought of."""
    import click

    match trouble:
        case click.Abort():  # Ctrl-C; click has ended the line already
            return INTERRUPTED
        case click.ClickException():
            print_error(*_usage_error_text(trouble))
            return USAGE_ERROR
        case OSError():
            close_broken_output()
            print_error(f"the system refused: {trouble.strerror or trouble}")
        case RecursionError():
            print_error("this is nested too deeply to be worked out")
        case MemoryError():
            print_error("this needs more memory than there is")
        case _:
            print_error(f"a mistake inside handful, please report it: {trouble!r}")
    return SYSTEM_ERROR


def _usage_error_text(trouble: Any) -> tuple[str, str]:
    """A mistake in the shape of the command, in one line; the help may follow."""
    import click

    context = getattr(trouble, "ctx", None)
    path = context.command_path if context is not None else "handful"
    message = trouble.format_message()
    if isinstance(trouble, click.MissingParameter) and trouble.param is not None:
        message = f"{path} needs {trouble.param.human_readable_name.upper()}"
    if isinstance(trouble, click.BadOptionUsage) and context is not None:
        message = _missing_value_text(trouble.option_name, context.command) or message
    if isinstance(trouble, click.NoSuchOption):  # click's own suggestion does not fit the line
        own = [name for param in context.command.params for name in param.opts] if context else []
        meant = did_you_mean(trouble.option_name, [name for name in own if name.startswith("--")])
        return f"{path} has no {trouble.option_name}; `{path} --help` shows how", meant
    return message[:1].lower() + message[1:].rstrip("."), f"`{path} --help` shows how"


def _missing_value_text(name: str, command: Any) -> str:
    """What an option wants that stands there without a value; nothing if it wants none."""
    for param in command.params:
        if name in param.opts and not getattr(param, "is_flag", False):
            wants = param.metavar or param.name.upper()
            return f"{name} needs a value: {name} {wants}"
    return ""


def print_error(message: str, hint: str = "") -> None:
    """One line on standard error; a "did you mean" follows on a second one."""
    if sys.stderr is None:
        return
    follows = hint.startswith("did you mean")
    if hint and not follows:
        message = f"{message}; {hint}"
    line = f"handful: {flatten(message)}\n" + (f"  {flatten(hint)}\n" if follows else "")
    with contextlib.suppress(OSError):
        sys.stderr.write(line)
        sys.stderr.flush()


def print_rule_error(trouble: BadRuleset | RuleError) -> None:
    """The first mistake of a file with its place, and how many more there are."""
    errors = trouble.errors if isinstance(trouble, BadRuleset) else [trouble]
    text = f"handful: {errors[0]}"
    if more := len(errors) - 1:
        shows = f"`handful lint {errors[0].file}` shows them all"
        text += f"\n  and {format_count(more, 'more mistake')}: {shows}"
    with contextlib.suppress(OSError):
        sys.stderr.write(text + "\n")


def flatten(text: str) -> str:
    """A message without line breaks and control characters, of bearable length."""
    flat = "".join(c if c.isprintable() else " " for c in text)
    return flat if len(flat) <= MAX_LINE else flat[: MAX_LINE - 1] + "…"


def close_broken_output() -> None:
    """Close an output that takes no more, so that Python does not try again and complain."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        with contextlib.suppress(OSError, ValueError):
            sys.stdout.close()
