"""Dune, and by option other games of the 2d20 family. Not affiliated with a publisher or an owner of the setting."""
