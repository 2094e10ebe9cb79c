"""Removes datablocks of an earlier import that nothing uses any more because new ones replaced them."""
import os
from collections.abc import Callable
from pathlib import Path

import bpy

from .blocks import KEY, is_alive
from .image import CHECK, check_of

ORDER = ("node_groups", "images")   # node groups first, because the groups of pages use images


class Orphans:
    """Remembers which datablocks of the add-on are in use now. `remove` deletes those that nothing uses any more at
    that time. Datablocks with a fake user stay. `is_one` selects datablocks by their key."""

    def __init__(self, is_one: Callable[[str], bool] = lambda _key: True) -> None:
        self._used = {kind: [block for block in getattr(bpy.data, kind)
                             if KEY in block and block.users and is_one(str(block[KEY]))] for kind in ORDER}

    def remove(self, files: bool = False) -> None:
        """Removes the datablocks. With `files`, also deletes the image files that the import wrote, unless a user
        changed them."""
        for kind in ORDER:
            alive = [block for block in self._used[kind] if is_alive(block) and not block.use_fake_user]
            # Blender's own counts of users are too high after materials were copied and their groups changed.
            users = bpy.data.user_map(subset=alive) if alive else {}
            gone = [block for block in alive if not users.get(block)]
            for block in gone if files and kind == "images" else ():
                _remove_file(block)
            bpy.data.batch_remove(gone)


def _remove_file(image: bpy.types.Image) -> None:
    path = Path(bpy.path.abspath(image.filepath)) if image.filepath and not image.packed_file else None
    try:
        if path and path.is_file() and image.get(CHECK) == check_of(path.read_bytes()):
            os.remove(path)
    except OSError:
        return   # if a file cannot be deleted, it stays
