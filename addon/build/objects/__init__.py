"""Nodes of the scene as Blender's objects."""
