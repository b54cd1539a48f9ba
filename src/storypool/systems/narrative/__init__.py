"""What the narrative dice games share: six dice, their symbols, building a pool, reading it, spending the result."""
