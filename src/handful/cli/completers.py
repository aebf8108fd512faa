"""What a shell may complete: games, checks, parameters, house rules and their values.

Bash cuts words at `=`, other shells do not; both ways of asking are understood.
A completion never fails: where nothing can be read, nothing is offered.
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
    def asked(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
        try:
            return completer(ctx, parameter, incomplete)
        except Exception:
            return []

    return asked


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
    begun = list(ctx.params.get("options") or ())[-1:]
    if begun and "=" not in begun[0] and (own := match_name(begun[0], rules.options)):
        return _offered(_option_values(rules.options[own]), incomplete)
    check, typed = _check(rules, ctx.params["check"], typed)
    if (cut := _split_at_equals(typed, incomplete, check.params)) is not None:
        return _offered(values(check.params[cut[0]]), cut[1])
    name, equals, value = incomplete.partition("=")
    if equals and (own := match_name(name, check.params)):
        return _offered((f"{name}={v}" for v in values(check.params[own])), f"{name}={value}")
    sides = [check.sides.word] if check.sides else []
    return [
        *_parameters(check, typed, incomplete),
        *_offered(sides, incomplete),
        *_names(rules, check, incomplete, bare=bool(ctx.params.get("characters"))),
    ]


@_ignore_errors
def options(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    known = _rules(ctx).options
    name, equals, value = incomplete.partition("=")
    if equals and (own := match_name(name, known)):
        return _offered((f"{name}={v}" for v in _option_values(known[own])), f"{name}={value}")
    return [
        CompletionItem(f"{option.name}=", help=localize(option.label))
        for option in known.values()
        if option.name.startswith(incomplete.lower())
    ]


@_ignore_errors
def characters(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    named = ctx.params.get("ruleset") or (ctx.args[0] if ctx.args else None)
    games = [named] if named else library.shipped()
    names = [name for game in games for name in library.character_names(library.ruleset_path(game))]
    found = _offered(names, incomplete)
    return found or [CompletionItem(incomplete, type="file")]


def complete_line(words: Sequence[str], begun: str) -> list[str]:
    """The same for a line that no shell has seen: what may follow these words."""
    from click.shell_completion import ShellComplete

    from handful.cli.app import handful

    asked = ShellComplete(handful, {}, "handful", "_HANDFUL_COMPLETE")
    return [item.value for item in asked.get_completions(list(words), begun) if item.type == "plain"]


# -- parts


def _rules(ctx: click.Context) -> Ruleset:
    # Behind an option that still wants its value, click leaves the words where they are.
    named = ctx.params.get("ruleset") or ctx.args[0]
    return library.ruleset(named).rules


def _check(rules: Ruleset, word: str, typed: list[str]) -> tuple[Check, list[str]]:
    """The check that the words are about; where none is named, the usual one."""
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
    """Attributes, skills and named difficulties that begin so, where no parameter does.

    A character has their numbers.
    """
    if not incomplete or any(name.startswith(incomplete.lower()) for name in check.params):
        return []
    from handful.rules.name_resolution import sheet_names  # every command loads what completes it

    found = sheet_names(rules, check)
    names = [name + "=" * (not bare) for known in found.values() for name in known]
    rungs = [one for param in check.params.values() if param.type == "ladder" for one in param.ladder]
    return _offered([*names, *rungs], incomplete)


def _offered(values: Iterable[str], incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(v) for v in values if v.lower().startswith(incomplete.lower())]


def _split_at_equals(typed: Sequence[str], incomplete: str, known: Iterable[str]) -> tuple[str, str] | None:
    """The name and the begun value where the shell has cut `name=value` in pieces."""
    if typed and typed[-1] == "=":
        typed = typed[:-1]
    if not typed or "=" in incomplete or "=" in typed[-1]:
        return None
    own = match_name(typed[-1], known)
    return (own, incomplete) if own else None


def values(param: Param) -> list[str]:
    if param.type == "truth":
        return ["yes", "no"]
    names = list(param.values) + (list(param.ladder) if param.type == "ladder" else [])
    return names + list(param.words)


def _option_values(option: Option) -> list[str]:
    return [str(v).lower() if isinstance(v, bool) else str(v) for v in option.values]


def _not_yet_given(check: Check, typed: Sequence[str]) -> list[Param]:
    """The parameters that may still follow on this side."""
    further = [place for place, word in enumerate(typed) if word.lower() in ("vs", "with")]
    own = typed[further[-1] + 1 :] if further else typed
    given = {match_name(word.partition("=")[0], check.params) for word in own}
    params = check.per_side() if further else check.params.values()
    return [param for param in params if param.name not in given]
