"""Sample sizes of properties: small in `make test`, full in `make proof`.

A test that uses `sample` is marked `sampled`, so that both commands run it.
`make proof` sets `HANDFUL_PROOF=1`.
"""

from __future__ import annotations

import os

FULL = os.environ.get("HANDFUL_PROOF") == "1"


def sample(small: int, full: int) -> int:
    """Return `small` in `make test` and `full` in `make proof`."""
    return full if FULL else small
