"""The live feed: the messages of each client, their order, and their transports."""
