"""Converts a loaded scene to Blender's datablocks. The packages are data, materials, rigs, objects, baked and rebaking;
each one uses only those before it. importer.py calls them."""
