"""Makes shader nodes for the map's materials."""
