"""The store in a folder: one SQLite database, its lock, its witness, reading it where nothing may
be written.
"""
