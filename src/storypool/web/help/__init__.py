"""The help: the pages of docs/ as a site, served at /help or written by `dev.py docs`."""
