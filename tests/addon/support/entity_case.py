"""Code that several tests of writing entities share: fixtures by family, changes like those of a user, and an
independent reader of maps."""
import math
import sys
import tempfile
import unittest
from pathlib import Path

import bpy
from blender_support import FIXTURES, METERS, ROOT, addon, reset
from io_scene_bspscene.build.data.again import ENTITY, NODE
from mathutils import Matrix, Vector

sys.path.insert(0, str(ROOT / "tests/rewrite"))
from map_lumps import read_entities, read_lumps  # noqa: E402

ALL = sorted(FIXTURES.glob("atrium/*/maps/*.bsp")) + sorted(FIXTURES.glob("*/maps/room.bsp"))
FAMILIES = {path.parts[-3]: path for path in ALL}   # one map of each family
# The library does not write entities of these families.
REFUSED = [FAMILIES.pop(name) for name in ("callofduty4", "genesis3d", "respawn")]
SPAWNS = ("info_player", "info_human", "mp_deathmatch_spawn")
DOORS = ("func_door", "script_brushmodel")
WAY = Vector((8, -16, 4))


def read(path: str | Path) -> list[dict[str, str]]:
    """Returns the entities of a map as the independent reader finds them."""
    text = read_lumps(Path(path).read_bytes())["entities"]
    return [{key.decode("latin-1"): value.decode("latin-1") for key, value in entity} for entity in read_entities(text)]


def others(path: str | Path) -> dict[str, bytes]:
    lumps = read_lumps(Path(path).read_bytes())
    del lumps["entities"]
    return lumps


def numbers(text: str) -> list[float]:
    return [float(word) for word in text.split()]


def said(values) -> str:
    return " ".join(f"{value:g}" for value in values)


def own(root: bpy.types.Collection, number: int) -> bpy.types.Object:
    """Returns the object of the entity itself, not of the other objects that show parts of it."""
    found = [made for made in root.all_objects if made.get(ENTITY) == number]
    return min(found, key=lambda made: (len(made[NODE]), len(made.name)))


def moved(made: bpy.types.Object, way: Vector = WAY) -> None:
    made.location += way * METERS


def turned(made: bpy.types.Object, degrees: float, axis: str = "Z") -> None:
    """Rotates an object about an axis of the world, without moving it."""
    place = made.matrix_basis.copy()
    turn = Matrix.Rotation(math.radians(degrees), 4, axis)
    made.matrix_basis = Matrix.Translation(place.translation) @ turn @ place.to_3x3().to_4x4()


def copied(made: bpy.types.Object) -> bpy.types.Object:
    copy = made.copy()
    if made.type == "LIGHT":
        copy.data = made.data.copy()
    made.users_collection[0].objects.link(copy)
    return copy


class Case(unittest.TestCase):
    def setUp(self) -> None:
        reset()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def start(self, path: Path, **options) -> bpy.types.Collection:
        self.path, self.before = path, read(path)
        self.root = addon.import_map(str(path), **options)
        return self.root

    def write(self, name: str = "new.bsp") -> list[dict[str, str]]:
        """Writes the map. Returns its entities as the independent reader finds them. Checks that only the entity lump
        has changed."""
        target = self.folder / name
        self.written = addon.write_entities(self.root, str(target))
        self.assertEqual(others(target), others(self.path))
        return read(target)

    def told(self) -> str:
        return "\n".join(told.line() for told in self.written.told)

    def find(self, classname: str | tuple[str, ...], which: int = 0) -> int:
        return [n for n, entity in enumerate(self.before) if entity["classname"].startswith(classname)][which]
