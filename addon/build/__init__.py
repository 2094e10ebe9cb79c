"""A loaded scene -> Blender's datablocks. Each module makes one kind; map.py puts them together."""
