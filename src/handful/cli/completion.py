"""`handful completion`: the script that lets a shell complete words."""

from __future__ import annotations

import click
from click.shell_completion import ShellComplete, get_completion_class

from handful.cli import console
from handful.cli.arguments import WithExamples

SHELLS = ("bash", "zsh", "fish")
EXAMPLES = [
    ("handful completion bash", 'switch it on: eval "$(handful completion bash)" in ~/.bashrc'),
    ("handful completion zsh", 'switch it on: eval "$(handful completion zsh)" in ~/.zshrc'),
    ("handful completion fish", "switch it on: handful completion fish | source"),
]
# A name that ends in "=" wants its value at once, without a blank between.
NO_BLANK = "    [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace\n\n    return 0\n"


@click.command(cls=WithExamples, examples=EXAMPLES)
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print a script that completes games, checks, parameters, house rules and values."""
    from handful.cli.app import handful

    complete = get_completion_class(shell)
    assert complete is not None
    asked = complete(handful, {}, "handful", "_HANDFUL_COMPLETE")
    script = ShellComplete.source(asked)  # not Bash's own: that starts a bash to ask its version
    console.emit(script.replace("    return 0\n", NO_BLANK) if shell == "bash" else script)
