"""Secret choices of a game file: several answer at the same time, and all is revealed at once."""
