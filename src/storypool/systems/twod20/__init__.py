"""What the games of the 2d20 family share: a d20 that a target number turns into symbols, and its
odds.
"""
