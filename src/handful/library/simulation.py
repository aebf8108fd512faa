"""Optional access to `handful.simulate`, which needs numpy.

Importing this module does not import numpy; a missing numpy is reported when it is needed.
"""

from __future__ import annotations

from typing import Any

from handful.errors import Message, NotInstalled


def simulation() -> Any:
    """Return the simulation package; raise NotInstalled if numpy is missing."""
    try:
        from handful import simulate
    except ModuleNotFoundError as missing:
        if missing.name is None or missing.name.partition(".")[0] != "numpy":
            raise
        raise NotInstalled(Message("simulation.needs_numpy"), Message("simulation.install_numpy")) from None
    return simulate


def own_seed(seed: int | None) -> int:
    """Return the given seed, or a random one; results report it."""
    import secrets  # imported late: slow, and most commands need no seed

    return secrets.randbits(48) if seed is None else seed
