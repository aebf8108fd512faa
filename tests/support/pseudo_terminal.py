"""Commands in a pseudo-terminal: each step waits for a text, then types."""

import contextlib
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Sequence

Step = tuple[str, str]  # the text to wait for, and the answer to type
CTRL_C, CTRL_D = "\x03", "\x04"
PATIENCE = 30.0


def heed_interrupts() -> None:
    """Restore the handler of Ctrl-C: a test run in the background may ignore it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


class Terminal:
    """A command in a pseudo-terminal, with all of its output."""

    def __init__(self, *words: str, columns: int = 80, **env: str) -> None:
        own, other = pty.openpty()
        self.screen, self.seen, self.shown = own, 0, b""
        fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 30, columns, 0, 0))
        outside = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "handful", *words],
            stdin=other,
            stdout=other,
            stderr=other,
            start_new_session=True,
            preexec_fn=heed_interrupts,
            env={**outside, "TERM": "xterm", "NO_COLOR": "1", **env},
        )
        os.close(other)

    def read(self, seconds: float) -> bool:
        """Read pending output; return False at the end of it."""
        if not select.select([self.screen], [], [], seconds)[0]:
            return True
        try:
            shown = os.read(self.screen, 65536)
        except OSError:
            return False
        self.shown += shown
        return bool(shown)

    @property
    def text(self) -> str:
        """Return all output so far, without an incomplete last character."""
        return self.shown.decode(errors="ignore").replace("\r\n", "\n")

    def wait_for(self, part: str) -> None:
        end = time.monotonic() + PATIENCE
        while part not in self.text[self.seen :]:
            assert time.monotonic() < end, f"no {part!r} in:\n{self.text}"
            assert self.read(0.2), f"ended without {part!r}:\n{self.text}"
        self.seen = self.text.index(part, self.seen) + len(part)

    def type(self, text: str) -> None:
        if text == CTRL_C:
            self.interrupt()
        else:
            os.write(self.screen, (text if text == CTRL_D else text + "\n").encode())

    def interrupt(self) -> None:
        """Press Ctrl-C, repeatedly if it came before the command installed its handler."""
        for _ in range(10):
            self.process.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(2)
                return

    def end(self) -> int:
        """Read to the end and return the exit status."""
        end = time.monotonic() + PATIENCE
        while self.read(0.2):
            assert time.monotonic() < end, f"does not end:\n{self.text}"
            if self.process.poll() is not None and not select.select([self.screen], [], [], 0)[0]:
                break
        os.close(self.screen)
        return self.process.wait(PATIENCE)


def talk(words: Sequence[str], steps: Sequence[Step], *, columns: int = 80, **env: str) -> tuple[int, str]:
    """Run a command through these steps; return its exit status and its output."""
    terminal = Terminal(*words, columns=columns, **env)
    try:
        for part, answer in steps:
            terminal.wait_for(part)
            terminal.type(answer)
        return terminal.end(), terminal.text
    finally:
        if terminal.process.poll() is None:
            terminal.process.kill()
            terminal.process.wait()
