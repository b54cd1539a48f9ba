"""The web server: pages, the HTTP interface, the live feed. It knows no game."""
