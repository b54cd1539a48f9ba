"""Pages to print, and pictures."""
