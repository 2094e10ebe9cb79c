"""The map's materials as shader nodes."""
