"""Tests of entity definitions in FGD and DEF files: the meanings of classes and keys, and messages about wrong
values."""
import tempfile
import unittest
from pathlib import Path

from io_scene_bspscene import definitions

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


ENT = '''<?xml version="1.0"?>
<!-- a comment -->
<classes>
<list name="doorspeed"><item name="Slow" value="50"/><item name="Fast" value="400"/></list>
<group name="func_door" color="0 .5 .8">
A door
that opens.
-------- KEYS --------
<doorspeed key="speed" name="Speed" value="50">How fast</doorspeed>
<integer key="dmg" name="Damage" value="2">of what it squeezes</integer>
<boolean key="noise" name="Loud">Whether one hears it</boolean>
<flag key="START_OPEN" name="Starts open" bit="0">open first</flag>
<flag key="CRUSHER" name="Crusher" bit="2">crushes</flag>
<flag key="FAR" name="None" bit="99"/>
</group>
<point name="light" color="0 1 0" box="-8 -8 -8 8 8 8"><real key="light" name="Brightness" value="300"/></point>
</classes>
'''


class Definitions(unittest.TestCase):
    def test_ent(self) -> None:
        found = definitions.read_ent(ENT)
        keys = definitions.keys_of(found, "func_door")
        self.assertTrue(found["func_door"].text.startswith("A door that opens."))
        self.assertEqual(keys["speed"], definitions.Key("choices", "Speed", "How fast", "50",
                                                        {"50": "Slow", "400": "Fast"}))
        self.assertEqual(keys["spawnflags"].choices, {"1": "Starts open", "4": "Crusher"})
        self.assertEqual(definitions.keys_of(found, "light")["light"].kind, "float")
        for key, value, is_wrong in (("dmg", "2", False), ("dmg", "2.5", True), ("noise", "1", False),
                                     ("noise", "maybe", True), ("speed", "51", True)):
            self.assertEqual(bool(definitions.wrong(keys[key], value)), is_wrong, (key, value))

    def test_ent_of_other_kinds_is_nothing(self) -> None:
        for content in ("", '{\n"classname" "worldspawn"\n}\n', "<classes><group", "<classes/>",
                        '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><classes><point name="&b;"/></classes>'):
            self.assertEqual(definitions.read_ent(content), {})

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
