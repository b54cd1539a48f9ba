"""C2D10: pools of ten-sided dice, hero points against villain points. Not affiliated with any
publisher.
"""
