"""Renders a white plane near each lamp of a file, in Blender by Cycles. In every format, lamps must be as strong as in
the map. The plane is 100 game units from the lamp and tilted by 60 degrees, so it shows half of
`illuminance_at_100_units`.
"""
import math
import sys
import tempfile
from pathlib import Path

METERS = 0.0254
DISTANCE = 100 * METERS
SIDE = 8               # pixels on each side of the picture
MOST_OFF = 0.05        # largest error, as a share of the expected value


def linear(display: float) -> float:
    return ((display + 0.055) / 1.055) ** 2.4 if display > 0.04045 else display / 12.92


# The lamps of sample_scene.c by name, with positions, strengths and colors.
LAMPS = {
    "light_2": (3.5, (1.0, linear(0.5), 0.0)),
    "light_spot_light": (0.5, (1.0, 1.0, 1.0)),
    "sun": (21.0, (1.0, 1.0, 1.0)),
}


def white():
    import bpy
    material = bpy.data.materials.new("white")
    material.use_nodes = True
    tree = material.node_tree
    tree.nodes.clear()
    diffuse, output = tree.nodes.new("ShaderNodeBsdfDiffuse"), tree.nodes.new("ShaderNodeOutputMaterial")
    diffuse.inputs["Color"].default_value = (1, 1, 1, 1)
    tree.links.new(diffuse.outputs["BSDF"], output.inputs["Surface"])
    return material


def set_up(lamp) -> None:
    """Makes a scene with only the lamp, a plane before it, and a camera that faces the plane."""
    import bpy
    import mathutils
    scene = bpy.context.scene
    for item in bpy.data.objects:
        item.hide_render = item != lamp
    turn = lamp.matrix_world.to_quaternion()
    ahead, aside = turn @ mathutils.Vector((0, 0, -1)), turn @ mathutils.Vector((1, 0, 0))
    normal = mathutils.Quaternion(aside, math.radians(60)) @ -ahead
    middle = lamp.matrix_world.translation + ahead * DISTANCE
    mesh = bpy.data.meshes.new("plane")
    mesh.from_pydata([(x, y, 0) for x, y in ((-.1, -.1), (.1, -.1), (.1, .1), (-.1, .1))], [], [(0, 1, 2, 3)])
    mesh.materials.append(white())
    facing = normal.to_track_quat("Z", "Y")
    plane = bpy.data.objects.new("plane", mesh)
    camera = bpy.data.objects.new("eye", bpy.data.cameras.new("eye"))
    camera.data.type, camera.data.ortho_scale, camera.data.clip_start = "ORTHO", 0.02, 0.01
    for item, place in ((plane, middle), (camera, middle + normal * 0.3)):
        item.rotation_mode, item.rotation_quaternion, item.location = "QUATERNION", facing, place
        scene.collection.objects.link(item)
    scene.camera = camera


def shown() -> list[float]:
    """Renders the scene. Returns the mean color of the picture, as linear values."""
    import bpy
    import numpy
    scene = bpy.context.scene
    scene.world = None
    scene.render.engine, scene.render.resolution_x, scene.render.resolution_y = "CYCLES", SIDE, SIDE
    scene.render.resolution_percentage = 100
    scene.cycles.samples, scene.cycles.use_denoising, scene.cycles.max_bounces = 256, False, 0
    scene.render.image_settings.file_format = "OPEN_EXR"
    with tempfile.TemporaryDirectory() as folder:
        scene.render.filepath = str(Path(folder) / "plane.exr")
        bpy.ops.render.render(write_still=True)
        image = bpy.data.images.load(scene.render.filepath)
        pixels = numpy.array(image.pixels[:]).reshape(-1, 4)
    return [float(value) for value in pixels[:, :3].mean(axis=0)]


def check_white_plane(load, path: Path) -> None:
    """Ends the program if a lamp of the sample is weaker or stronger than it should be."""
    for name, (light, color) in LAMPS.items():
        objects = {key.replace(":", "_").replace(".", "_"): item for key, item in load(path).items()}
        lamps = [item for key, item in objects.items()
                 if item.type == "LIGHT" and (key == name or (item.parent and key.startswith(name)))]
        if len(lamps) != 1:
            sys.exit(f"{path.name}: {len(lamps)} lamps are called {name}: {sorted(objects)}")
        set_up(lamps[0])
        want, found = [light / 2 * channel for channel in color], shown()
        if any(abs(a - b) > MOST_OFF * max(want) for a, b in zip(found, want)):
            sys.exit(f"{path.name}: {name} shows {found} on a white plane instead of {want}")
        print(f"{path.name}: {name} shows {found[0]:.3f} of {want[0]:.3f}")
