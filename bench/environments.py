"""One clean environment per library, made once under `.bench/`.

Each holds its library and what that needs, nothing else: some libraries get slower beside others.
Handful is installed as its users install it, anew whenever its files have changed.
The newest icepool asks for Python 3.12 but runs on 3.11, so its wish is not enforced.
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
    """Makes the environment unless it is there and up to date."""
    stamp, wanted = HOME / library / "made", _wanted(library)
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
        (HOME / library / "installed").write_text(_files())
    else:
        _install(library, "--ignore-requires-python", "-r", BENCH / "peers" / f"{library}.txt")
    stamp.write_text(wanted)


def _refresh() -> None:
    """Installs Handful again if its files are not those of the last time."""
    stamp, files = HOME / "handful" / "installed", _files()
    if not stamp.exists() or stamp.read_text() != files:
        _install("handful", "--no-build-isolation", "--no-deps", "--force-reinstall", ROOT)
        stamp.write_text(files)


def _files() -> str:
    """What Handful is made of, in short."""
    files = hashlib.sha256()
    for folder in (ROOT / "src", ROOT / "rulesets"):
        for file in sorted(folder.rglob("*.*")):
            if file.suffix in (".py", ".toml"):
                files.update(str(file).encode() + file.read_bytes())
    return files.hexdigest()


def _wanted(library: str) -> str:
    if library == "handful":
        files = [ROOT / "constraints.txt", ROOT / "pyproject.toml"]
    else:
        files = [BENCH / "peers" / f"{library}.txt"]
    return "\n".join([sys.version, *(file.read_text() for file in files)])


def _install(library: str, *what: str | Path) -> None:
    _run(python(library), "-m", "pip", "install", "-qq", "--disable-pip-version-check", *what)


def _run(*command: str | Path) -> None:
    subprocess.run([str(part) for part in command], check=True)
