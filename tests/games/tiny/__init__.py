"""A whole small game of the tests, found like a package's game: coins, luck and doom."""

ENGINE = 1
