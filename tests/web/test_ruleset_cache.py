"""What the pages show of a ruleset is computed once for equal rules, and only so much is kept."""

from __future__ import annotations

import handful
from handful.rules.ruleset import Ruleset
from handful.web.ruleset_cache import RulesetCache


def test_equal_rules_share_an_entry_and_languages_do_not() -> None:
    computed: list[tuple[str, str]] = []

    def describe(rules: Ruleset, language: str) -> str:
        computed.append((rules.id, language))
        return f"{rules.id} {language}"

    cache = RulesetCache(describe)
    once, again = handful.ruleset("uwr").rules, handful.ruleset("uwr").rules
    assert once is not again
    assert [cache.get(rules, "en") for rules in (once, again, once)] == ["uwr en"] * 3
    assert cache.get(once, "de") == "uwr de"
    assert computed == [("uwr", "en"), ("uwr", "de")]


def test_the_entry_that_was_used_longest_ago_is_dropped() -> None:
    computed: list[str] = []
    cache = RulesetCache(lambda rules, language: computed.append(language), most=2)
    rules = handful.ruleset("uwr").rules
    for language in ("en", "de", "en", "fr", "en", "de"):
        cache.get(rules, language)
    assert computed == ["en", "de", "fr", "de"]
