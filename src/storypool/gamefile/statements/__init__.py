"""Statements of a game file: their waits, their kinds and ranks."""
