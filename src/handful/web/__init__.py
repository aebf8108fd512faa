"""The web table: HTTP and WebSocket around the table core, and the pages that show it.

The server carries and nothing else: the core decides, the store keeps, and what a seat is sent is
made by `handful.table` from what that seat may know.
"""
