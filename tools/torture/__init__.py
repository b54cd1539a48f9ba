"""Harnesses that torture the store and the running server: `python3 dev.py torture`."""
