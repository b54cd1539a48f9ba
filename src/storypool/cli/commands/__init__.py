"""The commands of the terminal, each imported when called."""
