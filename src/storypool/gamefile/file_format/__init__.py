"""What a game file may hold: its keys, the language of its expressions, its bounds, and reading its
text.
"""
