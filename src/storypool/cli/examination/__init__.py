"""The examinations of `storypool doctor`: this machine, and the proxy in front of it; no secrets."""
