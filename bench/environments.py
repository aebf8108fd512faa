"""Creates one virtual environment per library under `.bench/`.

Each contains only its library and dependencies: some libraries get slower when others are installed.
Handful is installed as its users install it, again whenever its files have changed.
The newest icepool requires Python 3.12 but runs on 3.11, so the requirement is ignored.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

BENCH = Path(__file__).parent
ROOT = BENCH.parent
HOME = ROOT / ".bench"
PEERS = ("icepool", "dyce")
LIBRARIES = ("handful", *PEERS)


def python(library: str) -> Path:
    return HOME / library / "bin" / "python"


def make(library: str) -> None:
    """Create the environment unless it exists and is up to date."""
    stamp, wanted = HOME / library / "created", _requirements(library)
    if stamp.exists() and stamp.read_text() == wanted:
        if library == "handful":
            _refresh()
        return
    shutil.rmtree(HOME / library, ignore_errors=True)
    _run(sys.executable, "-m", "venv", HOME / library)
    if library == "handful":
        pins = ("-c", ROOT / "constraints.txt")
        _install(library, *pins, "hatchling")
        _install(library, *pins, "--no-build-isolation", f"{ROOT}[sim]")
        (HOME / library / "installed").write_text(_source_hash())
    else:
        _install(library, "--ignore-requires-python", "-r", BENCH / "peers" / f"{library}.txt")
    stamp.write_text(wanted)


def _refresh() -> None:
    """Reinstall Handful if its files have changed."""
    stamp, digest = HOME / "handful" / "installed", _source_hash()
    if not stamp.exists() or stamp.read_text() != digest:
        _install("handful", "--no-build-isolation", "--no-deps", "--force-reinstall", ROOT)
        stamp.write_text(digest)


def _source_hash() -> str:
    """Return a hash of Handful's source files."""
    digest = hashlib.sha256()
    for folder in (ROOT / "src", ROOT / "rulesets"):
        for file in sorted(folder.rglob("*.*")):
            if file.suffix in (".py", ".toml"):
                digest.update(str(file).encode() + file.read_bytes())
    return digest.hexdigest()


def _requirements(library: str) -> str:
    if library == "handful":
        files = [ROOT / "constraints.txt", ROOT / "pyproject.toml"]
    else:
        files = [BENCH / "peers" / f"{library}.txt"]
    return "\n".join([sys.version, *(file.read_text() for file in files)])


def _install(library: str, *what: str | Path) -> None:
    _run(python(library), "-m", "pip", "install", "-qq", "--disable-pip-version-check", *what)


def _run(*command: str | Path) -> None:
    subprocess.run([str(part) for part in command], check=True)
