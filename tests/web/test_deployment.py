"""Files for operators: the page about running a server, the systemd unit, the container file."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from handful.cli.app import COMMANDS
from handful.cli.app import handful as command
from handful.cli.serve import serve
from handful.library import program_cache

TOP = Path(__file__).parents[2]
PAGE = (TOP / "docs" / "running.md").read_text(encoding="utf-8")
UNIT = TOP / "packaging" / "handful.service"
COMPOSE = TOP / "packaging" / "compose.yaml"
CONTAINER = (TOP / "Containerfile").read_text(encoding="utf-8")
SETTINGS = {one.envvar for one in serve.params}  # type: ignore[attr-defined]


def lines_of_handful() -> list[str]:
    lines = PAGE.replace("\\\n", " ").splitlines()
    return [line.partition("#")[0].strip() for line in lines if line.startswith("handful ")]


@pytest.mark.parametrize("line", lines_of_handful())
def test_every_command_on_the_page_can_be_given(line: str) -> None:
    _, name, *rest = shlex.split(line)
    found = command.get_command(None, name)  # type: ignore[arg-type]
    assert found is not None
    found.make_context(name, rest)  # refuses what it does not know; nothing is done


@pytest.mark.parametrize("name", ["serve", "backup", "restore", "tables", "forget", "link", "move"])
def test_the_page_shows_every_command_for_a_server(name: str) -> None:
    assert name in COMMANDS
    assert any(line.split()[1] == name for line in lines_of_handful())


def test_the_composed_containers_are_started_as_the_command_line_allows() -> None:
    yaml = pytest.importorskip("yaml")
    services = yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))["services"]
    own, database = services["handful"], services["database"]
    name, *rest = own["command"]
    found = command.get_command(None, name)  # type: ignore[arg-type]
    assert found is not None
    assert found.make_context(name, rest).params["typed_workers"] == "2"
    assert {one for one in own["environment"] if one.startswith("HANDFUL_")} <= SETTINGS
    assert own["environment"]["PGPASSWORD"] == database["environment"]["POSTGRES_PASSWORD"]
    assert (COMPOSE.parent / own["build"]["context"] / own["build"]["dockerfile"]).exists()
    assert own["ports"] == ["127.0.0.1:8000:8000"], "for the proxy on this machine alone"
    assert "[web,postgres]" in CONTAINER
    assert "packaging/compose.yaml" in PAGE


def test_the_page_names_the_existing_files() -> None:
    assert "packaging/handful.service" in PAGE
    assert "podman build -t handful ." in PAGE
    for name in re.findall(r"HANDFUL_\w+", PAGE + CONTAINER):
        assert name in {*SETTINGS, program_cache.VARIABLE}


def test_the_unit_is_understood_by_systemd(tmp_path: Path) -> None:
    """With the command where it is on this machine."""
    text = UNIT.read_text(encoding="utf-8")
    started = re.search(r"^ExecStart=\S+/(handful serve .*)$", text, re.MULTILINE)
    assert started is not None
    _, name, *rest = shlex.split(started[1])
    command.get_command(None, name).make_context(name, rest)  # type: ignore[arg-type, union-attr]
    for right in ("DynamicUser=yes", "StateDirectory=handful", "KillSignal=SIGTERM"):
        assert right in text.splitlines()
    if shutil.which("systemd-analyze") is None:
        pytest.skip("there is no systemd here")
    own = tmp_path / "handful.service"
    own.write_text(text.replace("/opt/handful/bin/handful", sys.executable), encoding="utf-8")
    done = subprocess.run(["systemd-analyze", "verify", str(own)], capture_output=True, text=True)
    assert "handful.service" not in done.stderr, done.stderr


def instructions() -> list[tuple[str, str]]:
    text = CONTAINER.replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(line.split()[0], line.partition(" ")[2].strip()) for line in lines]


def test_the_container_has_no_rights_a_volume_and_a_health_check() -> None:
    """The last stage, line by line; what it copies is there."""
    found = instructions()
    assert {name for name, _ in found} <= {
        "FROM",
        "WORKDIR",
        "COPY",
        "RUN",
        "USER",
        "VOLUME",
        "ENV",
        "EXPOSE",
        "STOPSIGNAL",
        "HEALTHCHECK",
        "ENTRYPOINT",
        "CMD",
    }
    for name, words in found:
        sources = [one for one in words.split()[:-1] if not one.startswith("--")]
        if name == "COPY" and "--from" not in words:
            assert all((TOP / one).exists() for one in sources), words
    last = found[max(at for at, (name, _) in enumerate(found) if name == "FROM") :]
    named = dict(last)
    assert named["USER"] == "handful"
    assert named["VOLUME"] == "/data"
    assert "HANDFUL_DATA=/data/" in named["ENV"]
    assert "/healthz" in named["HEALTHCHECK"]
    order = [name for name, _ in last]
    assert order.index("RUN") < order.index("USER") < order.index("ENTRYPOINT")
    ignored = (TOP / ".containerignore").read_text(encoding="utf-8").splitlines()
    for name, words in found:
        if name == "COPY" and "--from" not in words:
            assert {f"!{one.strip('./')}" for one in words.split()[:-1]} <= {*ignored}


@pytest.mark.proof
def test_the_container_is_built_where_there_is_an_engine() -> None:
    engine = next((one for one in ("podman", "docker") if shutil.which(one)), None)
    asks = [engine or "", "image", "inspect", "python:3.12-slim"]
    if engine is None or subprocess.run(asks, capture_output=True).returncode:
        pytest.skip("there is no engine with python:3.12-slim here")
    build = [engine, "build", "-q", "-f", "Containerfile", "."]
    done = subprocess.run(build, cwd=TOP, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
