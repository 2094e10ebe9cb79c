"""Uses the light that the map stores: makes lightmap pages and vertex colors from it, and sets the strength of
Blender's lamps by it."""
