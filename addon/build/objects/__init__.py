"""Makes Blender's objects of the scene's nodes."""
