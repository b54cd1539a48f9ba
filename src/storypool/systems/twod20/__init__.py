"""The shared part of the 2d20 games: a d20 with a target number, and its odds."""
