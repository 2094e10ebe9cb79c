"""Tests in Blender of how maps are imported: archives, canceling, one import after another, the command line,
translations, settings."""
import ast
import contextlib
import gc
import io
import os
import shutil
import tempfile
import types
import unittest
import zipfile
from pathlib import Path

import bpy
from blender_support import ATRIUM, FIXTURES, QUAKE3, ROOT, addon, counts, objects_of, reset
from io_scene_bspscene import command, importer, jobs, options, preferences, translations
from bspscene import library
from bspscene.library import MapError
from io_scene_bspscene.ui import operators

STYLES = QUAKE3 / "maps/atrium_styles.bsp"


def make_archive(folder: str, *maps: str) -> str:
    """Makes a pk3 that has the atrium once for each name in `maps`, and the atrium's textures and scripts."""
    path = os.path.join(folder, "sample.pk3")
    with zipfile.ZipFile(path, "w") as archive:
        for part in ("textures", "scripts", "env", "models"):
            for file in sorted((QUAKE3 / part).rglob("*")):
                archive.write(file, file.relative_to(QUAKE3))
        for name in maps:
            archive.write(ATRIUM, f"maps/{name}.bsp")
    return path


class FilesNextToTheMap(unittest.TestCase):
    """The report after an import names the files next to the map that were used. For each file that was not used, it
    names the option that would use it."""

    def setUp(self) -> None:
        reset()

    def test_the_report_names_them(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "hall.bsp")
            shutil.copyfile(FIXTURES / "atrium/goldsrc/maps/atrium_wad.bsp", path)
            shutil.copyfile(FIXTURES / "atrium/goldsrc/sample.wad", os.path.join(folder, "Sample.WAD"))
            for name in ("hall.ent", "hall.vis"):
                text = '{ "classname" "worldspawn" "message" "beside" "wad" "sample" }'
                Path(folder, name).write_text(text, encoding="utf-8")
            report = addon.importer.Report()
            root = addon.import_map(path, report)
            self.assertEqual(report.missing_textures, [])
            self.assertEqual(objects_of(root, "worldspawn")[0]["message"], "beside")
            lines = "\n".join(report.lines())
            for said in ("Files next to the map:", "maps/hall.ent: used", "ample.wad: used", "maps/hall.vis: not used"):
                self.assertIn(said.lower(), lines.lower())
            report = addon.importer.Report()
            root = addon.import_map(path, report, entity_source="MAP")
            self.assertNotEqual(objects_of(root, "worldspawn")[0]["message"], "beside")
            self.assertIn("maps/hall.ent: not used, --entities beside", "\n".join(report.lines()))


class Archives(unittest.TestCase):
    """A map in a pk3 is chosen by name and finds the textures in that archive."""

    def setUp(self) -> None:
        reset()

    def test_the_only_map_needs_no_name(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            report = addon.importer.Report()
            root = addon.import_map(make_archive(folder, "hall"), report)
        self.assertEqual(root.name, "hall")
        self.assertFalse(report.missing_textures)

    def test_one_of_several_is_chosen(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = make_archive(folder, "hall", "tower")
            self.assertEqual(addon.import_map(path, map="Tower").name, "tower")
            job = jobs.Job([path], options.complete({"map": "hall"}), bpy.context, False)
            for _ in job.steps():
                pass
            self.assertEqual([os.path.basename(what) for what, _ in job.done], ["sample.pk3: hall"])
            before = counts()
            for wanted, said in (("", "has 2 maps, choose one: hall, tower"), ("cellar", "no map \"cellar\" in it")):
                with self.assertRaises(MapError) as caught:
                    addon.import_map(path, map=wanted)
                self.assertIn(said, str(caught.exception))
            self.assertEqual(counts(), before)

    def test_an_archive_without_maps(self) -> None:
        """An archive without maps but with one model imports the model; without a model it is refused."""
        with tempfile.TemporaryDirectory() as folder:
            self.assertIn("obelisk", addon.import_map(make_archive(folder)).name)
            path = os.path.join(folder, "texts.pk3")
            with zipfile.ZipFile(path, "w") as archive:
                archive.writestr("scripts/any.txt", "no map")
            with self.assertRaises(MapError) as caught:
                addon.import_map(path)
        self.assertIn("has no maps (*.bsp)", str(caught.exception))


class Canceling(unittest.TestCase):
    """Whenever an import is stopped, the .blend file is restored."""

    def setUp(self) -> None:
        reset()

    def job(self, *paths, threaded=True, **given) -> jobs.Job:
        return jobs.Job([str(path) for path in paths], options.complete(given), bpy.context, threaded)

    def content(self) -> dict:
        return {image.name: image.get("bspscene_check") for image in bpy.data.images}

    def test_at_any_step(self) -> None:
        addon.import_map(str(ATRIUM))
        before, images = counts(), self.content()
        steps = sum(1 for _ in self.job(ATRIUM, threaded=False).steps())
        reset()
        addon.import_map(str(ATRIUM))
        for stop in sorted({0, 1, steps // 3, steps - 1}):
            running = self.job(ATRIUM, ATRIUM, threaded=False, shading="RELIGHT", hdr=True).steps()
            for _ in range(stop + 1):
                next(running)
            running.close()
            self.assertEqual(counts(), before, f"after {stop} steps")
            self.assertEqual(self.content(), images, f"after {stop} steps")
        self.assertEqual([c.name for c in bpy.context.scene.collection.children], ["atrium"])

    def test_in_the_thread(self) -> None:
        before = counts()
        running = self.job(ATRIUM).steps()
        next(running)
        running.close()
        self.assertEqual(counts(), before)

    def test_a_thread_brings_the_same(self) -> None:
        addon.import_map(str(ATRIUM))
        wanted = counts()
        reset()
        shares = [share for share, _ in self.job(ATRIUM).steps()]
        self.assertEqual(counts(), wanted)
        self.assertEqual(shares, sorted(shares))
        self.assertLessEqual(shares[-1], 1)

    def test_one_map_at_a_time_is_in_memory(self) -> None:
        """When several maps are imported, only one map is in memory: the loaded scene, and the copy with baked light.
        Both are freed as soon as the map's datablocks exist, not only after the last map."""
        users = [library._users for _, doing in self.job(ATRIUM, STYLES, ATRIUM, threaded=False).steps()
                 if doing.endswith("building")]
        self.assertEqual(set(users), {2})

    def test_a_failed_one_holds_nothing(self) -> None:
        """A failed import closes all files. Once, after a failure in the thread, the game's files stayed open until
        Python's next garbage collection."""
        gc.collect()
        gc.disable()
        self.addCleanup(gc.enable)
        job = self.job(FIXTURES / "rejected/bad-header_directory-cut.bsp")
        for _ in job.steps():
            pass
        self.assertEqual(len(job.failures), 1)
        self.assertEqual(library._users, 0)

    def test_what_somebody_removes_meanwhile_is_no_crash(self) -> None:
        """During an import, the user may purge datablocks that nothing uses yet. This must not crash the import."""
        before = counts()
        running = self.job(ATRIUM, threaded=False).steps()
        for _ in range(10):
            next(running)
        bpy.data.orphans_purge(do_local_ids=True, do_linked_ids=True, do_recursive=True)
        with self.assertRaises(ReferenceError):
            for _ in running:
                pass
        self.assertEqual(counts(), before)

    def test_one_bad_map_does_not_stop_the_others(self) -> None:
        job = self.job(FIXTURES / "rejected/unknown-format_zip.bsp", ATRIUM)
        for _ in job.steps():
            pass
        self.assertEqual((len(job.failures), len(job.done)), (1, 1))
        self.assertEqual([c.name for c in bpy.context.scene.collection.children], ["atrium"])


class Ending(unittest.TestCase):
    """Some events remove datablocks. They end a running import first, because Blender crashes if removed datablocks are
    used."""

    def setUp(self) -> None:
        reset()
        addon.register()

    def tearDown(self) -> None:
        addon.unregister()

    def running(self) -> jobs.Run:
        run = jobs.Run(jobs.Job([str(ATRIUM)], options.complete({}), bpy.context, False))
        for _ in range(10):
            run.step()
        return run

    def ended(self, run: jobs.Run, before: dict) -> None:
        self.assertTrue(run.was_ended)
        with self.assertRaises(StopIteration):
            run.step()
        run.end()
        self.assertEqual(counts(), before)

    def test_undo_and_redo(self) -> None:
        """Undo and redo end a running import. This test calls the handlers as Blender does; in_window.py tests undo in
        a window."""
        for handlers in (bpy.app.handlers.undo_pre, bpy.app.handlers.redo_pre):
            before, run = counts(), self.running()
            for handler in list(handlers):
                handler(bpy.context.scene)
            self.ended(run, before)

    def test_another_file(self) -> None:
        before, run = counts(), self.running()
        bpy.ops.wm.read_factory_settings(use_empty=True)
        self.ended(run, before)

    def test_switching_the_add_on_off(self) -> None:
        before, run = counts(), self.running()
        addon.unregister()
        self.ended(run, before)
        addon.register()


class Words(unittest.TestCase):
    def test_every_description_names_every_family(self) -> None:
        manifest = (ROOT / "addon/blender_manifest.toml").read_text(encoding="utf-8")
        for told in (addon.bl_info["description"], operators.ImportGameMap.__doc__, manifest):
            for name in ("Quake", "Half-Life", "Source", "Medal of Honor", "Nightfire"):
                self.assertIn(name, told)


class Session(unittest.TestCase):
    def setUp(self) -> None:
        reset()
        addon.register()

    def tearDown(self) -> None:
        addon.unregister()

    def test_two_maps_stay_apart(self) -> None:
        first = addon.import_map(str(ATRIUM))
        own = {m for o in first.all_objects if o.type == "MESH" for m in o.data.materials}
        second = addon.import_map(str(STYLES))
        other = {m for o in second.all_objects if o.type == "MESH" for m in o.data.materials}
        self.assertFalse(own & other)
        self.assertEqual({c.name for c in bpy.context.scene.collection.children}, {"atrium", "atrium_styles"})

    def test_the_users_places_are_searched(self) -> None:
        # Marks the add-on as enabled, as Blender does for a package that is already loaded.
        enabled = bpy.context.preferences.addons.new()
        enabled.module = "io_scene_bspscene"
        bpy.ops.preferences.bspscene_add_game(path="/nowhere")
        bpy.ops.preferences.bspscene_add_game(path=str(QUAKE3))
        bpy.ops.preferences.bspscene_remove_game(index=0)
        self.assertEqual(preferences.game_paths(bpy.context), [str(QUAKE3)])
        with tempfile.TemporaryDirectory() as folder:
            lonely = os.path.join(folder, "atrium.bsp")
            Path(lonely).write_bytes(ATRIUM.read_bytes())
            self.assertEqual(bpy.ops.import_scene.bspscene(filepath=lonely), {"FINISHED"})
        brick = next(i for i in bpy.data.images if i.get("game_name") == "textures/sample/brick")
        self.assertTrue(brick["game_path"])
        bpy.context.preferences.addons.remove(enabled)

    def test_the_dialog_begins_with_the_users_defaults(self) -> None:
        enabled = bpy.context.preferences.addons.new()
        enabled.module = "io_scene_bspscene"
        enabled.preferences.defaults.shading = "RELIGHT"
        enabled.preferences.defaults.lightmap_page_size = 512

        class Dialog(types.SimpleNamespace):
            """Calls an operator as Blender does. The given properties count as set."""
            def __init__(self, **given) -> None:
                super().__init__(properties=types.SimpleNamespace(is_property_set=given.__contains__), **given)

        dialog = Dialog(lightmap_page_size=1024)
        preferences.begin_with_defaults(bpy.context, dialog)
        self.assertEqual((dialog.shading, dialog.lightmap_page_size, dialog.lights), ("RELIGHT", 1024, True))
        self.assertFalse(hasattr(dialog, "map"))
        bpy.context.preferences.addons.remove(enabled)

    def test_options_can_be_kept_as_presets(self) -> None:
        self.assertIn("PRESET", operators.ImportGameMap.bl_options)
        properties = bpy.ops.import_scene.bspscene.get_rna_type().properties
        kept = {name for name, p in properties.items() if not p.is_skip_save}
        self.assertTrue({option.name for option in options.OPTIONS} <= kept)
        self.assertFalse({"files", "directory", "choices"} & kept)

    @unittest.skipUnless(hasattr(bpy.types, "FileHandler"), "Blender 4.1 and later")
    def test_files_can_be_dropped(self) -> None:
        handler = operators.GameMapFileHandler
        self.assertTrue(handler.is_registered)
        self.assertEqual(handler.bl_import_operator, "import_scene.bspscene")
        self.assertEqual(set(handler.bl_file_extensions.split(";")), {
            ".bsp", ".pk3", ".pk4", ".iwd", ".pkz", ".dpk", ".kpf", ".pak", ".vpk", ".gma"})

    def test_every_option_is_shown_once(self) -> None:
        shown = [name for _, names in options.GROUPS for name in names]
        self.assertEqual(sorted(shown), sorted(option.name for option in options.OPTIONS))


class CommandLine(unittest.TestCase):
    """Tests `blender --command bspscene`."""

    def setUp(self) -> None:
        reset()

    def test_saves_what_it_imported(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "out.blend")
            self.assertEqual(command.run([str(ATRIUM), "--output", path, "--no-lights", "--meters-per-unit", "1"]), 0)
            self.assertTrue(os.path.isfile(os.path.join(folder, "lightmaps/atrium_lightmap_0.png")))
            bpy.ops.wm.open_mainfile(filepath=path)
            self.assertIn("worldspawn", bpy.data.objects)
            self.assertFalse(bpy.data.lights)
            self.assertAlmostEqual(bpy.data.objects["worldspawn"].dimensions.x, 1024, places=2)
            reset()

    def test_what_it_saves_looks_like_the_game(self) -> None:
        """A file that the command line saves looks like one after File > Import. It has a camera of the map, the map's
        sky, the view transform Standard, and views that show the map. Options can leave out each of these."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "out.blend")
            self.assertEqual(command.run([str(ATRIUM), "-o", path]), 0)
            bpy.ops.wm.open_mainfile(filepath=path)
            scene = bpy.context.scene
            self.assertIn(scene.camera, list(bpy.data.collections["atrium"].all_objects))
            self.assertIn("atrium", scene.world.name)
            self.assertEqual(scene.view_settings.view_transform, "Standard")
            spaces = [area.spaces.active for area in bpy.data.screens["Layout"].areas if area.type == "VIEW_3D"]
            self.assertEqual({space.shading.type for space in spaces}, {"MATERIAL"})
            self.assertEqual(command.run([str(ATRIUM), "-o", path, "--no-set-up-view"]), 0)
            self.assertIsNone(bpy.context.scene.camera)
            reset()

    def files(self, folder: str) -> dict:
        return {str(file.relative_to(folder)): file.read_bytes() for file in Path(folder).rglob("*") if file.is_file()}

    def said(self, *arguments: str) -> tuple:
        """Runs the command. Returns its exit code and its output."""
        with contextlib.redirect_stdout(io.StringIO()) as out:
            code = command.run(list(arguments))
        return code, out.getvalue()

    def test_a_failure_changes_no_file(self) -> None:
        """If the user mistypes the map's name, the existing .blend and its backup stay."""
        with tempfile.TemporaryDirectory() as folder:
            path, gone = os.path.join(folder, "out.blend"), os.path.join(folder, "nothere.bsp")
            self.assertEqual(command.run([str(ATRIUM), "-o", path]), 0)
            before = self.files(folder)
            for maps in ((gone,), (str(STYLES), gone), (gone, str(STYLES))):
                self.assertEqual(command.run([*maps, "-o", path]), 1)
                self.assertEqual(self.files(folder), before, maps)
            reset()

    def test_saves_once_and_leaves_no_backup(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "out.blend")
            for _ in range(2):
                self.assertEqual(command.run([str(ATRIUM), "-o", path, "--lightmaps", "PACK"]), 0)
                self.assertEqual(os.listdir(folder), ["out.blend"])
            self.assertEqual(os.path.realpath(bpy.data.filepath), os.path.realpath(path))
            reset()

    def test_an_output_that_cannot_be_is_refused_in_words(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            copy = os.path.join(folder, "atrium.blend")
            Path(copy).write_bytes(ATRIUM.read_bytes())
            before = self.files(folder)
            for output, words in ((os.path.join(folder, "none/out.blend"), "there is no folder"),
                                  (os.path.join(folder, "atrium.bsp"), "must end in .blend"),
                                  (copy, "is the input")):
                code, told = self.said(copy, "-o", output)
                self.assertEqual(code, 2)
                self.assertIn(words, told)
                self.assertEqual(told.count("\n"), 1, told)
            self.assertEqual(self.files(folder), before)

    def test_exit_codes(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "out.blend")
            self.assertEqual(command.run([str(FIXTURES / "rejected/unknown-format_zip.bsp"), "-o", path]), 1)
            self.assertEqual(command.run(["--no-such-option"]), 2)
            reset()

    @unittest.skipUnless(hasattr(bpy.utils, "register_cli_command"), "Blender 4.2 and later")
    def test_is_registered(self) -> None:
        command.register()
        try:
            self.assertIsNotNone(command._handle)
        finally:
            command.unregister()


class Translations(unittest.TestCase):
    def texts(self) -> set:
        """Returns all texts that the add-on shows: options, groups, operators, and calls of say(...)."""
        found = {title for title, _ in options.GROUPS if title}
        for option in options.OPTIONS:
            found |= {option.label, option.description, *(word for item in option.items for word in item[1:])}
        for file in sorted((ROOT / "addon").rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                found |= said(node)
        return found

    def test_german_is_complete(self) -> None:
        self.assertFalse(sorted(self.texts() - set(translations.GERMAN)))

    def test_nothing_is_left_over(self) -> None:
        self.assertFalse(sorted(set(translations.GERMAN) - self.texts()))

    def test_placeholders_are_kept(self) -> None:
        for english, german in translations.GERMAN.items():
            self.assertEqual(sorted(fields(english)), sorted(fields(german)), english)

    def test_blender_shows_it(self) -> None:
        view = bpy.context.preferences.view
        addon.register()
        try:
            for language in ("de_DE", "de"):
                try:
                    view.language = language
                except TypeError:
                    continue
                view.use_translate_interface = True
                if hasattr(view, "use_translate_reports"):
                    view.use_translate_reports = True
                if bpy.app.translations.locale in ("de_DE", "de"):
                    self.assertEqual(translations.say("Imported {name}", name="x"), "x importiert")
                    report = importer.Report()
                    report.missing_textures, report.models = ["a", "b"], ["c"]
                    self.assertEqual(report.lines()[0], "Es fehlen 2 Texturen und 1 Modell; Objekt > Spielkarte > "
                                                        "Fehlende Texturen suchen sucht danach")
                    return
            self.skipTest("this Blender has no German")
        finally:
            addon.unregister()
            view.use_translate_interface = False


def fields(message: str) -> list:
    import string
    return [name for _, name, _, _ in string.Formatter().parse(message) if name]


def constant(node) -> str:
    """Returns the value of a string constant, or "" for any other node."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def said(node: ast.AST) -> set:
    """Returns the texts that a piece of code shows."""
    bases = {b.attr for b in getattr(node, "bases", ()) if isinstance(b, ast.Attribute)}
    if "Operator" in bases:
        return {ast.get_docstring(node)} | labels(node)
    if "Menu" in bases:
        return labels(node)
    if isinstance(node, ast.AugAssign) and constant(node.value).startswith("; {"):
        return {"{map}: {pages} pages, {faces} faces" + constant(node.value)}
    if isinstance(node, ast.Assign) and constant(node.value).startswith("{map}"):
        return {constant(node.value)}
    if not isinstance(node, ast.Call):
        return set()
    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
    if name in ("say", "shown"):
        return {constant(node.args[0])} - {""}
    found = set()
    if name in ("label", "operator", "prop_search"):
        found = {constant(k.value) for k in node.keywords if k.arg == "text"}
    if name.endswith("Property"):
        found = {constant(k.value) for k in node.keywords if k.arg in ("name", "description")}
        for keyword in node.keywords:
            if keyword.arg == "items" and isinstance(keyword.value, ast.Tuple):
                found |= {constant(word) for item in keyword.value.elts for word in item.elts[1:]}
    if name == "_replace":
        found = {constant(k.value) for k in node.keywords if k.arg == "label"}
    return found - {""}


def labels(node: ast.ClassDef) -> set:
    return {constant(part.value) for part in node.body if isinstance(part, ast.Assign)
            and any(getattr(t, "id", "") == "bl_label" for t in part.targets)}
