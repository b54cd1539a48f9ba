"""The engine: what a table is, what may be done at it and why not, and what a move does. Knows no
game.
"""

ENGINE = 1
"""The version of the engine that games are made for: it grows when a game made for the last one may
break.
"""
