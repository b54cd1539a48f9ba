"""Games without a GM: all seats are players, who decide together what a GM decides elsewhere."""
