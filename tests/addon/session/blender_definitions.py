"""Tests of entity definitions, FGD and DEF: what classes and keys mean, and what is wrong with a value."""
import tempfile
import unittest
from pathlib import Path

from bspscene import definitions

FGD = '''
@BaseClass = Targetname [ targetname(target_source) : "Name" ]   // a comment
@BaseClass base(Targetname) = Toggle [ speed(integer) : "Speed" : 100 : "Units " + "a second" ]
@PointClass base(Toggle) size(-8 -8 -8, 8 8 8) color(255 0 0) = light : "A lamp"
[
	light(integer) : "Brightness" : 300
	style(choices) : "Style" : 0 = [ 0 : "Normal" 10 : "Fluorescent" ]
	spawnflags(flags) = [ 1 : "Start off" : 0 ]
	_color(color255) : "Color" : "255 255 255"
]
@PointClass = broken(
@SolidClass = func_door : "A door" []
'''
DEF = '''
/*QUAKED func_door (0 .5 .8) ? START_OPEN x CRUSHER
Normal doors open when somebody touches them.
"speed" movement speed (100 default)
"wait"  : wait before returning
*/
void func_door () {}
'''


class Definitions(unittest.TestCase):
    def test_fgd(self) -> None:
        found = definitions.read_fgd(FGD)
        self.assertEqual(found["light"].text, "A lamp")
        self.assertEqual(found["func_door"].text, "A door")
        keys = definitions.keys_of(found, "light")
        self.assertEqual(set(keys), {"light", "style", "spawnflags", "_color", "speed", "targetname"})
        self.assertEqual(keys["speed"], definitions.Key("integer", "Speed", "Units a second", "100", {}))
        self.assertEqual(keys["style"].choices, {"0": "Normal", "10": "Fluorescent"})
        self.assertEqual(keys["spawnflags"].choices, {"1": "Start off"})

    def test_def(self) -> None:
        door = definitions.read_def(DEF)["func_door"]
        self.assertEqual(door.text, "Normal doors open when somebody touches them.")
        self.assertEqual(door.keys["speed"].text, "movement speed (100 default)")
        self.assertEqual(door.keys["wait"].text, "wait before returning")
        self.assertEqual(door.keys["spawnflags"].choices, {"1": "START_OPEN", "4": "CRUSHER"})

    def test_what_is_wrong_is_said(self) -> None:
        keys = definitions.keys_of(definitions.read_fgd(FGD), "light")
        for key, value, wrong in (("light", "300", False), ("light", "bright", True), ("style", "10", False),
                                  ("style", "3", True), ("spawnflags", "1", False), ("spawnflags", "6", True)):
            self.assertEqual(bool(definitions.wrong(keys[key], value)), wrong, (key, value))
        self.assertEqual(definitions.unknown(definitions.read_fgd(FGD), "light", ["light", "origin", "lihgt"]),
                         {"lihgt"})

    def test_damaged_files_end(self) -> None:
        for cut in range(len(FGD)):
            definitions.read_fgd(FGD[:cut])
        for cut in range(len(DEF)):
            definitions.read_def(DEF[:cut])
        loop = definitions.read_fgd("@BaseClass base(B) = A []\n@BaseClass base(A) = B []\n")
        self.assertEqual(definitions.keys_of(loop, "A"), {})

    def test_a_games_folder(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(definitions.of_game(folder), {})
            (Path(folder) / "scripts").mkdir()
            (Path(folder) / "scripts/entities.def").write_text(DEF)
            self.assertIn("func_door", definitions.of_game(folder))
        self.assertEqual(definitions.of_game(""), {})
