"""Fights and contests of narrative dice: the order of turns, opponents."""
