"""The modules that need both games and odds: worth of offers, tables, recaps, pictures."""
