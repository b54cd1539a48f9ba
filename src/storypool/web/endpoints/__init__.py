"""The endpoints of the HTTP interface, a module for each thing that they are about."""
