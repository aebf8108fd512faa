"""Odds over ranges: queries, tables, inverse questions, comparisons and claims.

    Query.parse(["table", "uwr", "direct", "attribute=1..8", "target=1..3"]).table(rules)
    solve(rules, "direct", "attribute", Fraction(4, 5), params={"target": 2})

Pure functions of exact odds; no module here knows a particular game or reads a file.
This file imports nothing, so that `handful odds` loads only the modules that it needs.
"""
