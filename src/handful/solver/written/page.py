"""The page on which rules are written out; play writes on the same one."""

from handful.rules.written.page import BUILTINS, Page, Unwritten

__all__ = ["BUILTINS", "Page", "Unwritten"]
