"""The way to simulations, which need numpy: the one part that not every installation has."""

from __future__ import annotations

import secrets
from typing import Any

from handful.errors import Refused


def simulation() -> Any:
    """The package that simulates; refused with what to install where numpy is missing."""
    try:
        from handful import simulate
    except ModuleNotFoundError as missing:
        if missing.name is None or missing.name.partition(".")[0] != "numpy":
            raise
        raise Refused("this needs numpy, which is missing: pip install 'handful[sim]'") from None
    return simulate


def own_seed(seed: int | None) -> int:
    """The seed that was given, or one from the operating system; results name it."""
    return secrets.randbits(48) if seed is None else seed
