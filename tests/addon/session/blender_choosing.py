"""Tests in Blender of the dialog before an import. It shows the format and game of the chosen file, and the installed
games."""
import shutil
import tempfile
import unittest
import zipfile
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import blf
import bpy
from blender_support import ATRIUM, FIXTURES, QUAKE3, addon, reset
from io_scene_bspscene import importer, options, translations
from io_scene_bspscene.choosing import Taken, taken_for
from bspscene import library
from bspscene.scene import text
from io_scene_bspscene.ui import choosing_panel


class TakenFor(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_every_format_has_its_title_and_its_game(self) -> None:
        for game, title in (("quake3", "Quake III Arena (IBSP 46)"), ("goldsrc", "GoldSrc (30)"),
                            ("quake_bsp2", "Quake (BSP2)"), ("hexen2", "Hexen II (29)")):
            path = next((FIXTURES / "atrium" / game / "maps").glob("*.bsp"))
            taken = taken_for(str(path))
            self.assertEqual(taken[0], title)
            self.assertEqual((taken.game_name(), taken.maps, taken.refused), (f"atrium/{game}", 1, ""))

    def test_what_lies_in_no_game(self) -> None:
        path = Path(shutil.copy(ATRIUM, self.folder))
        self.assertEqual(taken_for(str(path)), ("Quake III Arena (IBSP 46)", "", 1, ""))

    def test_a_game_right_below_the_root(self) -> None:
        for game, name in (("/baseoa", "baseoa"), ("/games/baseoa", "games/baseoa"), ("openarena", "openarena")):
            self.assertEqual(Taken(game=game).game_name(), name)

    def test_archives(self) -> None:
        path = self.folder / "two.pk3"
        with zipfile.ZipFile(path, "w") as archive:
            for name in ("hall", "tower"):
                archive.write(ATRIUM, f"maps/{name}.bsp")
        self.assertEqual(taken_for(str(path)), ("", "", 2, ""))
        self.assertEqual(taken_for(str(path), "hall").title, "Quake III Arena (IBSP 46)")

    def test_what_is_refused_and_what_changes(self) -> None:
        path = self.folder / "map.bsp"
        self.assertEqual(taken_for(str(path)).refused, "no such file")
        path.write_bytes(b"no map at all")
        self.assertIn("not a map", taken_for(str(path)).refused)
        shutil.copy(ATRIUM, path)
        self.assertEqual(taken_for(str(path)).refused, "")


def width_of(words: str) -> float:
    """Returns the width of a text in the file browser in pixels. The font has 11 points, at about 80 pixels per
    inch."""
    try:
        blf.size(0, 11)
    except TypeError:   # Blender before 4.0 also takes the resolution
        blf.size(0, 11, 72)
    return 1.11 * blf.dimensions(0, words)[0]


class Width(unittest.TestCase):
    """Texts fit into the file browser's side bar, which is 250 pixels wide when it opens."""
    # Width in pixels that Blender 3.4 has for each kind of text.
    LABEL, CHOICE, TICKED, BOX = 104, 91, 200, 195

    @unittest.skipIf(bpy.app.version >= (4, 0), "the font is wider since 4.0, and the widths were measured in 3.4")
    def test_of_options(self) -> None:
        for words in (lambda text: text, lambda text: translations.GERMAN.get(text, text)):
            for option in options.OPTIONS:
                label = words(option.label)
                self.assertGreater(width_of(label), 10)
                self.assertLessEqual(width_of(label), self.TICKED if option.kind == "bool" else self.LABEL, label)
                for _, name, _ in option.items:
                    self.assertLessEqual(width_of(words(name)), self.CHOICE, words(name))

    def lines(self, words: str, width: int = 249) -> list:
        told: list = []
        column = SimpleNamespace(label=lambda text, **_: told.append(text))
        context = SimpleNamespace(region=SimpleNamespace(type="TOOL_PROPS", width=width),
                                  preferences=SimpleNamespace(system=SimpleNamespace(ui_scale=1.0)))
        choosing_panel._label(column, words, "NONE", choosing_panel._letters(context))
        return told

    def test_of_what_a_file_was_taken_for(self) -> None:
        """Long titles and refusals are split into several lines. A wider side bar needs fewer lines."""
        titles = [title for family in families() for title in family]
        self.assertGreater(len(titles), 40)
        refused = taken_for(str(FIXTURES / "rejected/unknown-format_magic-alone.bsp")).refused
        for words in (*titles, refused, "Game: common/Counter-Strike Global Offensive"):
            self.assertEqual(" ".join(self.lines(words)), words)
            for line in self.lines(words):
                self.assertLessEqual(width_of(line), self.BOX, line)
        self.assertLess(len(self.lines(refused, 600)), len(self.lines(refused)) / 2)
        self.assertEqual(len(self.lines("Quake III Arena (IBSP 46)")), 1)


def families() -> list:
    """Returns the titles of each family's variants."""
    native, found, number = library.get(), [], 0
    while native.bspscene_families()[number]:
        family, index = native.bspscene_families()[number], 0
        found.append([])
        while native.bspscene_variant_name(family, index) is not None:
            found[-1].append(text(native.bspscene_variant_title(family, index)))
            index += 1
        number += 1
    return found


class Installed(unittest.TestCase):
    def setUp(self) -> None:
        reset()
        addon.register()
        self.addCleanup(addon.unregister)
        self.addCleanup(choosing_panel._found.clear)

    def test_a_game_of_the_list_is_searched(self) -> None:
        """If the user chooses a game in the list, a map outside of all games gets that game's textures."""
        self.assertEqual([item[0] for item in choosing_panel.installed_items(None, None)], ["NONE"])
        with mock.patch.object(choosing_panel, "installed_games", return_value=[str(QUAKE3)]):
            self.assertEqual(bpy.ops.import_scene.bspscene_search_games(), {"FINISHED"})
        items = choosing_panel.installed_items(None, None)
        self.assertEqual([item[:2] for item in items[1:]], [(str(QUAKE3), "atrium/quake3")])
        with tempfile.TemporaryDirectory() as folder:
            path = shutil.copy(ATRIUM, folder)
            missing = []
            for choice in ({}, {"installed": str(QUAKE3)}):
                reset()
                bpy.ops.import_scene.bspscene(filepath=path, **choice)
                root = next(c for c in bpy.data.collections if "map_file" in c)
                report = importer.Report()
                importer.load_scene(path, importer.values_of(root), report, None)
                missing.append(len(report.missing_textures))
        self.assertGreater(missing[0], 0)
        self.assertEqual(missing[1], 0)

    def test_the_file_that_is_chosen(self) -> None:
        params = SimpleNamespace(directory=str(ATRIUM.parent).encode(), filename=ATRIUM.name)
        browser = SimpleNamespace(space_data=SimpleNamespace(type="FILE_BROWSER", params=params))
        operator = SimpleNamespace(files=[], directory="", filepath=str(ATRIUM))
        view = SimpleNamespace(space_data=SimpleNamespace(type="VIEW_3D"))
        self.assertEqual(choosing_panel.chosen_file(operator, browser), str(ATRIUM))
        self.assertEqual(choosing_panel.chosen_file(operator, view), str(ATRIUM))
        params.filename = ""
        self.assertEqual(choosing_panel.chosen_file(operator, browser), "")
        operator.files = [SimpleNamespace(name="a.bsp"), SimpleNamespace(name="b.bsp")]
        operator.filepath = ""
        self.assertEqual(choosing_panel.chosen_file(operator, view), "")
