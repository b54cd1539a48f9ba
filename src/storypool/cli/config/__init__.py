"""The settings of `serve`: from options, from variables, and from a file."""
