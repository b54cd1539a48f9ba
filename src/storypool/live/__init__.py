"""Live tables: making moves and following them. Below this room, only `log` has clocks and threads."""
