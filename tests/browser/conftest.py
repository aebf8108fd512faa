"""Server of the browser tests: one per module; modules that kill or limit it define their own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from servers import ServerThread


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerThread]:
    with ServerThread(tmp_path_factory.mktemp("server") / "tables.db") as running:
        yield running
