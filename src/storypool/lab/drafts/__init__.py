"""Evenings of games that are being written: a usual one of any game, and the process that plays
them.
"""
