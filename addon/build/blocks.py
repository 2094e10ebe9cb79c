"""The datablocks an import makes, so that a failed or cancelled one can be taken back whole."""
from typing import Dict, List

import bpy

KEY = "bspscene_key"   # custom property: what a datablock was made from, by which another import finds it


class Made:
    """Makes datablocks and remembers them."""

    def __init__(self) -> None:
        self._blocks: List[bpy.types.ID] = []

    def new(self, kind: str, *arguments, **settings) -> bpy.types.ID:
        """bpy.data.<kind>.new(...)."""
        block = getattr(bpy.data, kind).new(*arguments, **settings)
        self._blocks.append(block)
        return block

    def drop(self, block: bpy.types.ID) -> None:
        self._blocks.remove(block)
        bpy.data.batch_remove([block])

    def take_back(self) -> None:
        blocks, self._blocks = self._blocks, []
        bpy.data.batch_remove(blocks)


def by_key(blocks) -> Dict[str, bpy.types.ID]:
    """What earlier imports made, by its key."""
    return {block[KEY]: block for block in blocks if KEY in block}
