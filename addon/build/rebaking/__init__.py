"""Bakes new light for the map, and keeps the old light with it."""
