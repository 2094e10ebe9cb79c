#!/usr/bin/env python3
"""Promise: the library can be used by the names and layouts in its headers, without a generated binding.

    use_ctypes.py LIBRARY MAP
"""
import ctypes
import re
import sys
from pathlib import Path

HEADERS = Path(__file__).resolve().parents[2] / "native/include/bspscene"


class Error(ctypes.Structure):
    _fields_ = [("status", ctypes.c_uint32), ("record", ctypes.c_uint32), ("offset", ctypes.c_uint64),
                ("lump", ctypes.c_char * 32), ("message", ctypes.c_char * 480)]


class Mesh(ctypes.Structure):   # has further fields, which are not used
    _fields_ = [("name", ctypes.c_char_p)]


class Scene(ctypes.Structure):  # has further fields after these
    _fields_ = [("name", ctypes.c_char_p), ("family", ctypes.c_char_p), ("variant", ctypes.c_char_p),
                ("variant_title", ctypes.c_char_p), ("version", ctypes.c_int32), ("meters_per_unit", ctypes.c_float),
                ("bounds", ctypes.c_float * 6),
                ("counts", ctypes.c_void_p), ("warnings", ctypes.c_void_p), ("warning_count", ctypes.c_uint32),
                ("nodes", ctypes.c_void_p), ("node_count", ctypes.c_uint32),
                ("entities", ctypes.c_void_p), ("entity_count", ctypes.c_uint32),
                ("pairs", ctypes.c_void_p), ("pair_count", ctypes.c_uint32), ("entity_file", ctypes.c_char_p),
                ("first_key_wins", ctypes.c_bool), ("escaped_text", ctypes.c_bool),
                ("meshes", ctypes.POINTER(ctypes.POINTER(Mesh))), ("mesh_count", ctypes.c_uint32)]


def every_function(library: ctypes.CDLL) -> int:
    """Checks that the library has every function that the headers declare, and that the only inline functions are those
    that initialize structs. Returns the number of declared functions."""
    text = re.sub(r"/\*.*?\*/", "", "\n".join(p.read_text() for p in sorted(HEADERS.glob("*.h"))), flags=re.S)
    declared = set(re.findall(r"BSPSCENE_API[^;{]*?\b(bspscene_\w+)\(", text))
    inline = set(re.findall(r"static inline[^;{]*?\b(bspscene_\w+)\(", text))
    missing = [name for name in declared if not hasattr(library, name)]
    other = [name for name in inline if not name.endswith("_init")]
    if missing or other or len(declared) < 40:
        sys.exit(f"not exported: {missing}; inline: {other}; declared: {len(declared)}")
    return len(declared)


def main() -> int:
    library = ctypes.CDLL(sys.argv[1])
    library.bspscene_open.restype = ctypes.POINTER(Scene)
    library.bspscene_open.argtypes = [ctypes.c_char_p, ctypes.c_void_p, ctypes.POINTER(Error)]
    library.bspscene_scene_free.argtypes = [ctypes.POINTER(Scene)]
    error = Error()
    scene = library.bspscene_open(sys.argv[2].encode(), None, ctypes.byref(error))
    if not scene:
        sys.exit(error.message.decode())
    for mesh in scene.contents.meshes[:scene.contents.mesh_count]:
        print(mesh.contents.name.decode())
    library.bspscene_scene_free(scene)
    if library.bspscene_open(b"/nowhere.bsp", None, ctypes.byref(error)) or b"nowhere" not in error.message:
        sys.exit("no error for a map that is not there")
    print(f"{every_function(library)} functions by their names", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
