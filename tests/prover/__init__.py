"""Proves by search that one question has one answer: see `campaign` for the whole."""
