"""Characters from files of other programs, of spreadsheets, and our own.

`formats.characters_in` gives what a file says in its own names; `fitting.fit` what that is in a
game. No format knows a game, and no game the syntax of a format: a game's `brought.toml` has its
formats, and how their names are called on its sheet.
"""
