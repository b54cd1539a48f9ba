"""Help for authors of game files: a first draft, example games, and the format in words."""
