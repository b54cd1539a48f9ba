"""What needs both games and odds: an action weighed for a seat, tables of odds, and which picture
to draw.
"""
