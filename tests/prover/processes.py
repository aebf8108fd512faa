"""Questions to a new process, with another order of sets and nothing remembered."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from prover.games import Game, Question
from prover.interview import Answer, Difference, Interview, asked, loaded

TESTS = Path(__file__).parents[1]
Asked = tuple[str, Question, str, str]  # a game's text, a question, a policy, the cold answer


def as_text(answer: Answer) -> str:
    """An answer as one line that two processes can compare."""
    return answer if isinstance(answer, str) else json.dumps(answer.to_dict(), sort_keys=True)


def of(talk: Interview) -> list[Asked]:
    """The questions of an interview."""
    pairs = zip(talk.pairs, talk.cold, strict=True)
    return [(talk.game.toml, *pair, as_text(cold)) for pair, cold in pairs]


def ask_elsewhere(questions: Sequence[Asked], hash_seed: int) -> None:
    """Ask them all in one new process, the last one first; raises what differs."""
    sent = [
        [toml, dict(one.params), [dict(side) for side in one.sides], dict(one.options), policy]
        for toml, one, policy, _ in reversed(questions)
    ]
    path = os.pathsep.join([str(TESTS), str(TESTS / "support"), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-m", "prover.processes"],
        input=json.dumps(sent),
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": str(hash_seed), "PYTHONPATH": path},
    )
    for (_, question, policy, cold), found in zip(reversed(questions), json.loads(done.stdout), strict=True):
        if found != cold:
            text = f"{found:.600}, but here {cold:.600}"
            raise Difference(f"process with hash seed {hash_seed}", question, policy, text)


def main() -> None:
    """Answer the questions of standard input, in one process, as they come."""
    known = {}
    found = []
    for toml, params, sides, options, policy in json.load(sys.stdin):
        solved = known.setdefault(toml, loaded(Game("", toml, {}, {})))
        question = Question(params, tuple(sides), options)
        found.append(as_text(asked(solved, question, policy)))
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
