"""Finds and reads ruleset files; nothing else in Handful reads files."""

from __future__ import annotations

import os
from pathlib import Path

from handful.errors import FileFault, Refused, did_you_mean, listed
from handful.rules import load as loading
from handful.rules.params import canonical, lookup

FILE = "ruleset.toml"
MOST_BASES = 8


def shipped_folder() -> Path:
    """Where the shipped rulesets lie: beside the package, or at the top of a working copy."""
    beside = Path(__file__).parents[1] / "rulesets"
    return beside if beside.is_dir() else Path(__file__).parents[3] / "rulesets"


def shipped() -> list[str]:
    """The names of the shipped rulesets."""
    return sorted(path.parent.name for path in shipped_folder().glob(f"*/{FILE}"))


def ruleset_path(name: str) -> Path:
    """The file of a ruleset: a shipped one by its name, or a path to a file or folder."""
    path = Path(name)
    if (own := lookup(name, shipped())) is not None:
        return shipped_folder() / own / FILE
    if path.suffix == ".toml" or "/" in name or "\\" in name or os.path.exists(path):
        return path / FILE if os.path.isdir(path) else path
    raise Refused(
        f"there is no ruleset {name[:60]!r}; there is {listed(shipped())}, or a path to a file",
        did_you_mean(canonical(name), shipped()),
    )


def read_sources(path: Path, seen: tuple[Path, ...] = ()) -> list[loading.Source]:
    """The texts of a ruleset file and of those it extends, base first."""
    if path.resolve() in seen or len(seen) >= MOST_BASES:
        raise FileFault(f"{path}: rulesets extend each other in a circle, or too deeply")
    source = loading.Source(str(path), _read_text(path))
    base = source.data.get("extends")
    if base is None:
        return [source]
    if not isinstance(base, str):
        raise FileFault(f"{path}: extends must name a ruleset or a path")
    own = lookup(base, shipped())
    target = shipped_folder() / own / FILE if own else path.parent / base
    if os.path.isdir(target):
        target = target / FILE
    if not os.path.exists(target):
        raise FileFault(
            f"{path}: it extends {base!r}, which is neither a shipped ruleset nor a file",
            did_you_mean(canonical(base), shipped()),
        )
    return [*read_sources(target, (*seen, path.resolve())), source]


def _read_text(path: Path) -> str:
    try:
        if path.stat().st_size > 4 * loading.LARGEST_FILE:
            raise FileFault(f"{path}: is too large to be a ruleset")
        return path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise FileFault(f"{path}: there is no such file") from None
    except UnicodeDecodeError as error:
        raise FileFault(f"{path}: is not UTF-8 text (byte {error.start})") from None
    except OSError as error:
        raise FileFault(f"{path}: cannot be read ({error.strerror or error})") from None
