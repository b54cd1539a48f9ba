"""Live tables: making moves and following them. Of the rooms before it, only `log` has clocks and
threads.
"""
