"""The scenes that `storypool demo` opens: plays, one for each game, read like every other play."""
