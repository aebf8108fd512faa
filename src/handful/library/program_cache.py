"""Rulesets that were loaded before, kept as plain data: their parsed files and their compiled rules.

Games of an installed package carry theirs; those of other files are kept in the user's cache folder
(`HANDFUL_CACHE` names another one, empty: none).  What is kept is JSON: instructions of the rule language,
never code of Python.
Invariant: a file that is damaged, of other texts, of another version, or that somebody else could have
written is ignored, and the ruleset is loaded from its texts; what is kept never changes an answer.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from os.path import abspath, dirname, expanduser, isabs, join
from typing import TYPE_CHECKING, Any

from handful.rules.load import LANGUAGE
from handful.rules.source import Source

if TYPE_CHECKING:
    from handful.rules.ruleset import Ruleset

VARIABLE = "HANDFUL_CACHE"  # names the cache folder; empty: none
SHIPPED = "programs.json"  # beside the ruleset file of an installed game
FORMAT = 1
MAX_SIZE = 4 << 20  # bytes
MAX_FILES = 64  # in the cache folder
_RULES = join(dirname(dirname(abspath(__file__))), "rules")
# The modules that decide what a compiled rule looks like: when one of them changes, nothing kept fits.
_ENGINE = ("compiler.py", "effect_compiler.py", "expression_compiler.py", "program.py", "program_data.py")

ReadText = Callable[[str], str]
FindBase = Callable[[str, str], str | None]
Kept = tuple[list[Source], dict[str, Any]]


def read_kept(path: str, read: ReadText, find_base: FindBase, *, installed: bool) -> Kept | None:
    """Return the sources of a ruleset file, base first, and the data of its programs; None if none fit.

    `read` reads a text, `find_base` finds the file that another one extends.  Only files of an `installed`
    package may have their programs beside them: anybody could have written those of another folder.
    """
    text = read(path)
    if installed:
        data = _read_file(join(dirname(path), SHIPPED), _version(), private=False)
    else:
        data = _read_file(_cache_file(text), _stamp(), private=True)
    if data is None:
        return None
    try:
        return _fitting(data, path, text, read, find_base)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        return None


def _fitting(data: dict[str, Any], path: str, text: str, read: ReadText, find_base: FindBase) -> Kept | None:
    """Return the kept sources if they have the very texts that the files have now."""
    sources: list[Source] = []
    for kept in reversed(data["sources"]):  # the file itself, then the one it extends
        if kept["sha256"] != _digest(text):
            return None
        own = kept["data"]
        sources.insert(0, Source(path, text, own))
        if len(sources) < len(data["sources"]):
            base = find_base(path, own["extends"])
            if base is None:
                return None
            path, text = base, read(base)
        elif "extends" in own:
            return None
    programs = data["programs"]
    return (sources, programs) if isinstance(programs, dict) else None


def image(ruleset: Ruleset, sources: Sequence[Source], stamp: str) -> str:
    """Return the text to keep of a ruleset: a checksum, then JSON."""
    import json

    from handful.rules.program_data import write_program

    programs = {f"rules.{name}.does": write_program(rule) for name, rule in ruleset.rules.items()}
    for name, check in ruleset.checks.items():
        if check.program is not None:
            programs[f"checks.{name}.does"] = write_program(check.program)
    kept = [{"sha256": _digest(source.text), "data": source.data} for source in sources]
    fields = {"stamp": stamp, "sources": kept, "programs": programs}
    text = json.dumps(fields, ensure_ascii=True, separators=(",", ":"))
    return f"{_digest(text)}\n{text}\n"


def shipped_image(ruleset: Ruleset, sources: Sequence[Source]) -> str:
    """Return the text that an installed game carries."""
    return image(ruleset, sources, _version())


def keep(ruleset: Ruleset, sources: Sequence[Source]) -> None:
    """Keep a ruleset in the user's cache folder, if there is one that only the user can write."""
    file = _cache_file(sources[-1].text)
    if not file:
        return
    part = f"{file}.{os.getpid()}.part"
    try:
        os.makedirs(dirname(file), mode=0o700, exist_ok=True)
        if not _is_private(os.lstat(dirname(file))):
            return
        _prune(dirname(file))
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as out:
            out.write(image(ruleset, sources, _stamp()))
        os.replace(part, file)
    except (OSError, ValueError):  # a full disk, a folder that cannot be written: nothing is kept
        with suppress(OSError):
            os.remove(part)


def _prune(folder: str) -> None:
    """Remove the files that were written first, beyond the number that is kept."""
    files = [join(folder, name) for name in os.listdir(folder)]
    if len(files) >= MAX_FILES:
        files.sort(key=lambda file: os.lstat(file).st_mtime)
        for file in files[: len(files) - MAX_FILES + 1]:
            os.remove(file)


def _read_file(file: str, stamp: str, *, private: bool) -> dict[str, Any] | None:
    """Return the data of a file if checksum and stamp fit; `private`: if only the user can write it."""
    if not file:
        return None
    try:
        if private and not _is_private(os.lstat(dirname(file))):
            return None
        descriptor = os.open(file, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
        with os.fdopen(descriptor, "rb") as opened:
            found = os.fstat(descriptor)
            if not stat.S_ISREG(found.st_mode) or found.st_size > MAX_SIZE:
                return None
            if private and not _is_private(found):
                return None
            checksum, _, text = opened.read().decode("ascii").partition("\n")
    except (OSError, ValueError):
        return None
    text = text.removesuffix("\n")
    if checksum != _digest(text):
        return None
    import json

    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) and data.get("stamp") == stamp else None


def _is_private(found: os.stat_result) -> bool:
    """Return True if the user owns it, and nobody else may write it."""
    if not hasattr(os, "geteuid"):
        return True  # no owners as POSIX has them; the folder belongs to the user's profile
    return found.st_uid == os.geteuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _cache_file(text: str) -> str:
    """Return the file that keeps a ruleset with this text; empty if there is no cache folder."""
    folder = os.environ.get(VARIABLE)
    if folder is None:
        home = os.environ.get("LOCALAPPDATA") if sys.platform == "win32" else os.environ.get("XDG_CACHE_HOME")
        folder = join(home or join(expanduser("~"), ".cache"), "handful")
    if not folder or not isabs(folder):
        return ""
    return join(folder, f"{_digest(_stamp() + text)}.json")


def _version() -> str:
    from handful import __version__

    return f"{FORMAT} {LANGUAGE} {__version__}"


def _stamp() -> str:
    """Return the versions that what is kept depends on, with the state of the engine's files."""
    states = [os.stat(join(_RULES, name)) for name in _ENGINE]
    return " ".join([_version(), *[f"{state.st_mtime_ns}:{state.st_size}" for state in states]])


def _digest(text: str) -> str:
    try:
        from _sha256 import sha256  # type: ignore[import-not-found]  # much faster to import than hashlib
    except ImportError:
        from hashlib import sha256
    digest: str = sha256(text.encode()).hexdigest()
    return digest
