"""Animates models: armatures with weights, shape keys, and an action for each sequence."""
