"""What Blender shows of the add-on: operators, panels, properties."""
