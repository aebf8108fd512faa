"""The package installed from source and used from another directory."""

import importlib.util
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import httpx
import pytest
from servers import get, post, wait_until

ROOT = Path(__file__).resolve().parents[2]
GAMES = {"agga", "uwr", "fons", "tuurna", "me-d6"}


def run(*command: str | Path, folder: Path) -> str:
    """Run a command as in a new shell and give its output; a failure shows all it said."""
    # What the outer run exports must not reach the new environment.
    outside = {"PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV"}
    done = subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        env={name: value for name, value in os.environ.items() if name not in outside},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=600,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.proof
def test_a_plain_install_brings_all_five_games(tmp_path: Path) -> None:
    home = tmp_path / "env"
    programs = home / ("Scripts" if os.name == "nt" else "bin")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()

    run(sys.executable, "-m", "venv", home, folder=elsewhere)
    pip = (programs / "python", "-m", "pip")
    run(*pip, "install", "-q", "-c", ROOT / "constraints.txt", ROOT, folder=elsewhere)

    listed = run(programs / "handful", "rulesets", folder=elsewhere)
    missing = GAMES - set(re.findall(r"[\w-]+", listed))
    assert not missing

    # Its characters come along, and their sheets are read only when somebody asks for them.
    made = run(
        programs / "handful",
        "odds",
        "uwr",
        "direct",
        "--as",
        "mira",
        "attribute=Grace",
        "skill=Acrobatics",
        "target=2",
        folder=elsewhere,
    )
    assert "473/729" in made
    assert "Acrobatics, from Burglar" in made
    assert "Ylir" in run(programs / "handful", "sheet", folder=elsewhere)


@pytest.mark.proof
def test_the_built_wheel_serves_tables(tmp_path: Path) -> None:
    """What `pipx install 'handful[web]'` gives: the wheel alone, in an environment of its own."""
    dist, home, elsewhere = tmp_path / "dist", tmp_path / "env", tmp_path / "elsewhere"
    elsewhere.mkdir()
    programs = home / ("Scripts" if os.name == "nt" else "bin")
    build = ("-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", dist, ROOT)
    run(sys.executable, *build, folder=elsewhere)
    (wheel,) = dist.glob("handful-*.whl")
    run(sys.executable, "-m", "venv", home, folder=elsewhere)
    wanted = f"{wheel}[web]"
    pip = (programs / "python", "-m", "pip", "install", "-q", "-c", ROOT / "constraints.txt", wanted)
    run(*pip, folder=elsewhere)
    log = elsewhere / "log"
    with log.open("wb") as told:
        command = [programs / "handful", "serve", "--port", "0", "--data", elsewhere / "tables.db"]
        server = subprocess.Popen(command, cwd=elsewhere, stdin=subprocess.DEVNULL, stderr=told)
    try:
        found = wait_until(lambda: re.search(r"at (http://\S+)", log.read_text(encoding="utf-8")))
        wait_until(lambda: answers(f"{found[1]}/healthz"))
        assert "Handful" in get(f"{found[1]}/").text
        assert {one["id"] for one in get(f"{found[1]}/api/games").json()} == GAMES
        made = post(f"{found[1]}/api/tables", json={"game": "uwr", "title": "Friday", "demo": True})
        assert made.status_code == 201
    finally:
        server.terminate()
        server.wait(20)
    assert server.returncode == 0


def answers(url: str) -> bool:
    try:
        return get(url).status_code == 200
    except httpx.TransportError:
        return False


# -- the page of the package


def page_of_the_package(base: str) -> str:
    spec = importlib.util.spec_from_file_location("package_page", ROOT / "packaging" / "package_page.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    text: str = module.package_page((ROOT / "README.md").read_text(encoding="utf-8"), base)
    return text


RELATIVE = re.compile(r"\]\((?!https?:|#)")


def test_the_page_of_the_package_has_no_link_that_leads_nowhere() -> None:
    assert RELATIVE.search((ROOT / "README.md").read_text(encoding="utf-8"))
    assert not RELATIVE.search(page_of_the_package(""))
    page = page_of_the_package("https://forge.example/handful")
    assert not RELATIVE.search(page)
    assert "](https://forge.example/handful/docs/web.md)" in page
    assert "![" in page
    assert "![" not in page_of_the_package("")


def test_versions_whose_insides_are_used_have_an_upper_bound() -> None:
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for name in ("uvicorn", "websockets", "h11"):
        (found,) = (one for one in wanted["optional-dependencies"]["web"] if one.startswith(name))
        assert ",<" in found


# -- two stages: running, and developing


def test_running_installs_no_tools_of_developers() -> None:
    """`make -n` says what would be done; nothing is."""
    said = subprocess.run(
        ["make", "-n", "ENV=none", "run"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert "'.[web]'" in said
    assert "dev" not in said.replace("/dev/null", "")
    assert "handful serve --open" in said
    said = subprocess.run(
        ["make", "-n", "ENV=none", "lint"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert said.index("'.[web]'") < said.index("'.[dev,sim,plots,web,postgres,docs]'")
