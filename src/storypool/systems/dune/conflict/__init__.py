"""Conflicts of Dune: turns, zones, assets, attacks and what they come to."""
