"""What the narrative dice games share: six dice and their symbols, building, reading and spending a
roll.
"""
