"""A game on one page: a file of text that is compiled to the moves, asks, waits and panels of a whole game.

`schema` lists what a file may hold, `file_text` reads it, `expressions` is its closed little language, and
`compiled` makes the game of it. Nothing in a file runs: it is data, and may come from a stranger.
"""
