"""Decks of cards of a game file: drawing, hands, playing, discarding, shuffling, and their odds."""
