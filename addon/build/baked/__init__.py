"""The map's stored light as pictures, vertex colors and Blender's lamps."""
