"""Star Wars narrative dice with Destiny Points.

Not affiliated with any publisher or owner of the setting.
"""
