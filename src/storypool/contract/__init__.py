"""The checks of every game: its rows, its plays and random play, reported in sentences."""
