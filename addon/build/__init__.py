"""Converts a loaded scene to Blender's datablocks. Each of these packages uses only those before it: data, materials,
rigs, objects, baked, rebaking. importer.py calls them."""
