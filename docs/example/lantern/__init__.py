"""Lantern: six-sided dice that may be pushed, and a pool of Dread that grows with every push."""

ENGINE = 1
