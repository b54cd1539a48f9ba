"""Destiny Dice with Fate Accelerated: six open dice by Ewen Cluney, Fate points. No publisher
endorses this.
"""
