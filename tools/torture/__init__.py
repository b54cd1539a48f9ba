"""Harnesses that torture the store and the running server, and count: `python3 dev.py torture [NAME
...] [--quick]`.
"""
