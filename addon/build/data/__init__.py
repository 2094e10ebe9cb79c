"""Makes datablocks, images and meshes. A repeated import finds those of an earlier import by their keys."""
