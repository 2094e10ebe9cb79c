"""Uses the light that the map stores: for lightmap pages, vertex colors, and the strength of Blender's lamps."""
