"""Dune, and by option other games of the 2d20 family.

Not affiliated with a publisher or owner of the setting.
"""
