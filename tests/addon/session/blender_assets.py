"""Tests in Blender of models that become assets. Each model becomes one asset, with a preview picture that shows it, in
a catalog that Blender can read."""
import tempfile
import unittest
from pathlib import Path

import bpy
import numpy
from blender_support import ATRIUM, QUAKE3, addon, reset
from io_scene_bspscene import assets, previews


def import_with_props():
    """Imports the atrium. It has no props, so its door becomes a prop that occurs in two places."""
    root = addon.import_map(str(ATRIUM), lightmaps="PACK")
    door = next(made for made in root.all_objects if made.get("model") == "*1")
    door["model"] = "models/sample/door.md3"
    door.users_collection[0].objects.link(door.copy())
    return root


class Assets(unittest.TestCase):
    def setUp(self) -> None:
        reset()
        addon.register()
        self.addCleanup(addon.unregister)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def save(self) -> None:
        bpy.ops.wm.save_as_mainfile(filepath=str(self.folder / "library.blend"))

    def test_of_a_map_are_saved_with_pictures_and_catalogs(self) -> None:
        root = import_with_props()
        self.save()
        self.assertEqual(bpy.ops.object.bspscene_mark_assets(), {"FINISHED"})
        marked = [made for made in root.all_objects if made.asset_data]
        self.assertEqual([made["model"] for made in marked], ["models/sample/door.md3"])
        lines = (self.folder / assets.CATALOGS).read_text().splitlines()
        self.assertIn("VERSION 1", lines)
        self.assertIn(f"{marked[0].asset_data.catalog_id}:Game models/sample:Game models-sample", lines)
        bpy.ops.object.bspscene_mark_assets()
        self.assertEqual((self.folder / assets.CATALOGS).read_text().splitlines(), lines)
        self.save()
        bpy.ops.wm.open_mainfile(filepath=str(self.folder / "library.blend"))
        made = next(made for made in bpy.data.objects if made.asset_data)
        pixels = numpy.array(made.preview.image_pixels_float).reshape(previews.SIZE, previews.SIZE, 4)
        self.assertGreater((pixels[..., 3] > 0).mean(), 0.05)
        self.assertGreater(pixels[..., :3].max(), 0.1)

    def test_of_a_model_is_its_collection(self) -> None:
        root = addon.import_map(str(QUAKE3 / "models/sample/obelisk.md3"))
        self.assertEqual(bpy.ops.object.bspscene_mark_assets(), {"FINISHED"})
        self.assertTrue(root.asset_data)
        self.assertFalse((self.folder / assets.CATALOGS).exists())

    def test_catalogs_of_others_stay(self) -> None:
        line = "11111111-2222-3333-4444-555555555555:Mine:Mine"
        (self.folder / assets.CATALOGS).write_text(f"VERSION 1\n\n{line}")
        import_with_props()
        self.save()
        bpy.ops.object.bspscene_mark_assets()
        lines = (self.folder / assets.CATALOGS).read_text().splitlines()
        self.assertIn(line, lines)
        self.assertEqual(len(lines), 4)

    def test_folders_are_catalogs(self) -> None:
        for model, catalog in (("models/items/a.md3", "Game models/items"), ("progs/a.mdl", "Game models/progs"),
                               ("a.mdl", "Game models"), ("models\\x:y\\..\\a.mdl", "Game models/x-y")):
            self.assertEqual(assets.catalog_of(model), catalog)

    def test_a_picture_shows_what_is_nearest(self) -> None:
        mesh = bpy.data.meshes.new("two")
        corners = [(0, 0, 0), (4, 0, 0), (0, 4, 0), (4, 4, 0)]
        mesh.from_pydata([*corners, *((x, y, 1) for x, y, _ in corners)], [], [(0, 1, 3, 2), (4, 5, 7, 6)])
        for name, color in (("low", (1, 0, 0, 1)), ("high", (0, 1, 0, 1))):
            material = bpy.data.materials.new(name)
            material.diffuse_color = color
            mesh.materials.append(material)
        mesh.polygons[1].material_index = 1
        picture = previews.draw([bpy.data.objects.new("two", mesh)])
        middle = picture[previews.SIZE // 2, previews.SIZE // 2]
        self.assertGreater(middle[1], 0.4)
        self.assertEqual(middle[0], 0)
        self.assertEqual(picture[0, 0, 3], 0)


if __name__ == "__main__":
    unittest.main()
