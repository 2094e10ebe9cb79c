"""Tests in Blender of the operators that write entities, and of the cases in which they refuse to write."""
import os
import shutil
import struct
from pathlib import Path

import bpy
import numpy
from blender_support import ATRIUM, addon
from io_scene_bspscene import rewriting
from bspscene.library import MapError
from entity_case import REFUSED, Case, moved, own


class Refused(Case):
    def test_the_original(self) -> None:
        path = Path(shutil.copy(ATRIUM, self.folder / "own.bsp"))
        root = addon.import_map(str(path))
        moved(own(root, 4))
        with self.assertRaises(MapError):
            addon.write_entities(root, str(path))
        self.assertEqual(path.read_bytes(), ATRIUM.read_bytes())

    def test_a_format_that_is_read_alone(self) -> None:
        for path in REFUSED:
            self.start(path)
            moved(own(self.root, 1))
            with self.subTest(path.parts[-3]), self.assertRaises(MapError) as caught:
                self.write()
            is_beside = path.parts[-3] == "respawn"
            self.assertIn("the map's entities lie in files next to it, which cannot be written" if is_beside else
                          "writing entities into maps of this format is not supported", str(caught.exception))
            self.assertEqual(os.listdir(self.folder), [])

    def test_a_quote(self) -> None:
        self.start(ATRIUM)
        own(self.root, 0)["message"] = 'say "no"'
        with self.assertRaises(MapError) as caught:
            self.write()
        self.assertIn("worldspawn: \"message\": ", str(caught.exception))
        self.assertEqual(str(caught.exception).count(str(ATRIUM)), 1)
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_file_with_other_entities(self) -> None:
        path = Path(shutil.copy(ATRIUM, self.folder / "own.bsp"))
        root = addon.import_map(str(path))
        moved(own(root, 4))
        addon.write_entities(root, str(self.folder / "new.bsp"))
        shutil.move(self.folder / "new.bsp", path)
        with self.assertRaises(ValueError) as caught:
            addon.write_entities(root, None)
        self.assertIn("other entities than those that were imported", str(caught.exception))

    def test_an_import_that_noted_nothing(self) -> None:
        root = addon.import_map(str(ATRIUM))
        del root["bspscene_entities"]
        with self.assertRaises(ValueError):
            addon.write_entities(root, None)


class Operators(Case):
    def test_say_first_and_write_then(self) -> None:
        addon.register()
        try:
            self.start(ATRIUM)
            self.assertEqual(bpy.ops.object.bspscene_changes(), {"CANCELLED"})
            moved(own(self.root, self.find("info_player_start")))
            self.assertEqual(bpy.ops.object.bspscene_changes(), {"FINISHED"})
            report = bpy.data.texts["Change report"].as_string()
            self.assertIn("    origin: 0 0 32 -> 8 -16 36", report)
            for ending, wanted in ((".bsp", b"IBSP"), (".ent", b"{\n")):
                target = self.folder / f"new{ending}"
                bpy.ops.export_scene.bspscene_entities(filepath=str(target))
                self.assertTrue(target.read_bytes().startswith(wanted))
                self.assertIn(b"8 -16 36", target.read_bytes())
        finally:
            addon.unregister()

    def test_entities_and_light_in_one_file(self) -> None:
        """One dialog writes entities and light, each alone or both into one copy of the map."""
        addon.register()
        try:
            self.start(ATRIUM)
            moved(own(self.root, self.find("info_player_start")))
            page = next(image for image in bpy.data.images if "_lightmap_0" in image.name)
            values = numpy.array(page.pixels[:], numpy.float32)
            page.pixels.foreach_set(numpy.where(numpy.arange(len(values)) % 4 == 0, 1, values).astype(numpy.float32))
            page.pack()
            before, sizes = ATRIUM.read_bytes(), {}
            for entities, light in ((True, False), (False, True), (True, True)):
                target = self.folder / f"new_{entities}_{light}.bsp"
                self.assertEqual(bpy.ops.export_scene.bspscene_entities(
                    filepath=str(target), entities=entities, light=light), {"FINISHED"})
                written = target.read_bytes()
                self.assertEqual(b"8 -16 36" in written, entities)
                offset, length = struct.unpack_from("<2I", written, 8 + 14 * 8)   # directory entry of the lightmaps
                old_offset, old_length = struct.unpack_from("<2I", before, 8 + 14 * 8)
                changed = written[offset:offset + length] != before[old_offset:old_offset + old_length]
                self.assertEqual(changed, light, (entities, light))
                sizes[entities, light] = length
            self.assertEqual(len(set(sizes.values())), 1)
        finally:
            addon.unregister()

    def test_offers_a_new_name(self) -> None:
        from io_scene_bspscene.ui.entity_operators import target_of
        self.start(ATRIUM)
        self.assertEqual(target_of(self.root), str(ATRIUM.with_name("atrium_new.bsp")))
        self.root["map_file"] = "/games/pak0.pk3"
        self.assertEqual(target_of(self.root), "/games/atrium_new.bsp")
        self.assertEqual(rewriting.Written.__name__, "Written")
