"""Shell completion of games, checks, parameters, house rules and their values.

Bash splits words at `=`, other shells do not; both forms are handled.
A completion never fails: on any error it offers nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import wraps

import click
from click.shell_completion import CompletionItem

from handful import library
from handful.rules.params import Param, match_name
from handful.rules.ruleset import Check, Option, Ruleset, localize

Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def _ignore_errors(completer: Completer) -> Completer:
    @wraps(completer)
    def complete(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
        try:
            return completer(ctx, parameter, incomplete)
        except Exception:
            return []

    return complete


@_ignore_errors
def rulesets(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    names = [name for name in library.known() if name.startswith(incomplete.lower())]
    return [CompletionItem(name) for name in names] or [CompletionItem(incomplete, type="file")]


@_ignore_errors
def checks(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    rules = _rules(ctx)
    found = [
        CompletionItem(check.name, help=localize(check.title))
        for check in rules.checks.values()
        if check.program is not None and check.name.startswith(incomplete.lower())
    ]
    if found or rules.usual_check is None or not incomplete:
        return found
    usual = rules.check(rules.usual_check)
    bare = bool(ctx.params.get("characters"))
    return [*_parameters(usual, (), incomplete), *_names(rules, usual, incomplete, bare=bare)]


@_ignore_errors
def words(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    rules, typed = _rules(ctx), list(ctx.params.get("words") or ())
    last_option = list(ctx.params.get("options") or ())[-1:]
    if last_option and "=" not in last_option[0] and (option := match_name(last_option[0], rules.options)):
        return _matching(_option_values(rules.options[option]), incomplete)
    check, typed = _check(rules, ctx.params["check"], typed)
    if (pair := _split_at_equals(typed, incomplete, check.params)) is not None:
        return _matching(values(check.params[pair[0]]), pair[1])
    name, equals, value = incomplete.partition("=")
    if equals and (param := match_name(name, check.params)):
        return _matching((f"{name}={v}" for v in values(check.params[param])), f"{name}={value}")
    sides = [check.sides.word] if check.sides else []
    return [
        *_parameters(check, typed, incomplete),
        *_matching(sides, incomplete),
        *_names(rules, check, incomplete, bare=bool(ctx.params.get("characters"))),
    ]


@_ignore_errors
def options(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    rule_options = _rules(ctx).options
    name, equals, value = incomplete.partition("=")
    if equals and (found := match_name(name, rule_options)):
        return _matching((f"{name}={v}" for v in _option_values(rule_options[found])), f"{name}={value}")
    return [
        CompletionItem(f"{option.name}=", help=localize(option.label))
        for option in rule_options.values()
        if option.name.startswith(incomplete.lower())
    ]


@_ignore_errors
def characters(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    named = ctx.params.get("ruleset") or (ctx.args[0] if ctx.args else None)
    games = [named] if named else library.shipped()
    names = [name for game in games for name in library.character_names(library.ruleset_path(game))]
    found = _matching(names, incomplete)
    return found or [CompletionItem(incomplete, type="file")]


def complete_line(words: Sequence[str], incomplete: str) -> list[str]:
    """Return completions for a line typed at the prompt of `handful play`, without a shell."""
    from click.shell_completion import ShellComplete

    from handful.cli.app import handful

    shell = ShellComplete(handful, {}, "handful", "_HANDFUL_COMPLETE")
    return [item.value for item in shell.get_completions(list(words), incomplete) if item.type == "plain"]


# -- parts


def _rules(ctx: click.Context) -> Ruleset:
    # After an option without its value, click leaves the arguments in `args`.
    named = ctx.params.get("ruleset") or ctx.args[0]
    return library.ruleset(named).rules


def _check(rules: Ruleset, word: str, typed: list[str]) -> tuple[Check, list[str]]:
    """Return the check that is typed, or the usual one, and the words that belong to it."""
    if match_name(word, rules.checks) is not None or rules.usual_check is None:
        return rules.check(word), typed
    return rules.check(rules.usual_check), [word, *typed]


def _parameters(check: Check, typed: Sequence[str], incomplete: str) -> list[CompletionItem]:
    return [
        CompletionItem(f"{param.name}=", help=localize(param.label))
        for param in _not_yet_given(check, typed)
        if param.name.startswith(incomplete.lower())
    ]


def _names(rules: Ruleset, check: Check, incomplete: str, *, bare: bool) -> list[CompletionItem]:
    """Complete attributes, skills and named difficulties, unless a parameter matches.

    `bare`: a character has the numbers, so names need no value.
    """
    if not incomplete or any(name.startswith(incomplete.lower()) for name in check.params):
        return []
    from handful.rules.name_resolution import (
        checkable_names,
    )  # keeps other commands fast

    found = checkable_names(rules, check)
    names = [name + "=" * (not bare) for group in found.values() for name in group]
    rungs = [one for param in check.params.values() if param.type == "ladder" for one in param.ladder]
    return _matching([*names, *rungs], incomplete)


def _matching(values: Iterable[str], incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(v) for v in values if v.lower().startswith(incomplete.lower())]


def _split_at_equals(typed: Sequence[str], incomplete: str, names: Iterable[str]) -> tuple[str, str] | None:
    """Return name and incomplete value if the shell has split `name=value`; else None."""
    if typed and typed[-1] == "=":
        typed = typed[:-1]
    if not typed or "=" in incomplete or "=" in typed[-1]:
        return None
    name = match_name(typed[-1], names)
    return (name, incomplete) if name else None


def values(param: Param) -> list[str]:
    if param.type == "truth":
        return ["yes", "no"]
    names = list(param.values) + (list(param.ladder) if param.type == "ladder" else [])
    return names + list(param.words)


def _option_values(option: Option) -> list[str]:
    return [str(v).lower() if isinstance(v, bool) else str(v) for v in option.values]


def _not_yet_given(check: Check, typed: Sequence[str]) -> list[Param]:
    """Return the parameters that are not yet typed on the current side."""
    separators = [index for index, word in enumerate(typed) if word.lower() in ("vs", "with")]
    current_side = typed[separators[-1] + 1 :] if separators else typed
    given = {match_name(word.partition("=")[0], check.params) for word in current_side}
    params = check.per_side() if separators else check.params.values()
    return [param for param in params if param.name not in given]
