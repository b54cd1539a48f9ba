"""The engine: what a table is, what may be done at it and why not, and what a move does. Knows no game."""
