"""What the narrative dice games share: six dice and their symbols, building and reading a pool, spending a roll."""
