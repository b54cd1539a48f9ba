"""Turns and rounds of a game file, over the order of a fight that the engine keeps."""
