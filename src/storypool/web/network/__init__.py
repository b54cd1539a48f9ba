"""The public edge: connections, hosts, origins and rates."""
