"""Finds and reads the files of rulesets and characters; `program_cache` reads what was kept of them.

Paths are strings, because importing `pathlib` would slow down the start of every command.
Invariant: files are bounded in size, and writes are atomic.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from os.path import abspath, basename, dirname, exists, isdir, join, realpath
from typing import TYPE_CHECKING

from handful.errors import FileFault, Message, Refused, did_you_mean
from handful.library.program_cache import keep, read_kept
from handful.rules import load as loading
from handful.rules.params import find_name, match_name, normalize_name

if TYPE_CHECKING:
    from pathlib import Path

    from handful.rules.ruleset import Ruleset as Rules

FILE = "ruleset.toml"
FAMILIES = "families"  # folder of the families of mechanics, next to the games
CHARACTERS = "characters"  # folder of sample characters, next to a ruleset
MOST_BASES = 8
LARGEST_LOG = 1 << 30  # bytes
PACKAGE = dirname(dirname(abspath(__file__)))
INSTALLED = join(PACKAGE, "rulesets")


def shipped_folder() -> Path:
    """Return the folder of the shipped rulesets: in the package, or at the top of a working copy."""
    from pathlib import Path

    return Path(_shipped_folder())


def _shipped_folder() -> str:
    return INSTALLED if isdir(INSTALLED) else join(dirname(dirname(PACKAGE)), "rulesets")


def shipped() -> list[str]:
    """Return the names of the shipped games."""
    return _rulesets_in(_shipped_folder())


def families() -> list[str]:
    """Return the names of the shipped families: common mechanics to try out and to extend."""
    return _rulesets_in(join(_shipped_folder(), FAMILIES))


def known() -> list[str]:
    """Return the names of all shipped rulesets: games first, then families."""
    return [*shipped(), *families()]


def _rulesets_in(folder: str) -> list[str]:
    return sorted(name for name in os.listdir(folder) if exists(join(folder, name, FILE)))


def _shipped_path(name: str) -> str | None:
    """Return the file of a shipped game or family; None if there is none of that name."""
    folder = _shipped_folder()
    if name.isalnum() and exists(exact := join(folder, name, FILE)):
        return exact
    for names, parts in ((shipped(), ()), (families(), (FAMILIES,))):
        if (own := match_name(name, names)) is not None:
            return join(folder, *parts, own, FILE)
    return None


def is_trusted(path: str) -> bool:
    """Return whether a file belongs to the installed package, whose tests have checked it.

    In a working copy the shipped files are not trusted: they may be edited at any time.
    """
    return dirname(dirname(abspath(path))) in (INSTALLED, join(INSTALLED, FAMILIES))


def ruleset_path(name: str) -> str:
    """Return the file of a ruleset: a shipped one by its name, or a path to a file or folder."""
    if (own := _shipped_path(name)) is not None:
        return own
    if name.endswith(".toml") or "/" in name or "\\" in name or exists(name):
        return join(name, FILE) if isdir(name) else name
    try:
        return find_name(name, known(), "ruleset")
    except Refused as error:
        raise Refused(error.problem, error.advice or Message("file.path_will_do")) from None


def read_sources(path: str, seen: tuple[str, ...] = ()) -> list[loading.Source]:
    """Read a ruleset file and its bases, base first."""
    if realpath(path) in seen or len(seen) >= MOST_BASES:
        raise FileFault(Message("file.circular_bases", path=path))
    source = loading.Source(path, _read_ruleset_text(path))
    base = source.data.get("extends")
    if base is None:
        return [source]
    if not isinstance(base, str):
        raise FileFault(Message("file.extends_what", path=path))
    target = base_path(path, base)
    if target is None:
        raise FileFault(
            Message("file.unknown_base", path=path, base=base),
            did_you_mean(normalize_name(base), known()),
        )
    return [*read_sources(target, (*seen, realpath(path))), source]


def base_path(path: str, base: str) -> str | None:
    """Return the file that a ruleset file extends; None if there is none of that name."""
    target = _shipped_path(base) or join(dirname(path), base)
    if isdir(target):
        target = join(target, FILE)
    return target if exists(target) else None


def read_ruleset(path: str) -> Rules:
    """Read and load a ruleset file and its bases; what was loaded before is not parsed again."""
    installed = is_trusted(path)
    kept = read_kept(path, _read_ruleset_text, base_path, installed=installed)
    if kept is not None:
        with suppress(loading.BadRuleset):
            return loading.load(kept[0], trusted=True, programs=kept[1])
    sources = read_sources(path)
    rules = loading.load(sources, trusted=installed)
    if not installed:
        keep(rules, sources)
    return rules


def _read_ruleset_text(path: str) -> str:
    return _read_text(path, Message("file.a_ruleset"))


def short_name(path: str) -> str:
    """Return folder and file name, without the rest of the path, which is private."""
    return join(basename(dirname(path)), basename(path))


# -- characters


def character_names(file: str) -> list[str]:
    """Return the names of the sample characters of a ruleset file."""
    folder = join(dirname(file), CHARACTERS)
    if not isdir(folder):
        return []
    return sorted(name[:-5] for name in os.listdir(folder) if name.endswith(".json"))


def character_words(file: str, language: str) -> dict[str, str]:
    """Return translations of the sample characters' words; empty for English."""
    path = join(dirname(file), CHARACTERS, f"{language}.toml")
    if not exists(path):
        return {}
    import tomllib  # imported late: most commands need no translations

    return tomllib.loads(read_text(path))


def character_path(name: str, files: Sequence[str]) -> str:
    """Return the file of a character: a sample character of these rulesets by name, or a path."""
    paths: dict[str, str] = {}
    for file in files:
        for own in character_names(file):
            paths.setdefault(own, join(dirname(file), CHARACTERS, f"{own}.json"))
    if (found := match_name(name, paths)) is not None and not name.endswith(".json"):
        return paths[found]
    if name.endswith(".json") or "/" in name or "\\" in name or exists(name):
        return name
    if (found := _by_full_name(name, paths)) is not None:
        return found
    wrong = Message("file.unknown_character_path", name=name[:60])
    if paths:
        wrong = Message("file.unknown_character", name=name[:60], names=paths)
    raise Refused(
        wrong,
        did_you_mean(normalize_name(name[:60]), paths),
    )


def _by_full_name(name: str, paths: Mapping[str, str]) -> str | None:
    """Return the file of the character whose sheet has this name, such as `Mira Quill`."""
    import json

    for path in paths.values():
        with suppress(ValueError, FileFault, AttributeError):
            if normalize_name(str(json.loads(read_text(path)).get("name"))) == normalize_name(name):
                return path
    return None


def game_of(path: str, game: str) -> str:
    """Return the ruleset file of a character: of a shipped game, or in the folder above."""
    if (own := match_name(game, shipped())) is not None:
        return join(_shipped_folder(), own, FILE)
    above = join(dirname(dirname(abspath(path))), FILE)
    if exists(above):
        return above
    raise FileFault(
        Message("file.unknown_game", path=path, game=game[:40], shipped=shipped()),
        Message("file.name_ruleset"),
    )


def read_text(path: str) -> str:
    """Read a small UTF-8 file."""
    return _read_text(path, Message("file.a_character"))


def read_log(path: str) -> str:
    """Read a log unchanged: byte order mark and line ends stay."""
    return _read_text(path, Message("file.a_log"), most=LARGEST_LOG, encoding="utf-8")


def _read_text(
    path: str,
    what: Message,
    most: int = 4 * loading.MAX_FILE_LENGTH,
    encoding: str = "utf-8-sig",
) -> str:
    try:
        with open(path, "rb") as file:
            data = file.read(most + 1)  # devices and pipes do not report their size
        if len(data) > most:
            raise FileFault(Message("file.too_large", path=path, what=what))
        return data.decode(encoding)
    except FileNotFoundError:
        raise FileFault(Message("file.not_found", path=path)) from None
    except UnicodeDecodeError as error:
        wrong = Message("file.not_utf8", path=path, byte=error.start)
        raise FileFault(wrong, Message("file.save_as_utf8")) from None
    except OSError as error:
        raise FileFault(Message("file.cannot_be_read", path=path, reason=error.strerror or error)) from None


def write_atomically(path: str, content: bytes) -> None:
    """Write a file atomically: an existing file is replaced only when the new one is complete."""
    half = f"{path}.part"
    try:
        with open(half, "wb") as file:
            file.write(content)
        os.replace(half, path)
    except OSError as error:
        with suppress(OSError):
            os.remove(half)
        reason = (error.strerror or str(error)).lower()
        raise FileFault(
            Message("file.cannot_be_written", path=path, reason=reason), Message("file.see_folder")
        ) from None


def holds_tables(path: str) -> bool:
    """Return whether a file is an SQLite database, as every file of tables is."""
    return _begins(path, b"SQLite format 3\0")


def write_log(path: str, log: str) -> None:
    """Write a log; an existing file is replaced only if it is an earlier log of the same seat."""
    if exists(path) and not _begins(path, log.partition("\n")[0].encode() + b"\n"):
        raise Refused(Message("file.is_no_earlier_log", path=path), Message("file.another_file"))
    write_atomically(path, log.encode())


def _begins(path: str, head: bytes) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(len(head)) == head
    except OSError:
        return False
