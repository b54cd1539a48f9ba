"""Characters who act together in one action of a game file."""
