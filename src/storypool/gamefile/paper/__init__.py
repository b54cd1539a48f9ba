"""What a game file says, in words: for its reference, its printed sheet and its prices."""
