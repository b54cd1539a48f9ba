"""A whole small game of the tests, found as a game of another package is: coins, luck, and the doom
that it wakes.
"""

ENGINE = 1
