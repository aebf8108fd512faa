"""`handful completion`: the completion script of a shell."""

from __future__ import annotations

import click
from click.shell_completion import ShellComplete, get_completion_class

from handful.cli import console
from handful.cli.arguments import WithExamples

SHELLS = ("bash", "zsh", "fish")
EXAMPLES = [
    ("handful completion bash", 'to enable, add to ~/.bashrc: eval "$(handful completion bash)"'),
    ("handful completion zsh", 'to enable, add to ~/.zshrc: eval "$(handful completion zsh)"'),
    ("handful completion fish", "to enable, run: handful completion fish | source"),
]
# The value follows a name that ends in "=" without a blank.
NO_SPACE = "    [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace\n\n    return 0\n"


@click.command(cls=WithExamples, examples=EXAMPLES)
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print a shell completion script.

    It completes commands, games, checks, parameters, house rules and their values.
    """
    from handful.cli.app import handful

    completion_class = get_completion_class(shell)
    assert completion_class is not None
    completer = completion_class(handful, {}, "handful", "_HANDFUL_COMPLETE")
    script = ShellComplete.source(completer)  # BashComplete.source would start bash to check its version
    console.emit(script.replace("    return 0\n", NO_SPACE) if shell == "bash" else script)
