"""Evenings of unfinished games: a default evening, and the process that plays it."""
