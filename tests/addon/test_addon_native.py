"""Tests what the add-on uses of the Python package, without Blender: the ctypes structs equal those of the headers,
views show the library's data and keep it alive, and every error has a clear message."""
import ast
import ctypes
import gc
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "addon"), str(ROOT / "python")]

import options  # noqa: E402
from bspscene.library import MapError  # noqa: E402

from bspscene import abi, files, library, picture, scene  # noqa: E402

ATRIUM = ROOT / "tests/fixtures/atrium/quake3/maps/atrium.bsp"
REJECTED = ROOT / "tests/fixtures/rejected"


def load(path=ATRIUM, **given) -> scene.Scene:
    return scene.load(files.GameFiles(str(path)), **given)


class Mirror(unittest.TestCase):
    def test_is_what_the_header_says(self) -> None:
        made = subprocess.run([sys.executable, str(ROOT / "scripts/make-abi"), "--check"], stderr=subprocess.PIPE)
        if made.returncode:
            self.fail(made.stderr.decode())

    def test_has_every_struct_in_its_size(self) -> None:
        self.assertEqual(sorted(abi.STRUCTS), list(range(len(abi.STRUCTS))))
        for number, kind in abi.STRUCTS.items():
            self.assertEqual(ctypes.sizeof(kind), library.get().bspscene_struct_size(number), kind.__name__)


class Source(unittest.TestCase):
    def test_no_class_reads_its_own_annotations(self) -> None:
        """Class bodies must not read __annotations__. In Python 3.14 they cannot, so the add-on could not be
        enabled."""
        for file in sorted((ROOT / "addon").rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                for part in node.body if isinstance(node, ast.ClassDef) else ():
                    if isinstance(part, ast.FunctionDef):
                        continue
                    read = [n for n in ast.walk(part) if isinstance(n, ast.Name) and n.id == "__annotations__"
                            and isinstance(n.ctx, ast.Load)]
                    self.assertFalse(read, f"{file}: {node.name}")


    def test_debians_package_has_every_room(self) -> None:
        """Debian's package lists every folder of the add-on. Once, new folders were missing in the list."""
        listed = (ROOT / "scripts/debian/blender-bspscene.install").read_text(encoding="utf-8")
        for file in sorted((ROOT / "addon").rglob("*.py")):
            self.assertIn(f"{file.parent.relative_to(ROOT)}/*.py ", listed)


class Games(unittest.TestCase):
    """The library finds installed games in this system's usual places."""

    @unittest.skipIf(sys.platform == "win32", "HOME is no place of Windows'")
    def test_below_the_users_home(self) -> None:
        with tempfile.TemporaryDirectory() as home, mock.patch.dict(os.environ, HOME=home):
            game = Path(home) / "Games/openarena/baseoa"
            game.mkdir(parents=True)
            (game / "pak0.pk3").write_bytes(b"")
            self.assertEqual([path for path in files.installed_games() if path.startswith(home)], [str(game)])


class Library(unittest.TestCase):
    def tearDown(self) -> None:
        os.environ["BSPSCENE_LIBRARY"] = LIBRARY

    def refused(self, path: str) -> str:
        library.release()
        os.environ["BSPSCENE_LIBRARY"] = path
        with self.assertRaises(library.LibraryError) as caught:
            library.get()
        return str(caught.exception)

    def test_that_is_missing_is_named(self) -> None:
        self.assertIn("missing: /nowhere/libbspscene.so", self.refused("/nowhere/libbspscene.so"))

    def test_that_is_no_library_is_refused(self) -> None:
        self.assertIn("cannot be loaded", self.refused(str(ATRIUM)))

    def test_that_is_another_one_is_refused(self) -> None:
        self.assertIn("another version", self.refused(_path_of("libm.so.6")))

    def with_node(self, kind: type[ctypes.Structure]) -> None:
        saved = abi.STRUCTS[abi.STRUCT_NODE]
        self.addCleanup(abi.STRUCTS.__setitem__, abi.STRUCT_NODE, saved)
        abi.STRUCTS[abi.STRUCT_NODE] = kind

    def test_that_knows_less_is_refused(self) -> None:
        self.with_node(abi.Mesh)
        self.assertIn("too old for Mesh", self.refused(LIBRARY))

    def test_that_knows_more_is_used(self) -> None:
        class SmallNode(ctypes.Structure):
            _fields_ = abi.Node._fields_[:3]

        self.with_node(SmallNode)
        library.release()
        self.assertTrue(library.get())

    def test_is_not_released_under_a_scene(self) -> None:
        loaded = load()
        self.assertFalse(library.release())
        del loaded
        gc.collect()
        self.assertTrue(library.release())


def _path_of(name: str) -> str:
    """Returns the path of a library that this process has loaded."""
    maps = Path("/proc/self/maps").read_text()
    return next(line.split()[-1] for line in maps.splitlines() if line.endswith(name))


class Views(unittest.TestCase):
    def test_have_the_counts_of_the_scene(self) -> None:
        loaded = load()
        for index, record in enumerate(loaded.items("meshes")):
            view = loaded.mesh(index)
            self.assertEqual(view.positions.shape, (record.vertex_count, 3))
            self.assertEqual(len(view.indices), record.index_count)
            self.assertEqual(str(view.positions.dtype), "float32")
            self.assertLess(int(view.indices.max()), record.vertex_count)
        self.assertEqual(len(loaded.faces()), loaded.data.face_count)
        self.assertEqual(int(loaded.faces()["index_count"].sum()), sum(m.index_count for m in loaded.items("meshes")))

    def test_outlive_the_scene(self) -> None:
        loaded = load()
        positions = loaded.mesh(0).positions
        expected = positions.copy()
        del loaded
        gc.collect()
        self.assertTrue((positions == expected).all())
        self.assertFalse(library.release())

    def test_keys_keep_their_order(self) -> None:
        loaded = load()
        door = next(i for i, e in enumerate(loaded.items("entities")) if e.classname == "func_door")
        self.assertEqual(loaded.keys(door)[:2], [("classname", "func_door"), ("targetname", "door1")])
        self.assertEqual(loaded.value(door, "LIP"), "8")
        self.assertIsNone(loaded.value(door, "no such key"))


class Images(unittest.TestCase):
    def test_are_png_or_jpeg(self) -> None:
        for image in load().items("images"):
            self.assertRegex(picture.image_bytes(image)[:4], rb"\x89PNG|\xff\xd8\xff")

    def test_missing_ones_are_named_and_shown(self) -> None:
        with tempfile.TemporaryDirectory() as empty:
            lonely = Path(empty) / "atrium.bsp"
            lonely.write_bytes(ATRIUM.read_bytes())
            loaded = load(lonely)
            self.assertIn("textures/sample/brick", loaded.missing_textures())
            self.assertEqual(picture.image_bytes(loaded.items("images")[0])[:4], b"\x89PNG")

    def test_alpha_is_kept_where_any_pixel_has_some(self) -> None:
        """Byte 25 of a PNG is its color type: 2 for RGB, 6 for RGBA."""
        with tempfile.TemporaryDirectory() as empty:
            lonely = Path(empty) / "atrium.bsp"
            lonely.write_bytes(ATRIUM.read_bytes())
            image = load(lonely).items("images")[0]
            for alphas, color_type in (([255, 255], 2), ([255, 0], 6), ([0, 255], 6), ([0, 0], 6)):
                pixels = numpy.full((1, 2, 4), 255, numpy.uint8)
                pixels[0, :, 3] = alphas
                self.assertEqual(picture.image_bytes(image, pixels)[25], color_type, alphas)

    def test_pages_are_png_or_exr(self) -> None:
        content, ending = picture.page_bytes(load().items("lightmap_sets")[0].pages[0])
        self.assertEqual((content[:4], ending), (b"\x89PNG", "png"))


class Errors(unittest.TestCase):
    def test_are_one_line_that_names_the_file(self) -> None:
        refused = [path for path in sorted(REJECTED.iterdir()) if not path.name.startswith("bad-data")]
        self.assertGreater(len(refused), 10)
        for path in refused:
            with self.assertRaises(MapError, msg=path.name) as caught:
                load(path)
            self.assertIn(path.name, str(caught.exception))
            self.assertNotIn("\n", str(caught.exception))

    def test_cancel_is_told_apart(self) -> None:
        with self.assertRaises(MapError) as caught:
            load(progress=lambda *_: False)
        self.assertTrue(caught.exception.canceled)

    def test_exceptions_of_the_progress_come_through(self) -> None:
        with self.assertRaises(ZeroDivisionError):
            load(progress=lambda *_: bool(1 // 0))

    def test_an_archive_that_cannot_be_read_is_a_problem_not_an_end(self) -> None:
        found = files.GameFiles(str(ATRIUM), ["/nowhere"], skip_bad_games=True)
        self.assertEqual(len(found.problems), 1)
        self.assertIn("/nowhere", found.problems[0])


class Places(unittest.TestCase):
    """Tests files.py, by which the add-on calls bspscene_source. test_place.c tests the C functions themselves."""

    def test_maps_of_a_place_are_named(self) -> None:
        self.assertEqual(files.maps_in(str(ATRIUM)), [])
        self.assertEqual(files.maps_in("/nowhere"), [])
        self.assertIn("atrium_styles", files.maps_in(str(ATRIUM.parents[1])))

    def test_a_map_is_chosen(self) -> None:
        game = str(ATRIUM.parents[1])
        self.assertEqual(files.GameFiles(game, (), "maps/Atrium_Styles.bsp").name(), "atrium_styles")
        self.assertEqual(files.GameFiles(str(ATRIUM), (), "of the last import").name(), "atrium")
        for wanted, status in (("", abi.ERROR_BAD_OPTIONS), ("nothere", abi.ERROR_NOT_FOUND)):
            with self.assertRaises(MapError) as caught:
                files.GameFiles(game, (), wanted)
            self.assertEqual(caught.exception.status, status)
            self.assertIn("atrium, atrium_deluxe", str(caught.exception))

    def test_the_game_is_searched(self) -> None:
        self.assertEqual(files.GameFiles(str(ATRIUM)).places(), [str(ATRIUM.parents[1].resolve())])


class Options(unittest.TestCase):
    def test_defaults_are_valid(self) -> None:
        self.assertEqual(options.complete({})["shading"], "GAME")

    def test_wrong_ones_are_refused(self) -> None:
        with self.assertRaises(TypeError):
            options.complete({"color": "red"})
        for name, value in (("shading", "PRETTY"), ("lightmap_page_size", 1), ("patch_error", float("nan"))):
            with self.assertRaises(ValueError, msg=name):
                options.complete({name: value})


LIBRARY = os.environ["BSPSCENE_LIBRARY"]

if __name__ == "__main__":
    unittest.main()
