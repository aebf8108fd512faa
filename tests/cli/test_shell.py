"""The command started from a shell: completion, lazy imports, failing output."""

import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from cli_runner import run_cli


def shell(*words: str, **settings: Any) -> subprocess.CompletedProcess[str]:
    outside = {k: v for k, v in os.environ.items() if not k.startswith("_HANDFUL")}
    settings["env"] = outside | settings.get("env", {})
    return subprocess.run(
        [sys.executable, "-m", "handful", *words],
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
        **({"stdout": subprocess.PIPE} | settings),
    )


def completed(line: str, *, cut: bool = False) -> set[str]:
    """Return the completions of the last word; bash splits words at `=`."""
    words = line.replace("=", " = ").split(" ") if cut else line.split(" ")
    env = {
        "_HANDFUL_COMPLETE": "bash_complete",
        "COMP_WORDS": "\n".join(words),
        "COMP_CWORD": str(len(words) - 1),
    }
    return {item.partition(",")[2] for item in shell(env=env).stdout.splitlines()}


def test_completion() -> None:
    assert completed("handful od") == {"odds"}
    assert completed("handful si") == {"simulate"}
    assert "attribute=" in completed("handful simulate uwr direct ")
    assert completed("handful odds u") == {"uwr"}
    assert completed("handful pl") == {"play"}
    assert completed("handful play u") == {"uwr"}
    assert completed("handful play uwr direct attr") == {"attribute="}
    assert completed("handful roll uwr d") == {"direct"}


@pytest.mark.proof
def test_completion_of_parameters_and_options() -> None:
    assert {"attribute=", "target="} <= completed("handful odds uwr direct ")
    assert "attribute=" not in completed("handful odds uwr direct attribute=3 ")
    assert "with" in completed("handful odds tuurna group level=3 ")
    assert completed("handful odds tuurna group judge=m") == {"judge=max", "judge=min"}
    assert completed("handful odds tuurna group judge=m", cut=True) == {"max", "min"}
    assert completed("handful odds uwr direct --option reroll_st") == {"reroll_stack="}
    assert completed("handful odds uwr direct --option reroll_stack=d") == {"reroll_stack=distinct"}
    assert completed("handful odds uwr direct --option reroll_stack=d", cut=True) == {"distinct"}


def test_the_script_that_switches_completion_on() -> None:
    for name in ("bash", "zsh", "fish"):
        assert "_HANDFUL_COMPLETE" in run_cli(f"completion {name}").out


def test_odds_load_only_what_they_need() -> None:
    code = (
        "import sys; from handful.cli import main; main(['odds', 'uwr', 'direct', 'attribute=2']);"
        "print(*(set(sys.modules) & {'rich', 'numpy', 'handful.cli.repl', 'difflib'}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.splitlines()[-1] == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("words", [["odds", "uwr", "direct", "attribute=2"], ["--help"]])
def test_an_output_that_cannot_be_written(words: list[str]) -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = shell(*words, stdout=full)
    assert done.returncode == 1
    assert done.stderr.startswith("handful: ")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.skipif(os.name == "nt", reason="pipes of a Unix shell")
def test_a_reader_that_goes_away_gets_no_complaint() -> None:
    line = f"{shlex.quote(sys.executable)} -m handful checks me-d6 | true"
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False, timeout=60)
    assert done.stderr == ""


def test_an_output_without_block_characters() -> None:
    done = shell("odds", "uwr", "direct", "attribute=2", env={"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0
    assert "###" in done.stdout
    assert "?" not in done.stdout
