"""The endpoints of the HTTP interface, a module for each subject."""
