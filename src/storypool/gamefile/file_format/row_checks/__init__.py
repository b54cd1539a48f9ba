"""Mistakes in rows of a game file that hang together: words of sheets, statements, tables."""
