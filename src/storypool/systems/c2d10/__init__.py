"""C2D10: pools of d10s, hero points against villain points. Not affiliated with a publisher."""
