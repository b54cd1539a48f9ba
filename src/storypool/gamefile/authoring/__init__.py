"""What helps those who write a game file: a first draft, games to begin from, and the format in
words.
"""
