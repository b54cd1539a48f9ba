"""The examinations of `storypool doctor`: this machine, and its proxy; without secrets."""
