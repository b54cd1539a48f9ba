"""Live tables: making and following moves. Below this room, only `log` uses threads."""
