"""`python -m handful` is the `handful` command."""

from handful.cli import run

if __name__ == "__main__":
    run()
