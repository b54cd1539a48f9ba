"""The store in a folder: one SQLite database, its lock, its witness, and reading it unchanged."""
