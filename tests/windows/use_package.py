"""use_package.py PACKAGE_DIRECTORY OUT MAP...: runs in a Windows Python without numpy. The package of a wheel loads
maps by ctypes, as the add-on does, and writes the same files as the program."""
import sys
from pathlib import Path

PACKAGE, OUT, *MAPS = sys.argv[1:]
sys.path.insert(0, PACKAGE)

import bspscene  # noqa: E402
from bspscene import library  # noqa: E402

assert sys.platform == "win32", sys.platform
assert Path(library.path()).name == "bspscene.dll" and PACKAGE in library.path(), library.path()
for number, name in enumerate(MAPS):
    scene = bspscene.load(name)
    assert scene.data.mesh_count and len(list(scene.entities())) > 1, name
    bspscene.convert(scene, str(Path(OUT) / f"{number}.glb"))
try:
    bspscene.load(str(Path(OUT) / "not there.bsp"))
except bspscene.MapError as error:
    assert "no such file" in str(error), error
else:
    raise AssertionError("a map that is not there loads")
del scene
assert library.release(), "the library cannot be let go"
print(f"{len(MAPS)} maps, {sys.version}")
