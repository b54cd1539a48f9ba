"""What is made for paper and for pictures."""
