"""Games that are one page of text."""
