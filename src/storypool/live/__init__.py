"""Live tables: making moves and following them. The only room with clocks, locks and real dice."""
