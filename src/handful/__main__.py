"""`python -m handful` is the `handful` command."""

import sys

from handful.cli import main

if __name__ == "__main__":
    sys.exit(main())
