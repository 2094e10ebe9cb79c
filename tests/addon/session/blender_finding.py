"""Tests in Blender of finding missing models, materials and the sky after an import, and of the status bar."""
import shutil
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

import bpy
from blender_support import ATRIUM, FIXTURES, QUAKE3, addon, objects_of, reset
from io_scene_bspscene import finding
from io_scene_bspscene.ui import modal

ROOM = FIXTURES / "source/maps/room.bsp"
MODEL = FIXTURES.parent / "fuzz/models/corpus/md3"   # a fuzzer's input: 14 bytes for the fuzzer, then the model


def barrels(root: bpy.types.Collection) -> list:
    return [made for made in root.all_objects if made.get("model") == "models/test/barrel.mdl"]


class Finding(unittest.TestCase):
    def setUp(self) -> None:
        reset()

    def game(self, folder: str) -> Path:
        """Makes a game with the barrel of the Source tests' room. The barrel is an MD3 in a file named .mdl."""
        target = Path(folder) / "game/models/test/barrel.mdl"
        target.parent.mkdir(parents=True)
        target.write_bytes(MODEL.read_bytes()[14:])
        return Path(folder) / "game"

    def lonely(self, folder: str, file: Path = ROOM, **options) -> bpy.types.Collection:
        path = Path(folder) / file.name
        shutil.copy(file, path)
        return addon.import_map(str(path), **options)

    def test_models_come_to_their_places(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            root = self.lonely(folder)
            first, second = barrels(root)
            self.assertEqual((first.type, second.type), ("EMPTY", "EMPTY"))
            where, holder, name = first.matrix_world.copy(), first.users_collection[0], first.name
            second.location.z += 5
            second["mine"] = 1
            moved = second.matrix_basis.copy()
            child = bpy.data.objects.new("child", None)
            root.objects.link(child)
            child.parent = first
            others = {made.name for made in root.all_objects}
            found = finding.find_missing(root, [self.game(folder)])
            self.assertEqual((found.textures, found.models), (0, 1))
            first, second = barrels(root)
            self.assertEqual((first.type, second.type), ("MESH", "MESH"))
            self.assertEqual(first.data, second.data)
            self.assertGreater(len(first.data.polygons), 0)
            self.assertEqual((first.matrix_world, first.users_collection[0], first.name), (where, holder, name))
            self.assertEqual((second.matrix_basis, second["mine"]), (moved, 1))
            self.assertEqual(child.parent, first)
            self.assertEqual({made.name for made in root.all_objects}, others)
            self.assertEqual(finding.find_missing(root, [folder]).place, "")

    def test_the_models_can_be_updated_later(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            root = self.lonely(folder)
            finding.find_missing(root, [self.game(folder)])
            again = addon.import_map(root["map_file"], again="UPDATE", game_paths=f"{folder}/game")
            self.assertEqual([made.type for made in barrels(again)], ["MESH", "MESH"])

    def test_the_sky_comes_with_its_pictures(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            root = self.lonely(folder, ATRIUM, sky_world=True)
            found = finding.find_missing(root, [QUAKE3])
            self.assertGreater(found.textures, 5)
            world = bpy.context.scene.world
            group = next(node.node_tree for node in world.node_tree.nodes if node.type == "GROUP")
            images = [node.image for node in group.nodes if node.type == "TEX_IMAGE"]
            self.assertTrue(images and all(image["game_path"] for image in images))
            self.assertEqual(world.name, "atrium sky")
            self.assertEqual(len([w for w in bpy.data.worlds if "bspscene_key" in w]), 1)

    def test_stand_ins_go(self) -> None:
        """Fallback images that are not used any more are removed."""
        with tempfile.TemporaryDirectory() as folder:
            root = self.lonely(folder, ATRIUM, sky_world=True)
            finding.find_missing(root, [QUAKE3])
            self.assertEqual([image.name for image in bpy.data.images if not image.users], [])

    def facts_of(self, root: bpy.types.Collection) -> dict:
        """Returns everything that is visible in a map's scene, but not names that differ between imports."""
        objects = {(made["bspscene_node"], made.type): (
            made.hide_viewport, made.hide_render, [round(value, 4) for row in made.matrix_world for value in row],
            len(made.data.polygons) if made.type == "MESH" else
            (made.data.type, round(made.data.energy, 3), made.data.color[:]) if made.type == "LIGHT" else None,
            sorted(m["game_name"] for m in made.data.materials) if made.type == "MESH" else None)
            for made in root.all_objects}
        used = {m for made in root.all_objects if made.type == "MESH" for m in made.data.materials}
        materials = {(m["game_name"], m["bspscene_key"].rsplit("/", 1)[1]): sorted(
            (n.bl_idname, n.image["game_path"] if n.type == "TEX_IMAGE" and "game_path" in n.image else "")
            for n in m.node_tree.nodes) for m in used}
        world = bpy.context.scene.world
        kinds = {kind["bspscene_kind"] for kind in root.children}
        return {"objects": objects, "materials": materials, "kinds": kinds, "world": world and world.name,
                "images": sorted(i["game_path"] for i in bpy.data.images if "game_path" in i)}

    def test_it_equals_a_full_import(self) -> None:
        """After missing files were found, the suns of sky shaders and everything else equal those of an import that
        finds all files."""
        self.maxDiff = 2000
        for shading in ("GAME", "RELIGHT", "EXPORT"):
            with tempfile.TemporaryDirectory() as folder:
                reset()
                root = self.lonely(folder, ATRIUM, sky_world=True, shading=shading)
                self.assertTrue(finding.find_missing(root, [QUAKE3]).place)
                found = self.facts_of(root)
                reset()
                wanted = self.facts_of(addon.import_map(str(Path(folder) / ATRIUM.name), sky_world=True,
                                                           shading=shading, game_paths=str(QUAKE3)))
                for part in wanted:
                    self.assertEqual(found[part], wanted[part], (shading, part))

    def test_who_wanted_no_sky_gets_none(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            root = self.lonely(folder, ATRIUM)
            finding.find_missing(root, [QUAKE3])
            self.assertIsNone(bpy.context.scene.world)

    def test_the_wall_is_the_same_object(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            root = self.lonely(folder, ATRIUM)
            world = objects_of(root, "worldspawn")[0]
            mesh = world.data
            finding.find_missing(root, [QUAKE3])
            self.assertEqual(objects_of(root, "worldspawn")[0].data, mesh)


class Workspace:
    name = "a workspace"

    def __init__(self) -> None:
        self.said: str | None = None

    def status_text_set(self, words: str | None) -> None:
        self.said = words


class StatusBar(unittest.TestCase):
    def test_no_workspace_keeps_it(self) -> None:
        """The status text is also restored in a workspace that the user left and entered again while the work ran."""
        one, other, unseen = Workspace(), Workspace(), Workspace()
        unseen.said = "of another add-on"
        manager = SimpleNamespace(progress_begin=lambda *_: None, progress_end=lambda: None,
                                  progress_update=lambda _share: None, modal_handler_add=lambda _operator: None,
                                  event_timer_add=lambda *_, **__: None, event_timer_remove=lambda _timer: None)
        context = SimpleNamespace(window_manager=manager, workspace=one, window=None)
        operator = modal.Modal()
        operator._start_run(context, SimpleNamespace(end=lambda: None), 0.1)
        operator._show_share(context, 0.57, "57 %")
        context.workspace = other
        operator._show_share(context, 0.6, "60 %")
        self.assertEqual((one.said, other.said), ("57 %", "60 %"))
        operator._stop(context)
        self.assertEqual((one.said, other.said, unseen.said), (None, None, "of another add-on"))
