"""The server as a program: its settings, its log, its processes."""
