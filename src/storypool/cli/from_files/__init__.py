"""The command for characters from files."""
