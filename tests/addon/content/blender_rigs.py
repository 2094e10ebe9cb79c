"""Tests in Blender of animated models: in each frame of an action, every vertex is where the library has it in that
frame of the sequence. Armatures do not disturb other functions of the add-on.

BSPSCENE_MOVING_MODELS names a folder with the small models of tests/support, BSPSCENE_ASSIMP_MODELS one with Assimp's
own test models."""
import os
import shutil
import tempfile
import unittest
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import bpy
import numpy
from blender_support import ATRIUM, METERS, QUAKE3, addon, counts, get, reset

from io_scene_bspscene import importer, preferences, rewriting
from io_scene_bspscene.build.objects import layers
from bspscene import abi, scene
from bspscene.files import GameFiles
from bspscene.rewrite import NewEntity, rewrite
from io_scene_bspscene.ui import operators

MOVING = Path(os.environ.get("BSPSCENE_MOVING_MODELS", "/nowhere"))
ASSIMP = Path(os.environ.get("BSPSCENE_ASSIMP_MODELS", "/nowhere"))
MADE = ("moving.md2", "moving.md3", "moving.mdl", "moving.iqm", "source.mdl", "quake-moving.mdl")
KINDS = ("MDL/MDL (HL1)/*.mdl", "MD2/*.md2", "IQM/*.iqm")
NO_MODELS = ("manT.mdl", "man01.mdl")   # these need the textures and sequences of another model
MOST_SEQUENCES, MOST_FRAMES, NEAR = 12, 5, 1e-5


def load_model(path: Path, **options) -> scene.Scene:
    return scene.load(GameFiles(str(path)), textures=abi.TEXTURES_NONE, **options)


def still(path: Path, **options) -> numpy.ndarray:
    """Returns the vertices that the library loads, in meters."""
    loaded = load_model(path, **options)
    _, view, place = next(iter(loaded.instances()))
    return (view.positions @ place[:, :3].T + place[:, 3]) * loaded.meters_per_unit


def import_rigged(path: Path, **options) -> bpy.types.Collection:
    return importer.import_map(str(path), rigs="RIGGED", textures=False, animate=False, **options)


def of_type(root: bpy.types.Collection, kind: str) -> list:
    return [made for made in root.all_objects if made.type == kind]


def play(root: bpy.types.Collection, number: int, title: str) -> None:
    """Plays a sequence by choosing its action, as users do."""
    mesh, armatures = of_type(root, "MESH")[0], of_type(root, "ARMATURE")
    for action in bpy.data.actions:
        if not action["bspscene_key"].endswith(f"/{number}:{title}"):
            continue
        is_shape = mesh.data.shape_keys is not None and (".shape/" in action["bspscene_key"] or not armatures)
        animated = mesh.data.shape_keys if is_shape else armatures[0]
        animated.animation_data.action = action
        if hasattr(action, "slots"):
            assert animated.animation_data.action_slot, f"{action.name}: its slot is to be chosen by hand"


def show(frame: int, frames_per_second: float) -> None:
    render = bpy.context.scene.render
    at = 1 + frame * render.fps / render.fps_base / frames_per_second
    bpy.context.scene.frame_set(int(at), subframe=at - int(at))


def evaluated(made: bpy.types.Object) -> numpy.ndarray:
    """Returns the object's vertices in world space."""
    shown = made.evaluated_get(bpy.context.evaluated_depsgraph_get())
    place = numpy.array(shown.matrix_world)
    return get(shown.data.vertices, "co", 3) @ place[:3, :3].T + place[:3, 3]


def spread(count: int, most: int) -> list[int]:
    return sorted({round(i * (count - 1) / (most - 1)) for i in range(most)})


class Frames(unittest.TestCase):
    def setUp(self) -> None:
        reset()

    def compare(self, path: Path) -> int:
        """Compares the frames of a model with those of the library. Returns the number of compared frames."""
        reset()
        loaded = load_model(path, rigs=True)
        rig = loaded.mesh(0).rig()
        assert rig
        root, compared = import_rigged(path), 0
        mesh, = of_type(root, "MESH")
        self.assertLess(abs(evaluated(mesh) - still(path)).max(), NEAR, f"{path.name} as it stands")
        for number in spread(len(rig.sequences), MOST_SEQUENCES):
            sequence, title = rig.sequences[number], rig.sequence_names[number]
            if not sequence.frame_count:
                continue
            play(root, number, title)
            # In Quake's models, a sequence may be a group of frames. The library can show only its first frame.
            is_group = path.name.startswith("quake") and sequence.loops
            count = 1 if is_group else sequence.frame_count
            for frame in spread(count, MOST_FRAMES):
                show(frame, sequence.frames_per_second)
                pose = {"frame": sequence.first_frame + frame} if rig.frame_positions is not None else \
                    {"sequence": str(number), "frame": frame}
                options = {"model_pose": pose}
                wanted, found = still(path, **options), evaluated(mesh)
                self.assertEqual(found.shape, wanted.shape)
                self.assertLess(abs(found - wanted).max(), NEAR, f"{path.name}: {title}, frame {frame}")
                compared += 1
        return compared

    @unittest.skipUnless(MOVING.is_dir(), "BSPSCENE_MOVING_MODELS names no folder")
    def test_of_made_models(self) -> None:
        for name in MADE:
            with self.subTest(name):
                self.assertGreater(self.compare(MOVING / name), 1)

    @unittest.skipUnless(ASSIMP.is_dir(), "BSPSCENE_ASSIMP_MODELS names no folder")
    def test_of_assimps_models(self) -> None:
        for path in (path for kind in KINDS for path in sorted(ASSIMP.glob(kind)) if path.name not in NO_MODELS):
            with self.subTest(path.name):
                self.assertGreater(self.compare(path), 0)

    @unittest.skipUnless(MOVING.is_dir(), "BSPSCENE_MOVING_MODELS names no folder")
    def test_of_tags(self) -> None:
        for name, tag in (("moving.md3", "tag_weapon"), ("moving.mdl", "attachment0"), ("source.mdl", "attachment0")):
            reset()
            loaded = load_model(MOVING / name, rigs=True)
            view = loaded.mesh(0)
            rig = view.rig()
            assert rig
            root = import_rigged(MOVING / name)
            empty, = of_type(root, "EMPTY")
            self.assertTrue(empty.name.endswith(tag), empty.name)
            number = next(i for i, bone in enumerate(rig.bones) if bone.is_tag)
            play(root, 0, rig.sequence_names[0])
            for frame in range(rig.sequences[0].frame_count):
                show(frame, rig.sequences[0].frames_per_second)
                bpy.context.view_layer.update()
                place, bone = rig.poses[frame, number, :3], number
                while rig.bones[bone].parent != abi.NO_INDEX:
                    bone = rig.bones[bone].parent
                    turn = mathutils_of(rig.poses[frame, bone])
                    place = turn[:3, :3] @ place + turn[:3, 3]
                shown = empty.evaluated_get(bpy.context.evaluated_depsgraph_get())
                holder = numpy.array(of_type(root, "MESH")[0].matrix_world)
                wanted = holder[:3, :3] @ (place * METERS) + holder[:3, 3]
                self.assertLess(abs(numpy.array(shown.matrix_world)[:3, 3] - wanted).max(), NEAR, f"{name} {frame}")


def mathutils_of(pose: numpy.ndarray) -> numpy.ndarray:
    from mathutils import Matrix, Quaternion
    x, y, z, w = (float(value) for value in pose[3:7])
    return numpy.array(Matrix.LocRotScale([float(v) for v in pose[:3]], Quaternion((w, x, y, z)),
                                          [float(v) for v in pose[7:]]))


@unittest.skipUnless(MOVING.is_dir(), "BSPSCENE_MOVING_MODELS names no folder")
class Alone(unittest.TestCase):
    def setUp(self) -> None:
        reset()

    def test_the_menu_imports_it_rigged(self) -> None:
        addon.register()
        self.addCleanup(addon.unregister)
        bpy.ops.import_scene.bspscene_model(filepath=str(MOVING / "moving.mdl"))
        holder = next(made for made in bpy.context.view_layer.objects if made.type == "ARMATURE")
        self.assertEqual(sorted(action.name for action in bpy.data.actions), ["moving/idle", "moving/walk"])
        self.assertEqual(holder.parent.modifiers[0].object, holder)
        self.assertEqual([scene.name for scene in bpy.data.scenes], [bpy.context.scene.name])

    def test_still_is_as_it_was(self) -> None:
        importer.import_map(str(MOVING / "moving.mdl"), textures=False)
        self.assertEqual([len(bpy.data.armatures), len(bpy.data.actions), len(bpy.data.shape_keys)], [0, 0, 0])
        self.assertFalse(bpy.data.meshes[0].vertices[0].groups)

    def test_another_in_its_place_is_the_same(self) -> None:
        """An import that replaces or updates an earlier one makes datablocks of the same names, and leaves no others
        behind."""
        def names() -> list:
            blocks = (bpy.data.objects, bpy.data.meshes, bpy.data.armatures, bpy.data.actions, bpy.data.materials)
            return [sorted(block.name for block in kind) for kind in blocks] + [len(bpy.data.shape_keys)]

        for path in sorted(file for file in MOVING.iterdir() if file.suffix in (".mdl", ".md2", ".md3", ".iqm")):
            reset()
            import_rigged(path)
            wanted = names()
            for again in ("REPLACE", "UPDATE", "REPLACE"):
                root = import_rigged(path, again=again)
                self.assertEqual(names(), wanted, f"{path.name} {again}")
                self.assertEqual(len(root.all_objects), len(wanted[0]))

    def test_what_has_a_name_keeps_it(self) -> None:
        mine = bpy.data.objects.new("model:0.armature", None)
        for again in ("NEW", "REPLACE", "UPDATE"):
            root = import_rigged(MOVING / "moving.iqm", again=again)
            self.assertEqual(mine.name, "model:0.armature")
            self.assertEqual(len(of_type(root, "ARMATURE")), 1)

    def test_a_failed_import_leaves_nothing(self) -> None:
        def everything() -> tuple:
            return counts(), len(bpy.data.armatures), len(bpy.data.actions), len(bpy.data.shape_keys)

        before, values = everything(), importer.complete({"rigs": "RIGGED", "textures": False})
        for name in ("moving.mdl", "moving.md2"):
            path, report = str(MOVING / name), importer.Report()
            build = importer.Build(importer.load_scene(path, values, report, None), path, values, report, bpy.context,
                                   "")
            for _ in build.steps():
                pass
            self.assertTrue(bpy.data.armatures or bpy.data.shape_keys)
            build.take_back()
            self.assertEqual(everything(), before)


@unittest.skipUnless(MOVING.is_dir(), "BSPSCENE_MOVING_MODELS names no folder")
class InMaps(unittest.TestCase):
    """The atrium with two animated weapons."""

    def setUp(self) -> None:
        reset()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        game = Path(folder.name) / "quake3"
        self.map = game / "maps/armed.bsp"
        shutil.copytree(QUAKE3, game)
        weapon = game / "models/weapons2/rocketl/rocketl.md3"
        weapon.parent.mkdir(parents=True)
        shutil.copyfile(MOVING / "moving.md3", weapon)
        loaded = load_model(ATRIUM)
        entities = [NewEntity(loaded.keys(number), number) for number in range(loaded.data.entity_count)]
        entities += [NewEntity([("classname", "weapon_rocketlauncher"), ("origin", f"{x} 0 64")]) for x in (-64, 64)]
        rewrite(str(game / "maps/atrium.bsp"), entities, str(self.map))

    @staticmethod
    def props(root: bpy.types.Collection) -> Iterator[bpy.types.Object]:
        return (made for made in of_type(root, "MESH") if made.data.shape_keys)

    def test_each_place_has_an_armature_that_is_hidden(self) -> None:
        root = import_rigged(self.map)
        props = list(self.props(root))
        self.assertEqual(len(props), 2)
        self.assertEqual([child.type for made in props for child in made.children], ["ARMATURE"] * len(props))
        self.assertEqual(len(bpy.data.armatures), 1)
        layer = layers.layer_of(bpy.context.view_layer, root)
        self.assertTrue(next(child for child in layer.children if child.name == "Armatures").exclude)
        self.assertFalse([made for made in bpy.context.view_layer.objects if made.type == "ARMATURE"])

    def test_nothing_is_to_be_written_of_it(self) -> None:
        root = import_rigged(self.map)
        for made in of_type(root, "ARMATURE"):
            made.location.x += 1
        written = rewriting.write_entities(root, None)
        self.assertEqual((written.rewritten.is_identical, written.told), (True, []))

    def test_an_update_puts_new_ones_in_their_place(self) -> None:
        import_rigged(self.map)
        before = (counts(), len(bpy.data.armatures), sorted(action.name for action in bpy.data.actions))
        for again in ("UPDATE", "REPLACE"):
            root = import_rigged(self.map, again=again)
            self.assertEqual((counts(), len(bpy.data.armatures), sorted(a.name for a in bpy.data.actions)), before)
            for made in self.props(root):
                self.assertEqual([child.type for child in made.children], ["ARMATURE"])
        root = importer.import_map(str(self.map), textures=False, animate=False, again="UPDATE")
        self.assertFalse(bpy.data.armatures)


class Options(unittest.TestCase):
    def test_maps_have_models_that_stand(self) -> None:
        reset()
        importer.import_map(str(ATRIUM), textures=False)
        self.assertFalse(bpy.data.armatures)

    def test_models_begin_rigged_whatever_the_preferences_say(self) -> None:
        dialog = mock.Mock(own_defaults=operators.ImportGameModel.own_defaults)
        dialog.properties.is_property_set.return_value = False
        found = mock.Mock()
        found.defaults.rigs, found.defaults.shading = "STILL", "LIGHT"
        dialog.rigs = "RIGGED"
        with mock.patch.object(preferences, "_preferences", return_value=found):
            preferences.begin_with_defaults(bpy.context, dialog)
        self.assertEqual((dialog.rigs, dialog.shading), ("RIGGED", "LIGHT"))
