"""What Blender keeps: data blocks, pictures, meshes, and how a map that is imported again finds its own."""
