"""Finds what the map's file says about a point on a surface: texture, luxel and flags."""
from typing import NamedTuple

import bpy
from bspscene import abi
from bspscene.scene import Scene, text

from .build.data.again import MAP_FILE
from .importer import values_of
from .loading import load_scene
from .report import Report
from .translations import say

REACH = 8.0   # largest distance in game units from the clicked point to the face; a point on a curve is not exactly on
              # the face, because the import may have subdivided the curve differently


class Face(NamedTuple):
    """Facts of a face, and of its luxel at a point."""
    record: int                             # number of the face in the map's file
    texture: str
    page: int | None                        # page of the lightmap; None: the face has none
    luxel: tuple[int, int]
    light: tuple[float, float, float]       # light as display values; 1 shows the texture unchanged
    surface_flags: int
    content_flags: int
    styles: tuple[int, ...]

    def lines(self) -> list[str]:
        """Returns the lines that the sidebar shows."""
        lines = [say("Face {number}", number=self.record), self.texture]
        if self.page is None:
            lines.append(say("No lightmap"))
        else:
            lines += [say("Lightmap page {page}, luxel {x}, {y}", page=self.page, x=self.luxel[0], y=self.luxel[1]),
                      say("Light {red:.2f}, {green:.2f}, {blue:.2f}", red=self.light[0], green=self.light[1],
                          blue=self.light[2])]
        lines += [say("Surface flags {flags:#x}", flags=self.surface_flags),
                  say("Contents {flags:#x}", flags=self.content_flags)]
        if self.styles not in ((), (0,)):
            lines.append(say("Light styles {numbers}", numbers=", ".join(map(str, self.styles))))
        return lines


_last: list[tuple[tuple, Scene]] = []   # the scene of the last map that was requested; it is kept because loading takes
                                        # a moment


def forget() -> None:
    """Frees the scene that face_at keeps for the next call."""
    _last.clear()


def face_at(root: bpy.types.Collection, location: tuple[float, float, float]) -> Face | None:
    """Returns the map's face nearest to a point in world space, in meters; None if none is near. Raises MapError."""
    scene = _scene_of(root)
    found = scene.face_at([value / scene.meters_per_unit for value in location], REACH)
    if found is None:
        return None
    face = scene.data.faces[found.face]
    section = scene.mesh(face.mesh).sections[face.section]
    page = None if found.lightmap_page == abi.NO_INDEX else int(found.lightmap_page)
    styles = [style for style in face.styles]
    return Face(face.record, text(scene.items("materials")[section.material].name), page,
                (found.luxel_x, found.luxel_y), tuple(found.light), face.surface_flags, face.content_flags,
                tuple(styles[:styles.index(255)] if 255 in styles else styles))


def _scene_of(root: bpy.types.Collection) -> Scene:
    path, values = bpy.path.abspath(root[MAP_FILE]), values_of(root)
    key = (path, str(sorted(values.items())))
    if not _last or _last[0][0] != key:
        scene = load_scene(path, values, Report(), None, abi.TEXTURES_NAMES)
        _last[:] = [(key, scene)]
    return _last[0][1]
