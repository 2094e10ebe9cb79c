"""Tests the Python package. Options of loads have their effect, written files equal those of the command line, and
every failure is an exception that leaves nothing behind.

test_package.py [BSPSCENE]: the command line to compare with.
"""
import contextlib
import gc
import importlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest
import warnings
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy
from package import ATRIUM, GAME, ROOT, Folder, bspscene, load

sys.path.insert(0, str(ROOT / "tests/package"))
from readme import code_blocks  # noqa: E402

abi = bspscene.abi
library: Any = sys.modules["bspscene.library"]
renderer: Any = sys.modules["bspscene.render"]
REJECTED = ROOT / "tests/fixtures/rejected"
COMMAND = ""


def _read_file(path: str) -> bytes | None:
    return (GAME / path).read_bytes() if (GAME / path).is_file() else None


def _list_files(prefix: str, suffix: str) -> list[str]:
    return sorted(path.relative_to(GAME).as_posix() for path in (GAME / prefix).glob(f"*{suffix}"))


def _without_words(png: bytes) -> bytes:
    """Returns a picture's file without the metadata that the command line adds."""
    out, at = png[:8], 8
    while at < len(png):
        end = at + 12 + int.from_bytes(png[at:at + 4], "big")
        if png[at + 4:at + 8] not in (b"tEXt", b"iTXt"):
            out += png[at:end]
        at = end
    return out


class Compared(Folder):
    def run_command(self, *words: str) -> None:
        if not COMMAND:
            self.skipTest("this build has no command line")
        subprocess.run([COMMAND, *words, "--quiet"], check=True)


class Loads(Folder):
    def test_a_map_of_a_directory_or_archive_by_name(self) -> None:
        archive = shutil.make_archive(str(self.folder / "pak0"), "zip", str(GAME))
        for place in (str(GAME), archive):
            self.assertEqual(bspscene.load(place, "atrium_styles").name, "atrium_styles")
            self.assertIn("atrium_deluxe", bspscene.maps(place))
        self.assertEqual(bspscene.maps(str(ATRIUM)), ["atrium"])

    def test_other_games_are_searched(self) -> None:
        lonely = shutil.copy(str(ATRIUM), str(self.folder))
        self.assertTrue(bspscene.load(lonely).missing_textures())
        self.assertEqual(bspscene.load(lonely, games=[str(GAME)]).missing_textures(), load().missing_textures())

    def test_one_game_needs_no_list(self) -> None:
        lonely = shutil.copy(str(ATRIUM), str(self.folder))
        for game in (str(GAME), GAME):
            self.assertEqual(bspscene.load(lonely, games=game).missing_textures(), load().missing_textures())

    def test_numbers_of_nothing_are_errors(self) -> None:
        scene = load()
        for ask in (scene.mesh, scene.keys, scene.world_transform, lambda number: scene.value(number, "classname")):
            for number in (-1, 2**31):
                with self.assertRaises(IndexError):
                    ask(number)

    def test_texts_are_str(self) -> None:
        scene = load(identify=True)
        for name in ("nodes", "meshes", "materials", "images"):
            record = scene.items(name)[0]
            self.assertIs(type(record.name), str, name)
        self.assertEqual(scene.data.name, "atrium")
        self.assertEqual(len(scene.data.identity.contents.bytes), 64)
        options = abi.LoadOptions(name="\u00e9t\u00e9")
        self.assertEqual(options.name, "\u00e9t\u00e9")
        self.assertIsNone(options.palette_path)
        options.name = None
        self.assertIsNone(options.name)

    def test_a_field_that_there_is_not_is_an_error(self) -> None:
        options = abi.LoadOptions()
        with self.assertRaises(AttributeError):
            options.include_masc = 1   # type: ignore[attr-defined]
        with self.assertRaises(AttributeError):
            abi.LoadOptions(textuers=1)
        for kind in vars(abi).values():
            if isinstance(kind, type) and issubclass(kind, abi.Record):
                self.assertFalse(hasattr(kind(), "__dict__"), kind)

    def test_faces_at_points_and_nodes_of_meshes(self) -> None:
        scene = load()
        camera = scene.items("cameras")[0]
        start = scene.start_camera()
        assert start is not None
        self.assertEqual(scene.items("cameras")[start].kind, abi.CAMERA_INTERMISSION)
        node = scene.items("nodes")[camera.node]
        place = node.transform[3], node.transform[7], node.transform[11]
        found = scene.face_at(place, 4096)
        assert found
        self.assertAlmostEqual(sum(found.barycentric), 1, 4)
        self.assertEqual(scene.items("nodes")[found.node].kind in (abi.NODE_WORLD, abi.NODE_BRUSH_ENTITY), True)
        self.assertIsNone(scene.face_at((1e6, 1e6, 1e6)))
        with self.assertRaises(ValueError):
            scene.face_at(place, -1)
        shown = [list(scene.nodes_with_mesh(number)) for number in range(scene.data.mesh_count)]
        nodes = [node.mesh for node in scene.items("nodes")]
        self.assertEqual(shown, [[n for n, mesh in enumerate(nodes) if mesh == number] for number in range(len(shown))])
        with self.assertRaises(IndexError):
            list(scene.nodes_with_mesh(-1))

    def test_pictures_of_textures_as_files(self) -> None:
        image = load().images()[0]
        image.write_file(self.folder / "a.png")
        self.assertEqual((self.folder / "a.png").read_bytes()[:4], b"\x89PNG")
        with self.assertRaises(bspscene.MapError):
            image.write_file(self.folder / "nowhere/a.png")

    def test_what_is_named_and_not_there_is_an_error(self) -> None:
        with self.assertRaisesRegex(bspscene.MapError, "nowhere"):
            bspscene.load(str(ATRIUM), games=["/nowhere"])
        with self.assertRaisesRegex(bspscene.MapError, "attic"):
            bspscene.load(str(ATRIUM), "attic")

    def test_files_of_ones_own(self) -> None:
        lonely, asked = shutil.copy(str(ATRIUM), str(self.folder)), []

        def open_file(path: str) -> bytes | None:
            asked.append(path)
            return _read_file(path)

        own = bspscene.load(lonely, open_file=open_file, list_files=_list_files)
        self.assertEqual(bspscene.write(own, "glb"), bspscene.write(load(), "glb"))
        self.assertTrue(any(path.startswith("scripts/") for path in asked), asked)
        self.assertGreater(len(bspscene.load(lonely, open_file=lambda path: None).missing_textures()), 5)

    def test_a_map_from_memory(self) -> None:
        own = bspscene.load("maps/atrium.bsp", data=ATRIUM.read_bytes(), open_file=_read_file, list_files=_list_files)
        self.assertEqual(bspscene.write(own, "glb"), bspscene.write(load(), "glb"))
        games = bspscene.load("maps/atrium.bsp", data=ATRIUM.read_bytes(), games=GAME)
        self.assertEqual(bspscene.write(games, "glb"), bspscene.write(load(), "glb"))
        # If `data` is given without `games`, no game is looked for near the path of the map.
        self.assertGreater(len(bspscene.load(ATRIUM, data=ATRIUM.read_bytes()).missing_textures()), 5)
        with self.assertRaisesRegex(bspscene.MapError, "empty.bsp"):
            bspscene.load("empty.bsp", data=b"")

    def test_records_show_their_fields(self) -> None:
        found = load().face_at((0, 0, 64), 4096)
        self.assertRegex(repr(found), r"^SurfacePoint\(struct_size=\d+, face=\d+, .*light=\[")

    def test_what_a_function_of_files_raises_comes_through(self) -> None:
        def fail(*_: str) -> None:
            raise ZeroDivisionError("no such disk")

        with self.assertRaisesRegex(ZeroDivisionError, "no such disk"):
            load(open_file=fail)
        with self.assertRaisesRegex(ZeroDivisionError, "no such disk"):
            load(open_file=lambda path: None, list_files=fail)
        with self.assertRaises(TypeError):
            load(open_file=lambda path: "a text")

    def test_words_stand_for_constants(self) -> None:
        named = load(textures="none", lightmap_encoding="hdr", include_mask="sky")
        self.assertEqual(named.data.lightmap_encoding, abi.LIGHTMAP_ENCODING_HDR)
        kinds = {section.surface_kind for mesh in named.meshes() for section in mesh.sections}
        self.assertEqual(kinds, {abi.SURFACE_VISIBLE, abi.SURFACE_SKY})
        options_of = sys.modules["bspscene.arguments"].options_of
        self.assertEqual(options_of(abi.LoadOptions, {"include_mask": ("sky", "clip")}).include_mask,
                         abi.SURFACE_SKY | abi.SURFACE_CLIP)
        self.assertEqual(options_of(abi.WriteOptions, {"lighting": "none"}).lighting, abi.WRITE_LIGHTING_NONE)

    def test_options_that_there_are_not_are_refused(self) -> None:
        with self.assertRaisesRegex(TypeError, "no option 'textuers'; there are .*textures"):
            load(textuers="none")
        with self.assertRaisesRegex(ValueError, "'blurred' is not one of load, names, none"):
            load(textures="blurred")
        with self.assertRaises(TypeError):
            load(struct_size=1)
        for wrong in ({"meters_per_unit": "far"}, {"strict": "yes"}, {"threads": 1.5}, {"models": 1.5}):
            with self.assertRaisesRegex(TypeError, f"^{next(iter(wrong))}: "):
                load(**wrong)
        with self.assertRaisesRegex(TypeError, "^frame: "):
            load(model_pose={"frame": "first"})
        with self.assertRaisesRegex(TypeError, "no option 'ligthing'; there are .*lighting"):
            bspscene.convert(load(), self.folder / "a.glb", ligthing="none")
        with self.assertRaisesRegex(TypeError, "no option 'file_name' here: the file is called a.glb"):
            bspscene.convert(load(), self.folder / "a.glb", file_name="b.glb")
        words = "lighting: 'cube' is not one of default, lightmap, vertex, none, baked$"
        with self.assertRaisesRegex(ValueError, words):
            bspscene.write(load(), "glb", lighting="cube")
        self.assertEqual(list(self.folder.iterdir()), [])
        with self.assertRaisesRegex(TypeError, "file_name must be a string, not 7"):
            bspscene.write(load(), "obj", file_name=7)
        with self.assertRaises(bspscene.MapError) as caught:
            load(lightmap_page_size=1)
        self.assertEqual(caught.exception.status, abi.ERROR_BAD_OPTIONS)

    def test_rejected_maps_are_errors_of_one_line(self) -> None:
        for path in (path for path in REJECTED.iterdir() if not path.name.startswith("bad-data")):
            with self.assertRaises(bspscene.MapError, msg=path.name) as caught:
                load(path)
            self.assertIn(path.name, str(caught.exception))
            self.assertNotIn("\n", str(caught.exception))

    def test_progress_can_cancel_and_raise(self) -> None:
        with self.assertRaises(bspscene.MapError) as caught:
            load(progress=lambda stage, share: False)
        self.assertTrue(caught.exception.canceled)

        def interrupt(stage: str, share: float) -> bool:
            raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            load(progress=interrupt)
        shares: list[float] = []

        def watch(stage: str, share: float) -> bool:
            shares.append(share)
            return True

        load(progress=watch)
        self.assertEqual((sorted(shares), shares[-1]), (shares, 1.0))

    def test_several_threads_load_and_read_at_once(self) -> None:
        shared, counts = load(), []

        def work() -> None:
            counts.append((len(load().meshes()), sum(len(mesh.triangles) for mesh in shared.meshes())))

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(counts), 4)
        self.assertEqual(len(set(counts)), 1)


class Pictures(unittest.TestCase):
    def test_of_textures_are_arrays_and_files(self) -> None:
        scene = load()
        for image in scene.images():
            pixels = image.pixels()
            self.assertEqual(pixels.shape[2], 4)
            if not image.is_missing:
                self.assertEqual(pixels.shape[:2], (image.record.height, image.record.width))
            self.assertRegex(image.encoded()[:4], rb"\x89PNG|\xff\xd8\xff")

    def test_of_pages_are_light(self) -> None:
        display, hdr = load().pages()[0], load(lightmap_encoding="hdr").pages()[0]
        self.assertEqual(display.luxels().shape, (display.height, display.width, 3))
        self.assertEqual(display.luxels().dtype, "uint8")
        self.assertGreater(int(display.luxels().max()), 100)
        self.assertEqual((hdr.luxels().dtype, hdr.luxels().shape[2]), ("float16", 3))
        self.assertEqual(display.encoded()[1], "png")
        self.assertEqual(load(lightmap_encoding="none").pages(), [])

    def test_of_sparse_pages_are_those_of_whole_ones(self) -> None:
        path = ROOT / "tests/fixtures/atrium/quake/maps/atrium.bsp"
        whole, sparse = load(path), load(path, sparse_lightmaps=True)
        styles = [record.style for record in whole.items("lightmap_sets")]
        self.assertEqual(styles, [record.style for record in sparse.items("lightmap_sets")])
        for style in styles:
            old, new = whole.pages(style=style)[0], sparse.pages(style=style)[0]
            self.assertEqual(bool(new.record.blocks), style != 0)
            self.assertTrue(numpy.array_equal(old.luxels(), new.luxels()))
            self.assertEqual(old.encoded(), new.encoded())

    def test_of_other_luxels_are_written_alike(self) -> None:
        page, picture = load().pages()[0], sys.modules["bspscene.picture"]
        self.assertEqual(picture.encode_page(page.record, page.luxels()), page.encoded())
        self.assertEqual(picture.encode_page(page.record, page.luxels().astype(numpy.float32)), page.encoded())
        with self.assertRaises(ValueError):
            picture.encode_page(page.record, numpy.zeros((3, 3, 3)))
        self.assertLess(len(picture.encode_page(page.record, numpy.zeros(1))[0]), len(page.encoded()[0]))


class Files(Compared):
    def test_are_those_of_the_command_line(self) -> None:
        scene = load(skip_normal_maps=True)
        for name, options, words in (
                ("atrium.glb", {"light_error": 14}, ()), ("atrium.obj", {}, ()),
                ("atrium.gltf", {"lighting": "lightmap", "lights": "brightest", "max_lights": 3},
                 ("--lighting=lightmap", "--lights=3"))):
            ours, theirs = self.folder / f"ours-{name}", self.folder / f"theirs-{name}"
            ours.mkdir()
            theirs.mkdir()
            written = bspscene.convert(scene, ours / name, **options)
            self.run_command("convert", str(ATRIUM), str(theirs / name), "--no-normal-maps", *words)
            self.assertEqual(written[0], ours / name)
            self.assertEqual(sorted(written), sorted(ours.iterdir()))
            self.assertEqual([path.name for path in sorted(ours.iterdir())],
                             [path.name for path in sorted(theirs.iterdir())])
            for path in written:
                self.assertEqual(path.read_bytes(), (theirs / path.name).read_bytes(), path.name)
            self.assertEqual([len(content) for content in bspscene.write(scene, name[7:], file_name=name,
                                                                         **options).values()],
                             [path.stat().st_size for path in written])

    def test_of_an_atlas_are_pages_and_a_list(self) -> None:
        scene = load()
        names = [path.name for path in bspscene.write_atlas(scene, self.folder / "new/atlas")]
        self.assertIn("atlas.json", names)
        self.assertEqual(len([name for name in names if name.endswith(".png")]), scene.data.lightmap_page_count)

    def test_keep_what_was_there_when_something_fails(self) -> None:
        scene, target = load(), self.folder / "a.glb"
        target.write_bytes(b"before")

        def fail(stage: str, share: float) -> bool:
            if share > 0.5:
                raise RuntimeError("half way")
            return True

        with self.assertRaisesRegex(RuntimeError, "half way"):
            bspscene.convert(scene, target, progress=fail)
        with self.assertRaises(bspscene.MapError) as caught:
            bspscene.convert(scene, target, output_limit=100)
        self.assertEqual(caught.exception.status, abi.ERROR_OUTPUT_LIMIT)
        with self.assertRaisesRegex(bspscene.MapError, "no format with this ending.*[.]glb"):
            bspscene.convert(scene, self.folder / "a.txt")
        with self.assertRaises(FileNotFoundError):
            bspscene.convert(scene, self.folder / "nowhere/a.glb")
        with self.assertRaises(bspscene.MapError):
            bspscene.write(scene, "vrml")
        self.assertEqual([(path.name, path.read_bytes()) for path in self.folder.iterdir()], [("a.glb", b"before")])

    def test_have_the_rights_of_any_new_file(self) -> None:
        plain = self.folder / "plain"
        plain.touch()
        self.assertEqual(bspscene.convert(load(), self.folder / "a.obj")[0].stat().st_mode, plain.stat().st_mode)


class Bakes(unittest.TestCase):
    def test_put_the_light_into_the_vertices(self) -> None:
        baked = bspscene.bake(load(), vertices=True, light_error=30)
        self.assertEqual(baked.pages(), [])
        for mesh in baked.meshes():
            self.assertEqual(mesh.baked_light.shape, mesh.positions.shape)
            self.assertIsNone(mesh.lightmap_uvs)

    def test_add_light_styles_up_as_they_are_wanted(self) -> None:
        scene = load(GAME / "maps/atrium_styles.bsp")
        style = next(record.style for record in scene.items("lightmap_sets") if record.style)
        self.assertTrue(scene.pages(style=style))
        means = [float(bspscene.bake(scene, light_styles={style: value}).pages()[0].luxels().mean())
                 for value in (0, 1)]
        self.assertLess(means[0], means[1])
        with self.assertRaises(ValueError):
            bspscene.bake(scene, light_styles={256: 1})


class Renders(Compared):
    def setUp(self) -> None:
        super().setUp()
        if not renderer.is_available():
            self.skipTest("this build has no renderer (Embree)")

    def test_are_those_of_the_command_line(self) -> None:
        scene = load(for_pictures=True)
        picture = bspscene.Renderer(scene, width=64, height=48).picture()
        self.assertEqual(picture.shape, (48, 64, 3))
        self.run_command("render", str(ATRIUM), str(self.folder / "a.png"), "--size=64x48")
        written = _without_words((self.folder / "a.png").read_bytes())
        self.assertEqual(sys.modules["bspscene.picture"].png_bytes(picture), written)

    def test_outlive_their_scene(self) -> None:
        prepared = bspscene.Renderer(load(), width=8, height=8, samples=1)
        gc.collect()
        load()
        self.assertGreater(int(prepared.picture().max()), 0)

    def test_can_be_from_anywhere(self) -> None:
        scene = load()
        prepared = bspscene.Renderer(scene, width=32, height=32, samples=1, mode="texture")
        above = prepared.picture(bspscene.overview(scene, 32, 32))
        self.assertTrue((above != prepared.picture(bspscene.camera_view(scene, 0))).any())
        with self.assertRaises(IndexError):
            bspscene.camera_view(scene, 1 << 20)
        with self.assertRaises(bspscene.MapError):
            prepared.picture(bspscene.View(fov_degrees=500))

    def test_are_what_notebooks_show(self) -> None:
        """Runs the example as a notebook does, where the last line of a cell is shown."""
        cells = json.loads((ROOT / "docs/examples/map_in_a_notebook.ipynb").read_text(encoding="utf-8"))["cells"]
        shown: list[Any] = []
        space: dict[str, Any] = {}
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        with patch.dict(os.environ, BSPSCENE_MAP=str(ATRIUM)):
            for cell in (cell for cell in cells if cell["cell_type"] == "code"):
                *body, last = "".join(cell["source"]).splitlines()
                exec("\n".join(body), space)
                shown.append(eval(last, space))
        page = shown[0]._repr_html_()
        self.assertRegex(page, "src=\"data:image/png;base64,[^\"]{20000,}\".*<th>meshes</th><td>3</td>")
        self.assertTrue((self.folder / "atrium.glb").is_file())

    def test_are_left_out_of_notebooks_without_a_renderer(self) -> None:
        notebook = importlib.import_module("bspscene.notebook")
        with patch.object(notebook, "Renderer", side_effect=bspscene.LibraryError("none")):
            page = load()._repr_html_()
        self.assertNotIn("<img", page)
        self.assertIn("<figcaption>atrium</figcaption>", page)

    def test_tell_how_far_it_is(self) -> None:
        prepared = bspscene.Renderer(load(), width=5, height=3)
        near, far = (prepared.distances(bspscene.View(origin=(300, 0, z), pitch=90, fov_degrees=20)) for z in (40, 60))
        self.assertEqual(near.shape, (3, 5))
        self.assertAlmostEqual(float(far[1, 2] - near[1, 2]), 20, places=2)
        self.assertGreater(float(near[0, 0]), float(near[1, 2]))
        outside = prepared.distances(bspscene.View(origin=(0, 0, 1e5), pitch=-90, fov_degrees=20))
        self.assertTrue((outside == float("inf")).all())


class Library(unittest.TestCase):
    def test_beside_the_package_is_found_also_in_a_folder_for_the_platform(self) -> None:
        saved, home = os.environ.pop("BSPSCENE_LIBRARY"), library.HERE
        try:
            with tempfile.TemporaryDirectory() as folder:
                library.HERE = Path(folder)
                self.assertNotIn(folder, library.path() if sys.platform == "linux" else "")
                several = Path(folder) / library.platform_name() / library.file_name("bspscene")
                several.parent.mkdir()
                several.touch()
                self.assertEqual(library.path(), str(several))
                alone = Path(folder) / several.name
                alone.touch()
                self.assertEqual(library.path(), str(alone))
        finally:
            os.environ["BSPSCENE_LIBRARY"], library.HERE = saved, home

    def test_of_a_renderer_that_is_missing_is_named(self) -> None:
        saved, renderer._loaded = os.environ.get("BSPSCENE_RENDER_LIBRARY"), None
        os.environ["BSPSCENE_RENDER_LIBRARY"] = "/nowhere/librender.so"
        try:
            with self.assertRaisesRegex(bspscene.LibraryError, "no renderer.*/nowhere/librender.so"):
                bspscene.Renderer(load())
        finally:
            del os.environ["BSPSCENE_RENDER_LIBRARY"]
            if saved:
                os.environ["BSPSCENE_RENDER_LIBRARY"] = saved


class Readme(Folder):
    def test_sample_runs_as_it_stands(self) -> None:
        for readme in ("README.md", "python/bspscene/README.md", "docs/python.md"):
            blocks = code_blocks("python", readme)
            self.assertTrue(blocks, readme)
            folder = self.folder / readme.replace("/", "-")
            shutil.copytree(str(GAME), str(folder))
            with contextlib.chdir(folder) if hasattr(contextlib, "chdir") else _chdir(folder):
                for block in blocks:
                    with warnings.catch_warnings(), contextlib.redirect_stdout(None):
                        warnings.simplefilter("error")
                        exec(compile(block, readme, "exec"), {})
            self.assertEqual((folder / "atrium.glb").read_bytes()[:4], b"glTF")


@contextlib.contextmanager
def _chdir(folder: Path):
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


if __name__ == "__main__":
    COMMAND = sys.argv.pop(1) if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else ""
    unittest.main()
