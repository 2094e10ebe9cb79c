"""Loads a map file as a Scene: the library's structs, with numpy views over its memory. This module does not use bpy.

A view or a record keeps the scene alive; the memory is freed with the last of them. Views are
read-only: a scene never changes, and any number of threads may read it.
"""
# SPDX-License-Identifier: MIT
from __future__ import annotations

import ctypes
import operator
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy

from . import abi, library
from .arguments import options_of
from .arrays import Picture, Row, Table
from .entity import Entity
from .files import AnyPath, GameFiles, ListFiles, OpenFile, OwnFiles, Place, path_array
from .library import MapError
from .owner import OwnsHandle
from .picture import Image, Page, memory_view
from .text import text

# The count of most arrays is named like the array without its last letter ("node_count" of "nodes"). These are the
# exceptions.
_SINGULAR = {"meshes": "mesh", "entities": "entity", "material_passes": "material_pass"}
POSE_SIZE = 10   # floats of a bspscene_bone_pose: translation, rotation, scale
Progress = Callable[[str, float], bool]   # the stage, and the finished share, 0..1


class Memory(OwnsHandle):
    """Owns a scene of the library and frees it once, before the objects on which the scene depends are freed."""

    def __init__(self, pointer: Any, source: Memory | None = None) -> None:
        self.pointer = pointer
        self.source = source
        self.library = library.get()
        library.count_user(1)

    def __del__(self) -> None:
        self.library.bspscene_scene_free(self.pointer)
        library.count_user(-1)


def records_of(array: Any, count: int) -> list[Any]:
    """Returns the structs of an array. The array holds the structs themselves, or pointers to them if later versions
    may enlarge the structs."""
    values: list[Any] = array[:count]
    return [value.contents for value in values] if hasattr(array._type_, "contents") else values


def checked(index: int, count: int, what: str) -> int:
    """Returns the index, which must be below `count`. Raises IndexError."""
    number = operator.index(index)
    if not 0 <= number < count:
        raise IndexError(f"there is no {what} {number}: the scene has {count}")
    return number


class Scene:
    """A loaded map. `data` is the bspscene_scene; the methods return its arrays."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.data: abi.Scene = memory.pointer.contents
        self.data.owner = memory
        self.name = text(self.data.name)
        self.family, self.variant = text(self.data.family), text(self.data.variant)
        self.meters_per_unit = self.data.meters_per_unit

    def items(self, name: str) -> list[Any]:
        """Returns one of the scene's arrays of structs ("nodes", "materials", ...); its length is in another field."""
        singular = _SINGULAR.get(name, name[:-1])
        records = records_of(getattr(self.data, name), getattr(self.data, singular + "_count"))
        for record in records:
            record.owner = self.memory
        return records

    def array(self, pointer: Any, count: int, kind: Any = ctypes.c_float) -> Row[Any]:
        """Returns a flat numpy view over `count` values of the library's memory."""
        if not pointer or count == 0:
            return numpy.empty(0, numpy.dtype(kind))
        values = (kind * count).from_address(ctypes.addressof(pointer.contents))
        return memory_view(values, kind, self.memory)

    def vectors(self, pointer: Any, count: int, width: int, kind: Any = ctypes.c_float) -> Table[Any] | None:
        """Returns `count` rows of `width` values of an optional array; None for a NULL pointer."""
        return self.array(pointer, count * width, kind).reshape(count, width) if pointer else None

    def faces(self) -> Row[numpy.void]:
        """Returns all faces as a structured array with the fields of bspscene_face."""
        return self.array(self.data.faces, self.data.face_count, abi.Face)

    def mesh(self, index: int) -> MeshView:
        return MeshView(self, self.data.meshes[checked(index, self.data.mesh_count, "mesh")].contents)

    def meshes(self) -> list[MeshView]:
        """Returns all meshes: those of the world, of brush models, of props and of overlays."""
        return [self.mesh(index) for index in range(self.data.mesh_count)]

    def instances(self) -> Iterator[tuple[abi.Node, MeshView, Table[numpy.float32]]]:
        """Returns all instances of meshes: the node, the mesh, and the 3x4 matrix that takes it to world space."""
        views = self.meshes()
        for number, node in enumerate(self.items("nodes")):
            if node.mesh != abi.NO_INDEX:
                yield node, views[node.mesh], numpy.array(self.world_transform(number), numpy.float32).reshape(3, 4)

    def images(self) -> list[Image]:
        """Returns all textures, in the order of the numbers that materials and material_passes use."""
        return [Image(self, record) for record in self.items("images")]

    def pages(self, kind: int = abi.LIGHTMAP_SET_LIGHT, style: int = 0) -> list[Page]:
        """Returns the lightmap pages of one kind and light style. The index in the list is the page number that
        sections use. The list is empty if the map has no such pages."""
        for record in self.items("lightmap_sets"):
            if (record.kind, record.style) == (kind, style):
                return [Page(self, page) for page in record.pages[:self.data.lightmap_page_count]]
        return []

    def light_lists(self) -> dict[str, Page]:
        """Light of the map that is not on pages, such as "vertices", by the names of bspscene_light_list. Each list of
        luxels has the form of a page. Empty unless the scene was loaded with keep_map_light=True."""
        if not self.data.map_light:
            return {}
        stored = self.data.map_light.contents
        return {text(item.name): Page(self, item.luxels) for item in stored.lists[:stored.list_count]}

    def light_probes(self) -> Row[numpy.void]:
        """Returns the light probes of the map as records of `origin` and `style` (bspscene_light_probe). Each probe has
        six luxels in the light list "probes". Empty unless the scene was loaded with keep_map_light=True and
        light_probes=True."""
        if not self.data.map_light:
            return numpy.empty(0, abi.LightProbe)
        stored = self.data.map_light.contents
        return self.array(stored.probes, stored.probe_count, abi.LightProbe)

    def entities(self, classname: str | None = None) -> list[Entity]:
        """Returns all entities in file order, or only those of one class."""
        found = [Entity(self, index) for index in range(self.data.entity_count)]
        return [entity for entity in found if classname in (None, entity.classname)]

    def keys(self, entity: int) -> list[tuple[str, str]]:
        """Returns all key/values of an entity in file order."""
        record = self.data.entities[checked(entity, self.data.entity_count, "entity")].contents
        pairs = self.data.pairs[record.first_pair:record.first_pair + record.pair_count]
        return [(text(pair.key), text(pair.value)) for pair in pairs]

    def value(self, entity: int, key: str) -> str | None:
        """Returns the value that the game reads for a key, or None."""
        entity = checked(entity, self.data.entity_count, "entity")
        found = library.get().bspscene_entity_value(self.memory.pointer, entity, key.encode())
        return None if found is None else text(found)

    def world_transform(self, node: int) -> tuple[float, ...]:
        """Returns the transform of a node to world space: row-major 3x4, lengths in game units."""
        out = (ctypes.c_float * 12)()
        node = checked(node, self.data.node_count, "node")
        library.get().bspscene_node_world_transform(self.memory.pointer, node, out)
        return tuple(out)

    def nodes_with_mesh(self, mesh: int) -> Iterator[int]:
        """Returns the numbers of all nodes that show a mesh, in order; see bspscene_next_node_with_mesh."""
        mesh, node = checked(mesh, self.data.mesh_count, "mesh"), abi.NO_INDEX
        ask = library.get().bspscene_next_node_with_mesh
        while (node := ask(self.memory.pointer, mesh, node)) != abi.NO_INDEX:
            yield node

    def start_camera(self) -> int | None:
        """Returns the number of the camera from which players see the map first; None if the map has no such camera.
        See bspscene_start_camera (scene.h)."""
        found: int = library.get().bspscene_start_camera(self.memory.pointer, 0)
        return None if found == abi.NO_INDEX else found

    def face_at(self, point: Sequence[float], radius: float = 64) -> abi.SurfacePoint | None:
        """Returns the point on a visible face that is nearest to `point`; None if no face is within `radius`. Game
        units in world space. The result has `face`, `node`, `position`, `normal`, `lightmap_page` (NO_INDEX: none),
        `luxel_x`, `luxel_y`, `light` and more; see bspscene_surface_point (scene.h). Raises ValueError for a radius
        below 0."""
        x, y, z = point
        if not radius >= 0:
            raise ValueError(f"radius is {radius}")
        found = abi.SurfacePoint(struct_size=ctypes.sizeof(abi.SurfacePoint))
        is_found = library.get().bspscene_face_at(self.memory.pointer, (ctypes.c_float * 3)(x, y, z), radius,
                                                  ctypes.byref(found))
        return found if is_found else None

    def set_styles(self, options: Any, light_styles: Mapping[int, float] | None) -> None:
        """Sets the values of all light styles in a struct of options. Styles that are not given have their value at the
        map's start."""
        if light_styles is None:
            return
        values = (ctypes.c_float * 256)()
        library.get().bspscene_start_styles(self.memory.pointer, values)
        for style, value in light_styles.items():
            if not 0 <= style < len(values):
                raise ValueError(f"there is no light style {style}")
            values[style] = value
        options.light_styles = ctypes.cast(values, ctypes.POINTER(ctypes.c_float))

    def warnings(self) -> list[str]:
        """Lists what the library had to repair or leave out, with one line for each kind of problem."""
        return [text(item.message) + (f" (first of {item.count})" if item.count > 1 else "")
                for item in self.items("warnings")]

    def companion_files(self) -> list[str]:
        """Returns files next to the map that belong to it, with the reason if one is not used."""
        return [f"{text(item.path)}: not used, {text(item.unused)}" if item.unused else f"{text(item.path)}: used"
                for item in self.items("companion_files")]

    def missing_textures(self) -> list[str]:
        return [image.name for image in self.images() if image.is_missing]

    def __repr__(self) -> str:
        return f"<Scene {self.name!r}: {self.variant}, {self.data.mesh_count} meshes>"

    def _repr_html_(self) -> str:
        """Returns what notebooks show: a picture, if the renderer is installed, and the map's facts."""
        from .notebook import html_of   # imported here, because notebook imports this module
        return html_of(self)


class MeshView:
    """One mesh as numpy views. These have a row for each vertex: positions, normals, uvs, lightmap_uvs, map_page_uvs,
    colors, baked_light, vertex_records, blend_alphas and blend_weights. These have a row for each triangle: triangles
    and triangle_tags. Views of what the map lacks are None.

    `record` is bspscene_mesh; a section's first_index is a position in `indices`, which is `triangles` as a flat array.
    """

    def __init__(self, scene: Scene, record: abi.Mesh) -> None:
        self.scene, self.record = scene, record
        self.name = text(record.name)
        self.sections: Sequence[abi.Section] = records_of(record.sections, record.section_count)
        vertices, triangles = record.vertex_count, record.index_count // 3
        self.positions: Table[numpy.float32] = scene.array(record.positions, vertices * 3).reshape(-1, 3)
        self.normals: Table[numpy.float32] = scene.array(record.normals, vertices * 3).reshape(-1, 3)
        self.uvs: Table[numpy.float32] = scene.array(record.uvs, vertices * 2).reshape(-1, 2)
        self.lightmap_uvs: Table[numpy.float32] | None = scene.vectors(record.lightmap_uvs, vertices, 2)
        self.map_page_uvs: Table[numpy.float32] | None = scene.vectors(record.map_page_uvs, vertices, 2)
        self.colors: Table[numpy.uint8] | None = scene.vectors(record.colors, vertices, 4, ctypes.c_uint8)
        self.baked_light: Table[numpy.float32] | None = scene.vectors(record.baked_light, vertices, 3)
        self.vertex_records: Row[numpy.uint32] | None = scene.array(
            record.vertex_records, vertices, ctypes.c_uint32) if record.vertex_records else None
        self.blend_alphas: Row[numpy.float32] | None = scene.array(
            record.blend_alphas, vertices) if record.blend_alphas else None
        self.blend_weights: Table[numpy.float32] | None = scene.vectors(record.blend_weights, vertices, 4)
        self.triangle_tags: Row[numpy.uint8] | None = scene.array(
            record.triangle_tags, triangles, ctypes.c_uint8) if record.triangle_tags else None
        self.indices: Row[numpy.uint32] = scene.array(record.indices, record.index_count, ctypes.c_uint32)
        self.triangles: Table[numpy.uint32] = self.indices.reshape(-1, 3)

    def vertex_color_sets(self) -> Iterator[tuple[int, Table[numpy.uint8]]]:
        """Yields the vertex light of further light styles: the style, and RGBA bytes for each vertex."""
        for item in self.record.vertex_color_sets[:self.record.vertex_color_set_count]:
            colors = self.scene.array(item.colors, self.record.vertex_count * 4, ctypes.c_uint8)
            yield item.style, colors.reshape(-1, 4)

    def rig(self) -> RigView | None:
        """Returns the mesh's rig; None if the mesh does not move or the scene was loaded without rigs=True."""
        return RigView(self) if self.record.rig else None

    def __repr__(self) -> str:
        return f"<MeshView {self.name!r}: {len(self.positions)} vertices, {len(self.triangles)} triangles>"


class RigView:
    """How a mesh moves. If `joints` is not None, bones move it. `poses` then has an array of frames x bones x 10
    values: a translation, a quaternion xyzw and a scale, relative to the bone's parent. Otherwise the vertices
    themselves move, and `frame_positions` has an array of frames x vertices x 3 values.

    `bones` and `sequences` are the records bspscene_bone and bspscene_sequence, `rest` has the form of one frame of
    `poses`. Without its rig, the model stands as in `still_frame`, or as in `rest` if `still_frame` is None. Meshes of
    one model share one rig, which then has the same `number`.
    """

    def __init__(self, mesh: MeshView) -> None:
        scene, record = mesh.scene, mesh.record
        rig = record.rig.contents
        rig.owner = scene.memory
        self.number = ctypes.addressof(rig)
        self.bones = [pointer.contents for pointer in rig.bones[:rig.bone_count]]
        self.sequences = [pointer.contents for pointer in rig.sequences[:rig.sequence_count]]
        for part in (*self.bones, *self.sequences):
            part.owner = scene.memory
        self.bone_names = [text(bone.name) for bone in self.bones]
        self.sequence_names = [text(sequence.name) for sequence in self.sequences]
        self.frame_count, vertices = rig.frame_count, record.vertex_count
        self.still_frame: int | None = None if rig.still_frame == abi.NO_INDEX else rig.still_frame
        self.poses: Picture[numpy.float32] = scene.array(
            rig.poses, rig.frame_count * rig.bone_count * POSE_SIZE).reshape(-1, max(rig.bone_count, 1), POSE_SIZE)
        self.rest: Table[numpy.float32] = numpy.array(
            [(*bone.rest.translation, *bone.rest.rotation, *bone.rest.scale) for bone in self.bones],
            numpy.float32).reshape(-1, POSE_SIZE)
        self.joints: Table[numpy.uint8] | None = scene.vectors(record.joints, vertices, 4, ctypes.c_uint8)
        self.weights: Table[numpy.float32] | None = scene.vectors(record.weights, vertices, 4)
        self.frame_positions: Picture[numpy.float32] | None = self._frames(mesh, record.frame_positions)
        self.frame_normals: Picture[numpy.float32] | None = self._frames(mesh, record.frame_normals)

    def _frames(self, mesh: MeshView, pointer: object) -> Picture[numpy.float32] | None:
        shape = (self.frame_count, mesh.record.vertex_count, 3)
        return mesh.scene.array(pointer, shape[0] * shape[1] * 3).reshape(shape) if pointer else None

    def __repr__(self) -> str:
        return f"<RigView: {len(self.bones)} bones, {len(self.sequences)} sequences, {self.frame_count} frames>"


class Calling:
    """Makes a call of the library report progress to a Python function. Inside the `with` block the library stays open.
    An exception of the function is raised at the end of the block."""

    def __init__(self, options: Any, progress: Progress | None) -> None:
        self._progress = progress
        self._failure: BaseException | None = None
        if progress:
            options.progress = abi.ProgressFn(self._call)

    def _call(self, _user: int | None, stage: bytes | None, fraction: float) -> int:
        assert self._progress
        try:
            return abi.PROGRESS_CONTINUE if self._progress(text(stage), fraction) else abi.PROGRESS_CANCEL
        except BaseException as error:   # noqa: B036  (must not pass through C: it is raised again after the call)
            self._failure = error
            return abi.PROGRESS_CANCEL

    def __enter__(self) -> None:
        self._failure = None
        library.count_user(1)

    def __exit__(self, *_: object) -> None:
        library.count_user(-1)
        if self._failure:
            raise self._failure from None


def load(files: GameFiles, progress: Progress | None = None, **options: Any) -> Scene:
    """Loads the map of a source that the caller has opened and continues to own. `options`: see bspscene.load."""
    def call(request: abi.LoadOptions, error: Any) -> Any:
        return library.get().bspscene_source_load(files.place.handle, files.map, ctypes.byref(request), error)

    return _loaded(call, progress, options)


def open_map(path: AnyPath, map: str, games: AnyPath | Iterable[AnyPath], progress: Progress | None,
             options: Mapping[str, Any], data: bytes | None, open_file: OpenFile | None,
             list_files: ListFiles | None) -> Scene:
    """Loads a map with bspscene_open, which finds the files of its game, or with files that the caller's functions
    return. With `data`, the path is only a name."""
    if data is not None:
        return _open_data(Place(path, games, data=data), map, progress, options, open_file, list_files)
    places = path_array(games)
    how = abi.OpenOptions(struct_size=ctypes.sizeof(abi.OpenOptions), map=os.fsencode(map), games=places,
                          game_count=len(places))

    def call(request: abi.LoadOptions, error: Any) -> Any:
        how.load = ctypes.pointer(request)
        with OwnFiles(request, open_file, list_files):
            return library.get().bspscene_open(os.fsencode(path), ctypes.byref(how), error)

    return _loaded(call, progress, options)


def _open_data(place: Place, map: str, progress: Progress | None, options: Mapping[str, Any],
               open_file: OpenFile | None, list_files: ListFiles | None) -> Scene:
    number = place.find("" if place.is_map() else map)

    def call(request: abi.LoadOptions, error: Any) -> Any:
        with OwnFiles(request, open_file, list_files):
            return library.get().bspscene_source_load(place.handle, number, ctypes.byref(request), error)

    return _loaded(call, progress, options)


def _loaded(call: Callable[[abi.LoadOptions, Any], Any], progress: Progress | None,
            options: Mapping[str, Any]) -> Scene:
    request, error = options_of(abi.LoadOptions, options), abi.Error()
    with Calling(request, progress):
        pointer = call(request, ctypes.byref(error))
        if not pointer:
            raise MapError.of(error)
        return Scene(Memory(pointer))
