"""The web table: HTTP and WebSocket API around `handful.table`, and the static pages.

This package transports and holds no rules: `handful.table` decides commands, `handful.store` saves
them.  Invariant: everything sent to a seat follows from what `handful.table` says that seat knows.
"""
