"""Three of the programs in plain ctypes, written from the headers:

    plain_ctypes.py LIBRARY textured_glb MAP.bsp OUT.glb
    plain_ctypes.py LIBRARY own_files MAP.bsp
    plain_ctypes.py LIBRARY atlas_pngs MAP.bsp
"""
import sys
from ctypes import (CDLL, CFUNCTYPE, POINTER, Structure, byref, c_bool, c_char, c_char_p, c_float, c_int32, c_size_t,
                    c_uint8, c_uint32, c_uint64, c_void_p, cast, create_string_buffer, sizeof, string_at)
from pathlib import Path
from typing import Any


class Error(Structure):
    _fields_ = [("status", c_uint32), ("record", c_uint32), ("offset", c_uint64), ("lump", c_char * 32),
                ("message", c_char * 480)]


class Page(Structure):
    _fields_ = [("width", c_uint32), ("height", c_uint32), ("format", c_uint32), ("data", c_void_p)]


class PageSet(Structure):   # the first set of a scene is its light
    _fields_ = [("kind", c_uint32), ("style", c_uint32), ("intensity", c_float), ("tangent_space", c_bool),
                ("pages", POINTER(Page))]


class Face(Structure):      # complete, because an array's elements must have the full size; this struct never changes
    _fields_ = [*((name, c_uint32) for name in (
        "record", "mesh", "section", "first_index", "index_count", "first_vertex", "vertex_count", "surface_flags",
        "content_flags", "leaf", "cluster", "area", "lightmap_page", "lightmap_x", "lightmap_y", "lightmap_width",
        "lightmap_height")), ("styles", c_uint8 * 4)]


class Counts(Structure):    # only the fields up to those that the example needs
    _fields_ = [(name, c_uint32) for name in (
        "models", "faces", "polygons", "patches", "meshes", "displacements", "billboards", "lightmap_faces",
        "vertex_records", "map_lightmaps", "brush_entities", "static_props", "vertices", "triangles",
        "textures_found", "textures_missing")]


def counted(*names: str) -> list[tuple[str, Any]]:
    """Returns the two fields of an array in a scene: a pointer and a count."""
    return [field for name in names for field in ((name, c_void_p), (f"{name}_count", c_uint32))]


class Scene(Structure):     # only the fields up to those that the example needs
    _fields_ = [("name", c_char_p), ("family", c_char_p), ("variant", c_char_p), ("variant_title", c_char_p),
                ("version", c_int32),
                ("meters_per_unit", c_float), ("bounds", c_float * 6), ("counts", POINTER(Counts)),
                *counted("warnings", "nodes", "entities", "pairs"), ("entity_file", c_char_p),
                ("first_key_wins", c_bool), ("escaped_text", c_bool),
                *counted("meshes", "faces", "materials", "material_passes", "frame_images", "images"),
                ("sky_material", c_uint32), ("sky_camera_origin", c_float * 3), ("sky_camera_scale", c_float),
                *counted("cubemaps"), ("lightmap_sets", POINTER(PageSet)),
                ("lightmap_set_count", c_uint32), ("lightmap_page_count", c_uint32)]


class Stream(Structure):
    _fields_ = [("struct_size", c_size_t), ("user", c_void_p), ("read", c_void_p), ("close", c_void_p),
                ("data", c_void_p), ("size", c_uint64), ("origin", c_char_p), ("stored_size", c_uint64)]


OpenFile = CFUNCTYPE(c_bool, c_void_p, POINTER(Stream), c_char_p, c_uint32)
Write = CFUNCTYPE(c_bool, c_void_p, POINTER(c_uint8), c_size_t)


NO_INDEX = 0xffffffff           # BSPSCENE_NO_INDEX
LOAD_OPTIONS = 27               # BSPSCENE_STRUCT_LOAD_OPTIONS


class LoadOptions(Structure):   # only the fields up to those that the example needs; the memory has the size of the
                                # whole struct
    _fields_ = [("struct_size", c_size_t), ("name", c_char_p), ("open_file", OpenFile), ("list_files", c_void_p),
                ("file_user", c_void_p)]


def told(scene: Any, error: Error) -> Any:
    if not scene:
        sys.exit(error.message.decode())
    return scene


def main() -> None:
    library, what, path = CDLL(sys.argv[1]), sys.argv[2], sys.argv[3].encode()
    library.bspscene_open.restype = library.bspscene_load_file.restype = POINTER(Scene)
    error, kept = Error(), list[bytes]()

    def open_file(_user: int | None, stream: Any, name: bytes, _kind: int) -> bool:
        file = Path(name.decode())
        if not file.is_file():
            return False
        kept.append(file.read_bytes())
        stream.contents.data, stream.contents.size = cast(c_char_p(kept[-1]), c_void_p), len(kept[-1])
        return True

    if what == "own_files":
        library.bspscene_struct_size.restype = c_size_t
        memory = create_string_buffer(library.bspscene_struct_size(LOAD_OPTIONS))   # zeroes, which are the defaults
        options = LoadOptions.from_buffer(memory)
        options.struct_size, options.open_file = sizeof(memory), OpenFile(open_file)
        scene = told(library.bspscene_load_file(path, byref(options), byref(error)), error)
        counts = scene.contents.counts.contents
        print(f"{counts.textures_found} textures, {counts.textures_missing} missing")
    else:
        scene = told(library.bspscene_open(path, None, byref(error)), error)
    if what == "textured_glb" and not library.bspscene_write_file(scene, sys.argv[4].encode(), None, byref(error)):
        sys.exit(error.message.decode())
    for number in range(scene.contents.lightmap_page_count if what == "atlas_pngs" else 0):
        page = scene.contents.lightmap_sets[0].pages[number]
        with open(f"page{number}.png", "wb") as file:
            write = Write(lambda _user, data, size, file=file: file.write(string_at(data, size)) == size)
            if not library.bspscene_write_lightmap_page(byref(page), write, None, byref(error)):
                sys.exit(error.message.decode())
    faces = cast(scene.contents.faces, POINTER(Face))
    for face in faces[:scene.contents.faces_count] if what == "atlas_pngs" else ():
        if face.lightmap_page != NO_INDEX:
            print(f"face {face.record}: page {face.lightmap_page} at {face.lightmap_x} {face.lightmap_y}, "
                  f"{face.lightmap_width} x {face.lightmap_height}")
    library.bspscene_scene_free(scene)


if __name__ == "__main__":
    main()
