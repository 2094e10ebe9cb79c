"""Converts a loaded scene to Blender's datablocks. Packages, each of which uses only those before it: data, materials,
rigs, objects, baked, rebaking; importer.py calls them."""
