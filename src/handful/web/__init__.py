"""The web table: HTTP and WebSocket API around `handful.table`, and the static pages.

This package transports and holds no rules: `handful.table` decides commands, `handful.store` saves
them.  Invariant: everything sent to a seat is a projection that `handful.table` made for that seat.
"""
