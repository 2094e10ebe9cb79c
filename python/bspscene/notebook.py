"""Shows a scene in notebooks: a picture as the game draws it, if the renderer is installed, and the map's facts."""
# SPDX-License-Identifier: MIT
from __future__ import annotations

import base64
import html

from .library import LibraryError, MapError
from .picture import png_bytes
from .render import Renderer
from .scene import Scene

SIZE = 640, 360


def html_of(scene: Scene) -> str:
    data = scene.data
    triangles = sum(mesh.index_count for mesh in scene.items("meshes")) // 3
    facts = {"format": scene.variant, "meshes": data.mesh_count, "triangles": triangles,
             "textures": data.image_count, "lightmap pages": data.lightmap_page_count, "lights": data.light_count,
             "entities": data.entity_count}
    cells = "".join(f"<tr><th>{html.escape(name)}</th><td>{html.escape(str(value))}</td></tr>"
                    for name, value in facts.items())
    return f"<figure>{_picture(scene)}<figcaption>{html.escape(scene.name)}</figcaption><table>{cells}</table></figure>"


def _picture(scene: Scene) -> str:
    """Returns an HTML image of the scene, or "" if there is no renderer or the map cannot be drawn. The notebook then
    shows the facts alone."""
    try:
        pixels = Renderer(scene, width=SIZE[0], height=SIZE[1], samples=1).picture()
    except (LibraryError, MapError):
        return ""
    content = base64.b64encode(png_bytes(pixels, scene.name)).decode()
    return f'<img alt="{html.escape(scene.name)}" width="{SIZE[0]}" src="data:image/png;base64,{content}">'
