"""The add-on's user interface in Blender: operators, panels and properties."""
