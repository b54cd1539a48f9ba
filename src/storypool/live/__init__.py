"""Live tables: where moves are made and followed. The only clocks, locks and real dice."""
