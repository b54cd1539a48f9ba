"""The commands of the terminal, each imported when it is called."""
