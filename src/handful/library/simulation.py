"""The way to simulations, which need numpy: the one part that not every installation has."""

from __future__ import annotations

import secrets
from typing import Any

from handful.errors import NotInstalled


def simulation() -> Any:
    """The package that simulates; what to install is said where numpy is missing."""
    try:
        from handful import simulate
    except ModuleNotFoundError as missing:
        if missing.name is None or missing.name.partition(".")[0] != "numpy":
            raise
        raise NotInstalled(
            "simulations need numpy, which is not installed here", "`pip install numpy` brings it"
        ) from None
    return simulate


def own_seed(seed: int | None) -> int:
    """The seed that was given, or one from the operating system; results name it."""
    return secrets.randbits(48) if seed is None else seed
