"""Finds the entities that objects of an imported map represent now: their positions and keys."""
