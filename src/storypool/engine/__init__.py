"""The engine: tables, open and closed moves, and the effects of moves. Knows no game."""

ENGINE = 1
"""The version of the engine that games require.

It grows when a game made for the last version may break.
"""
