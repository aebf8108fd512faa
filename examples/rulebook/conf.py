"""The example rulebook: every directive of `handful.sphinx` in two short pages."""

project = "Night Ferry"
author = "The Handful authors"
copyright = author
extensions = ["myst_parser", "handful.sphinx"]
html_theme = "furo"
exclude_patterns = ["_build"]
handful_games = {"ferry": "ruleset.toml"}  # the name that the pages use, and its file
handful_claims = "error"  # or "warn"
