"""The roll of a game file: how it is read, what follows from it, and its odds."""
