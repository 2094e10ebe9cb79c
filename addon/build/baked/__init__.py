"""The light that the map has, in pictures, vertices and Blender's lamps."""
