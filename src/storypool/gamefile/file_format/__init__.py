"""The format of game files: their keys, the language of expressions, their limits, the reader."""
