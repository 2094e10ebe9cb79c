"""Tests in Blender of how maps are shown: the first sight. first_sight.py looks at the window itself."""
import unittest

import bpy
from blender_support import ATRIUM, FIXTURES, bspscene, reset

from bspscene import jobs, options, view
from bspscene.build import node


class FirstSight(unittest.TestCase):
    """What the option "Set up the view" does to the scene."""

    def imported(self, path, **given) -> jobs.Job:
        job = jobs.Job([str(path)], options.complete(given), bpy.context, False)
        for _ in job.steps():
            pass
        return job

    def set_up(self, path, lit_by_game: bool = True) -> bpy.types.Collection:
        job = self.imported(path)
        view.set_up(bpy.context, job.roots, job.cameras, lit_by_game)
        return job.roots[0]

    def excluded(self, root: bpy.types.Collection) -> set:
        layer = node.layer_of(bpy.context.view_layer, root)
        return {child.collection[node.KIND] for child in layer.children if child.exclude}

    def test_untouched_defaults_are_put_away(self) -> None:
        bpy.ops.wm.read_factory_settings()
        self.set_up(ATRIUM)
        for name in ("Cube", "Light", "Camera"):
            self.assertTrue(bpy.data.objects[name].hide_get(), name)
            self.assertTrue(bpy.data.objects[name].hide_render, name)

    def test_what_somebody_moved_stays(self) -> None:
        changes = (lambda: setattr(bpy.data.objects["Cube"], "location", (0, 0, 1)),
                   lambda: bpy.data.objects["Cube"].modifiers.new("mine", "BEVEL"),
                   lambda: bpy.data.objects["Cube"].data.vertices.add(1))
        for change in changes:
            bpy.ops.wm.read_factory_settings()
            change()
            self.set_up(ATRIUM)
            self.assertFalse(bpy.data.objects["Cube"].hide_get())
            self.assertTrue(bpy.data.objects["Light"].hide_get())

    def test_the_scene_is_the_games(self) -> None:
        reset()
        root = self.set_up(ATRIUM)
        scene = bpy.context.scene
        self.assertEqual(scene.view_settings.view_transform, "Standard")
        self.assertEqual(scene.camera["classname"], "info_player_intermission")
        self.assertEqual([o.name for o in bpy.context.selected_objects], ["worldspawn"])
        self.assertEqual(bpy.context.view_layer.active_layer_collection.collection, root)
        self.assertEqual(self.excluded(root), {*node.EXCLUDED, "Lights"} - {"Tool surfaces"})

    def test_lamps_light_what_is_made_for_them(self) -> None:
        reset()
        self.assertNotIn("Lights", self.excluded(self.set_up(ATRIUM, lit_by_game=False)))

    def test_the_3d_skybox_does_not_blow_up_the_view(self) -> None:
        reset()
        root = self.imported(FIXTURES / "source/maps/room.bsp").roots[0]
        if "3D skybox" not in [child[node.KIND] for child in root.children]:
            made = bpy.data.collections.new("3D skybox")
            made[node.KIND] = "3D skybox"
            root.children.link(made)
        view.set_up(bpy.context, [root], [None], True)
        self.assertIn("3D skybox", self.excluded(root))

    def test_without_a_window_the_operator_changes_nothing_else(self) -> None:
        bpy.ops.wm.read_factory_settings()
        scene = bpy.context.scene
        before = (scene.view_settings.view_transform, scene.world, scene.camera)
        bspscene.register()
        try:
            bpy.ops.import_scene.bspscene(filepath=str(ATRIUM))
        finally:
            bspscene.unregister()
        self.assertEqual((scene.view_settings.view_transform, scene.world, scene.camera), before)
        self.assertFalse(bpy.data.objects["Cube"].hide_get())
