"""The live feed: what each client is sent, in which order, and over which transport."""
