"""A loaded scene -> Blender's datablocks. Rooms, each on the ones before it: data, materials, rigs, objects, baked,
rebaking; importer.py puts them together."""
