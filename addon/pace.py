"""Adapts animations to a changed frame rate of the scene. Drivers contain the rate as a number. A reference to the
scene would make Blender copy the scene with every appended material."""
import re

import bpy

from .build.materials.shading import TIME_GROUP, seconds

_STYLES = re.compile(r" light styles(\.\d+)?$")
_RATE = re.compile(r"frame / [\d.e+-]+")
_owner = object()   # owner of the subscription; Blender removes subscriptions by their owner


def keep_pace(scene: bpy.types.Scene) -> int:
    """Gives drivers of imported maps the scene's present frame rate. Returns how many drivers changed."""
    wanted, count = seconds(scene), 0
    for group in bpy.data.node_groups:
        is_ours = group.name.startswith(TIME_GROUP) or _STYLES.search(group.name)
        for curve in group.animation_data.drivers if is_ours and group.animation_data else ():
            expression = _RATE.sub(wanted, curve.driver.expression)
            if expression != curve.driver.expression:
                curve.driver.expression = expression
                count += 1
    return count


@bpy.app.handlers.persistent
def _before_render(scene, *_) -> None:
    keep_pace(scene)


@bpy.app.handlers.persistent
def _subscribe(*_) -> None:
    """Subscribes to changes of the frame rate. Opening a file ends the subscription."""
    bpy.msgbus.clear_by_owner(_owner)
    for name in ("fps", "fps_base"):
        bpy.msgbus.subscribe_rna(key=(bpy.types.RenderSettings, name), owner=_owner, args=(),
                                 notify=lambda: keep_pace(bpy.context.scene))


def register() -> None:
    bpy.app.handlers.load_post.append(_subscribe)
    bpy.app.handlers.render_init.append(_before_render)
    _subscribe()


def unregister() -> None:
    bpy.msgbus.clear_by_owner(_owner)
    bpy.app.handlers.render_init.remove(_before_render)
    bpy.app.handlers.load_post.remove(_subscribe)
