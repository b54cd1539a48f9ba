"""Turns and rounds of a game file, on top of the engine's order of turns."""
