"""`handful export` and `handful verify`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from handful.cli.app import handful as command
from handful.errors import Refused
from handful.library.tables import new_table, open_table
from handful.table import Command


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "evening.handful"
    kept = new_table("uwr", name="evening", file=path)
    kept.do("gm", Command("seat", "1", {"name": "ann", "role": "player"}))
    for key, mode in (("1", "public"), ("2", "secret")):
        asked = {"check": "direct", "parameters": {"attribute": 3, "target": 1}, "mode": mode}
        kept.do("gm", Command("declare", f"d{key}", asked))
        kept.do("gm", Command("throw", f"t{key}", {"roll": f"gm/d{key}"}))
    kept.store.close()
    return path


def test_an_export_verifies_and_holds_no_secret(file: Path, tmp_path: Path) -> None:
    logs = {}
    for seat in ("gm", "ann"):
        done = CliRunner().invoke(command, ["export", str(file), "--seat", seat])
        assert done.exit_code == 0, done.output
        log = tmp_path / f"{seat}.log"
        log.write_bytes(done.output.encode())
        logs[seat] = done.output
        checked = CliRunner().invoke(command, ["verify", str(log)])
        assert checked.exit_code == 0, checked.output
        assert "faces by their keys" in checked.output
    assert "gm/d2" in logs["gm"]
    assert "gm/d2" not in logs["ann"]
    broken = tmp_path / "broken.log"
    broken.write_text(logs["ann"].replace('"target":1', '"target":2', 1))
    assert CliRunner().invoke(command, ["verify", str(broken)]).exit_code == 1
    assert CliRunner().invoke(command, ["verify", str(broken), "--json"]).exit_code == 1
    for changed in (
        b"\xef\xbb\xbf" + logs["ann"].encode(),
        logs["ann"].encode().replace(b"\n", b"\r\n"),
    ):
        broken.write_bytes(changed)
        assert CliRunner().invoke(command, ["verify", str(broken)]).exit_code == 1


def test_export_refuses_missing_tables_and_seats(file: Path) -> None:
    for words in (["--seat", "bob"], ["--seat", "ann", "--name", "other"]):
        assert CliRunner().invoke(command, ["export", str(file), *words]).exit_code != 0


def test_a_table_that_cannot_be_opened_leaves_no_file_and_no_half_table(tmp_path: Path) -> None:
    path = tmp_path / "evening.handful"
    for wrong in ({"name": "a/b"}, {"gm": ""}, {"gm": "a/b"}):
        with pytest.raises(Refused):
            new_table("uwr", file=path, **wrong)
        assert not path.exists()
    new_table("uwr", file=path).store.close()
    with pytest.raises(Refused):
        new_table("uwr", name="two\nlines", file=path)
    kept = open_table(path)  # one table, so it needs no name
    kept.store.close()


def test_tables_are_stored_by_name(file: Path) -> None:
    new_table("tuurna", name="second", file=file).store.close()
    kept = open_table(file, "second")
    assert kept.view("gm")["game"]["id"] == "tuurna"
    kept.store.close()


def test_verify_compares_logs_of_two_seats(file: Path, tmp_path: Path) -> None:
    paths = []
    for seat in ("gm", "ann"):
        paths.append(str(tmp_path / f"{seat}.log"))
        Path(paths[-1]).write_bytes(
            CliRunner().invoke(command, ["export", str(file), "--seat", seat]).output.encode()
        )
    agreed = CliRunner().invoke(command, ["verify", *paths])
    assert agreed.exit_code == 0, agreed.output
    assert agreed.output.splitlines()[-1] == "the logs agree"
    found = json.loads(CliRunner().invoke(command, ["verify", *paths, "--json"]).output)
    assert [log["file"] for log in found["logs"]] == paths
    assert found["problems"] == []
    another = new_table("uwr", name="another", gm="gm")
    Path(paths[1]).write_text(another.export("gm"))
    differs = CliRunner().invoke(command, ["verify", *paths])
    assert differs.exit_code == 1
    assert "is of the table 'evening'" in differs.output
