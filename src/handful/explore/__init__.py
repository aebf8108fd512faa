"""Odds over ranges: queries, tables, inverse questions, comparisons and claims.

    Query.parse(["table", "uwr", "direct", "attribute=1..8", "target=1..3"]).table(rules)
    solve(rules, "direct", "attribute", Fraction(4, 5), params={"target": 2})

Pure: everything is worked out from exact odds, and nothing about a game is known here.
Nothing is imported here, so that `handful odds` loads the module of its query and no other.
"""
