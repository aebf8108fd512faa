"""The pages of docs/ as a site: `make docs`."""

project = "Handful"
author = "The Handful authors"
copyright = author
extensions = ["myst_parser", "handful.sphinx"]
myst_enable_extensions = ["deflist"]
html_theme = "furo"
html_title = "Handful"
myst_heading_anchors = 3
handful_games = {"cookbook": "cookbook/ruleset.toml"}
