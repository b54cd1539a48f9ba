"""People of C2D10 who are ready to be brought in."""
