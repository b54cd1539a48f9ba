"""What every game must satisfy, checked in its rows, its own plays and random play, and reported in
sentences.
"""
