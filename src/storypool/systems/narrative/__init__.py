"""The shared part of the narrative dice games: dice, pools, and spending a roll."""
