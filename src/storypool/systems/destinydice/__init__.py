"""Destiny Dice with Fate Accelerated: six open dice by Ewen Cluney, and Fate points.

Not endorsed by a publisher.
"""
