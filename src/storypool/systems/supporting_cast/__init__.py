"""What games share to bring in people who are ready-made: the rows of a game's people.toml."""
