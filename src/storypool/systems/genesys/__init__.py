"""Genesys narrative dice with Story Points. Not affiliated with any publisher."""
