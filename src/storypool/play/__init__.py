"""Plays: a table, its moves, dice and results as a text that a GM can read, parsed and run.

`LocalTable` is a table in memory, for bots, studies and designers of games.

A play opens in the middle of a session, unless its first move begins one. It is pure: dice are
given in the text, time is the line number, and nothing is stored. The grammar is in
`docs/plays.md`.
"""

from storypool.play.local import LocalTable
from storypool.play.stage import Performance, PlayStep, perform
from storypool.play.text import Play, PlayError, read

__all__ = ["LocalTable", "Performance", "Play", "PlayError", "PlayStep", "perform", "read"]
