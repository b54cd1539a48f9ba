"""A live table for role-playing games whose dice carry symbols and whose stories run on shared
points.
"""

__version__ = "0.1.0"
