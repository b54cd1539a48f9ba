"""The help: the pages of docs/ as a site, which a server shows at /help and `dev.py docs` writes as
files.
"""
