"""Tables of a store that several processes serve: what `live` does for one, here for many."""
