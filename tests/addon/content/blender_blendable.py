"""Tests the export of surfaces that the game adds to the background or multiplies it with. Viewers can only blend by
alpha. Once, they showed the black texels of an added beam in OpenArena's oa_minia as a black roof over the floor."""
import shutil
import tempfile
import unittest
from pathlib import Path

import bpy
import numpy
from blender_support import ATRIUM, addon, reset
from bspscene import abi
from io_scene_bspscene.build.data.blendable import blendable

GLASS = "textures/sample/glass"
BLENDED = "blendFunc GL_SRC_ALPHA GL_ONE_MINUS_SRC_ALPHA"


class Blendable(unittest.TestCase):
    def texels(self, blending: str, shading: str = "EXPORT") -> tuple:
        """Gives the atrium's glass this blending. Returns two arrays: the texels of the texture's file, and the
        exported texels."""
        with tempfile.TemporaryDirectory() as folder:
            game = shutil.copytree(ATRIUM.parents[1], Path(folder) / "game")
            script = game / "scripts/sample.shader"
            before, after = script.read_text().split(BLENDED, 1)
            script.write_text(before + blending + after)
            found = []
            for path, how in ((ATRIUM, "EXPORT"), (game / "maps" / ATRIUM.name, shading)):
                reset()
                addon.import_map(str(path), lights=False, shading=how)
                nodes = bpy.data.materials[GLASS].node_tree.nodes
                image = next(node.image for node in nodes if node.type == "TEX_IMAGE")
                values = numpy.array(image.pixels[:]).reshape(-1, 4)
                found.append(numpy.rint(values * 255).astype(int))
                self.links = [link.from_socket.name for link in bpy.data.materials[GLASS].node_tree.links
                              if link.to_socket.name == "Alpha"]
            return tuple(found)

    def test_added_surfaces_cover_by_their_brightness(self) -> None:
        game, exported = self.texels("blendFunc add")
        self.assertEqual(self.links, ["Alpha"])
        self.assertTrue((exported[:, 3] == game[:, :3].max(axis=1)).all())
        over_black = exported[:, :3] * exported[:, 3:] / 255
        self.assertLess(numpy.abs(over_black - game[:, :3]).max(), 1.01)

    def test_multiplying_surfaces_cover_by_their_darkness(self) -> None:
        game, exported = self.texels("blendFunc filter")
        self.assertTrue((exported[:, 3] == 255 - game[:, :3].min(axis=1)).all())
        over_white = (exported[:, :3] * exported[:, 3:] + 255 * (255 - exported[:, 3:])) / 255
        self.assertLess(numpy.abs(over_white - game[:, :3]).max(), 1.01)

    def test_source_doubles_and_fades_factors(self) -> None:
        texels = numpy.array([[(100, 200, 60, 255), (100, 200, 60, 0)]], numpy.uint8)
        record = abi.Material(alpha_mode=abi.ALPHA_MODE_MODULATE, modulated_twice=True, whitened_by_alpha=True)
        (doubled, faded), = blendable(texels, record).tolist()
        self.assertEqual(doubled, [(200 - 120) * 255 // 135, 255, 0, 135])   # blended over white: 200, 255, 120
        self.assertEqual(faded[3], 0)

    def test_alpha_fades_what_is_added(self) -> None:
        texels = numpy.array([[(200, 100, 0, 128)]], numpy.uint8)
        record = abi.Material(alpha_mode=abi.ALPHA_MODE_ADD, added_by_alpha=True)
        self.assertEqual(blendable(texels, record).tolist(), [[[255, 127, 0, 100]]])

    def test_other_shadings_keep_the_texture(self) -> None:
        game, shown = self.texels("blendFunc add", "GAME")
        self.assertTrue((game == shown).all())
