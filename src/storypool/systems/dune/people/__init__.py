"""The people of Dune: their sheets, abilities, NPCs and advancement."""
