"""New light for the map, and the old beside it."""
