#!/usr/bin/env python3
"""Compares animated models in FBX, as other readers evaluate them, with the library's models in each frame.

    rigged_fbx.py LIBRARY BSPSCENE ufbx|blender BUILD DIRECTORY MODEL...
    rigged_fbx.py LIBRARY BSPSCENE ufbx|blender BUILD DIRECTORY --assimp

--assimp stands for the models of BSPSCENE_ASSIMP_MODELS. Each model is written with --animate. Up to five frames of up
to twelve sequences are compared. In each frame, every triangle must be where it is when the library loads the model in
that frame. ufbx and Blender share no code with the writer. Halfway between two frames, triangles must be near the
interpolated poses, where angles may differ a little. If something is missing, the exit code is 77, and a message says
what."""
from __future__ import annotations

import importlib.util
import json
import os
import shutil
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
for folder in (ROOT / "python", HERE.parent / "addon", HERE.parent / "gltf", HERE.parent, HERE):
    sys.path.insert(0, str(folder))

MOST_SEQUENCES, MOST_FRAMES = 12, 5
NEAR = 1e-4        # largest error, as a share of the model's size
BETWEEN = 0.02     # largest error, as the same share, halfway between two frames; each bone may be off by a degree


class Frame(NamedTuple):
    sequence: int          # number of the sequence, counting only those with frames
    seconds: float
    wanted: Any            # expected corners of all triangles in meters, with Y up
    between: bool          # true if it is halfway between two frames
    tolerance: float


def main() -> int:
    import run
    library, program, reader, build, folder, *names = sys.argv[1:]
    if "BSPSCENE_LIBRARY" not in os.environ:   # restarts in the environment that a sanitized library needs
        return subprocess.run([sys.executable, *sys.argv], env=run.environment(library)).returncode
    if importlib.util.find_spec("numpy") is None:
        return run.skip("numpy is not there (Debian: python3-numpy)")
    import rigged
    models = rigged.assimp_models() if names == ["--assimp"] else [Path(name) for name in names]
    if reader == "blender" and not shutil.which(os.environ.get("BSPSCENE_BLENDER", "blender")):
        return run.skip("Blender is not there (Debian: blender)")
    if reader == "ufbx":
        from support.crates import build_reader
        built = build_reader(HERE / "ufbx", Path(build)) if shutil.which("cargo") else None
        if not built:
            return run.skip("the crate ufbx is not there (cargo fetch --manifest-path tests/fbx/ufbx/Cargo.toml)")
        pose = lambda jobs: pose_by_ufbx(built, jobs)  # noqa: E731
    else:
        pose = pose_by_blender
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    wanted = {path: frames_of(path, between=reader == "ufbx") for path in models}
    written = {path: write(program, path, out) for path in models}
    jobs: list[dict[str, Any]] = [{"fbx": str(written[path]), "out": str(written[path].with_suffix(f".{reader}")),
                                   "poses": [[frame.sequence, frame.seconds] for frame in wanted[path]]}
                                  for path in models]
    pose(jobs)
    faults = sum(compare(path, wanted[path], Path(job["out"])) for path, job in zip(models, jobs))
    return bool(faults)


# ---- What is wanted --------------------------------------------------------------------------------------------------

def load(path: Path, **options: Any) -> Any:
    from bspscene import abi, scene
    from bspscene.files import GameFiles
    return scene.load(GameFiles(str(path)), textures=abi.TEXTURES_NONE, **options)


def in_file(loaded: Any, positions: Any) -> Any:
    """Returns the corners of all triangles, converted as in files: in meters with Y up."""
    _, view, place = next(iter(loaded.instances()))
    world = (positions @ place[:, :3].T + place[:, 3]) * loaded.meters_per_unit
    return world[view.indices.reshape(-1, 3)][..., [0, 2, 1]] * (1, 1, -1)


def matrices(poses: Any) -> Any:
    import numpy
    x, y, z, w = (poses[..., 3 + i] for i in range(4))
    rows = ((1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)),
            (2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)),
            (2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)))
    out = numpy.zeros((*poses.shape[:-1], 4, 4))
    for row in range(3):
        for column in range(3):
            out[..., row, column] = rows[row][column] * poses[..., 7 + column]
    out[..., :3, 3] = poses[..., :3]
    out[..., 3, 3] = 1
    return out


def halfway(rig: Any, positions: Any, frame: int) -> Any:
    """Returns the vertices halfway between a frame of the rig and the next frame, interpolated as rig.h says."""
    import numpy
    if rig.frame_positions is not None:
        return (rig.frame_positions[frame] + rig.frame_positions[frame + 1]) / 2
    first, second = (rig.poses[frame + i].astype(numpy.float64) for i in range(2))
    sign = numpy.where((first[:, 3:7] * second[:, 3:7]).sum(-1) < 0, -1, 1)[:, None]
    mixed = (first + second) / 2
    mixed[:, 3:7] = first[:, 3:7] + sign * second[:, 3:7]
    mixed[:, 3:7] /= numpy.linalg.norm(mixed[:, 3:7], axis=-1, keepdims=True)
    places = matrices(mixed)
    for number, bone in enumerate(rig.bones):
        if bone.parent < number:
            places[number] = places[bone.parent] @ places[number]
    inverse = numpy.array([[*bone.inverse_rest, 0, 0, 0, 1] for bone in rig.bones]).reshape(-1, 4, 4)
    moves = (places @ inverse)[rig.joints.astype(int)]
    whole = numpy.concatenate([positions, numpy.ones((len(positions), 1))], axis=1)
    return numpy.einsum("vb,vbij,vj->vi", rig.weights, moves, whole)[:, :3]


def frames_of(path: Path, between: bool) -> list[Frame]:
    import rigged
    loaded = load(path, rigs=True)
    view = loaded.mesh(0)
    rig, frames = view.rig(), []
    size = max(abs(in_file(loaded, view.positions)).max(), 0.1)
    shown = [number for number, sequence in enumerate(rig.sequences) if sequence.frame_count]
    for place in rigged.spread(len(shown), MOST_SEQUENCES):
        number, sequence = shown[place], rig.sequences[shown[place]]
        # In Quake's models, only the first frame of a group can be selected.
        group = sequence.loops and rig.frame_positions is not None
        for frame in rigged.spread(1 if group else sequence.frame_count, MOST_FRAMES):
            options = {"model_pose": {"frame": sequence.first_frame + frame}} if rig.frame_positions is not None else \
                {"model_pose": {"sequence": str(number), "frame": frame}}
            still = load(path, **options)
            frames.append(Frame(place, frame / sequence.frames_per_second,
                                in_file(still, still.mesh(0).positions), False, NEAR * size))
            if between and frame + 1 < sequence.frame_count:
                moved = halfway(rig, view.positions, sequence.first_frame + frame)
                frames.append(Frame(place, (frame + 0.5) / sequence.frames_per_second, in_file(loaded, moved),
                                    True, BETWEEN * size))
    return frames


# ---- What is written -------------------------------------------------------------------------------------------------

def write(program: str, path: Path, folder: Path) -> Path:
    """Writes the model. Checks that writing it again gives the same bytes, also with vertex light, and that the file is
    valid."""
    import check_fbx
    import fbx_file
    out = folder / f"{path.stem}{path.suffix.replace('.', '-')}.fbx"
    kinds = {}
    for options in (("--lighting", "vertex"), ("--lighting", "baked"), (), ()):
        before = out.read_bytes() if out.exists() else b""
        done = subprocess.run([program, "convert", path, out, "--animate", "--quiet", *options], capture_output=True,
                              text=True)
        if done.returncode:
            sys.exit(f"{path}: {done.stderr}")
        file = fbx_file.read(out.read_bytes())
        check_fbx.check_structure(out.name, file)
        kinds[options] = sorted(record.properties[2] for record in file.objects("Deformer"))
        curves = len(file.objects("AnimationCurve"))
        if not curves or kinds[options] != kinds["--lighting", "vertex"]:
            sys.exit(f"{path}: movement is lost with {options}")
    if before != out.read_bytes():
        sys.exit(f"{path}: differs when it is written again")
    if check_fbx.differences():
        sys.exit(f"{path}: the file is not in order")
    return out


# ---- What readers make of it -----------------------------------------------------------------------------------------

def pose_by_ufbx(built: Path, jobs: list[dict]) -> None:
    for job in jobs:
        poses = [f"{sequence}:{seconds!r}" for sequence, seconds in job["poses"]]
        done = subprocess.run([str(built), job["fbx"], "--poses", job["out"], *poses], stdout=subprocess.DEVNULL)
        if done.returncode:
            sys.exit(f"{job['fbx']}: ufbx cannot evaluate it")


def pose_by_blender(jobs: list[dict]) -> None:
    command = [os.environ.get("BSPSCENE_BLENDER", "blender"), "-b", "--factory-startup", "--python-exit-code", "1",
               "--python", __file__, "--", json.dumps(jobs)]
    if subprocess.run(command, stdout=subprocess.DEVNULL).returncode:
        sys.exit("Blender cannot evaluate the files")


def in_blender(jobs: list[dict]) -> None:
    import bpy
    import numpy
    for job in jobs:
        bpy.ops.wm.read_factory_settings(use_empty=True)
        bpy.ops.import_scene.fbx(filepath=job["fbx"])
        scene = bpy.context.scene
        with open(job["out"], "wb") as out:
            for sequence, seconds in job["poses"]:
                play(job["fbx"], sequence)
                at = 1 + seconds * scene.render.fps / scene.render.fps_base
                scene.frame_set(int(at), subframe=at - int(at))
                corners = numpy.concatenate([corners_of(made) for made in bpy.data.objects if made.type == "MESH"])
                out.write(struct.pack("<I", len(corners)) + corners.astype("<f4").tobytes())


def play(path: str, sequence: int) -> None:
    """Assigns the actions of one animation stack to all objects and shape keys. Blender's names of actions consist of
    object, stack and layer."""
    import bpy
    import fbx_file
    file = fbx_file.read(Path(path).read_bytes())
    names = [stack.named()[0] for stack in file.objects("AnimationStack")]
    animated = [made for made in bpy.data.objects if made.animation_data] + \
        [keys for keys in bpy.data.shape_keys if keys.animation_data]
    for item in animated:
        # If several stacks have the same name, Blender numbers their actions in order.
        own = f"{item.animation_data.action.name.split('|')[0]}|{names[sequence]}|"
        same = [action for action in bpy.data.actions if action.name.startswith(own)]
        item.animation_data.action = same[names[:sequence].count(names[sequence])]


def corners_of(made: Any) -> Any:
    import bpy
    import numpy
    shown = made.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = shown.to_mesh()
    mesh.calc_loop_triangles()
    points = numpy.empty(3 * len(mesh.vertices), numpy.float32)
    numbers = numpy.empty(3 * len(mesh.loop_triangles), numpy.int32)
    mesh.vertices.foreach_get("co", points)
    mesh.loop_triangles.foreach_get("vertices", numbers)
    place = numpy.array(shown.matrix_world)
    world = points.reshape(-1, 3) @ place[:3, :3].T + place[:3, 3]
    return world[numbers].reshape(-1, 9)[:, [0, 2, 1, 3, 5, 4, 6, 8, 7]] * ([1, 1, -1] * 3)


# ---- Both ------------------------------------------------------------------------------------------------------------

def read_poses(path: Path) -> list[list]:
    data, at, poses = path.read_bytes(), 0, []
    while at < len(data):
        count, = struct.unpack_from("<I", data, at)
        values = struct.unpack_from(f"<{9 * count}f", data, at + 4)
        poses.append([[values[9 * i + 3 * k:9 * i + 3 * k + 3] for k in range(3)] for i in range(count)])
        at += 4 + 36 * count
    return poses


def compare(path: Path, wanted: list[Frame], found: Path) -> int:
    """Compares the poses of a file with those of the library. A surface that is hidden in a sequence has no area
    there."""
    import rigged
    poses, faults, largest = read_poses(found), 0, [0.0, 0.0]
    if len(poses) != len(wanted) or not wanted:
        sys.exit(f"{path}: {len(poses)} poses of {len(wanted)}")
    for frame, pose in zip(wanted, poses):
        result = rigged.compare(frame.wanted.tolist(), pose, frame.tolerance)
        if isinstance(result, str):
            print(f"{path.name}: sequence {frame.sequence} at {frame.seconds:.3f} s: {result}")
            faults += 1
        else:
            largest[frame.between] = max(largest[frame.between], result)
    print(f"{path.name}: {len(wanted)} poses, {1000 * largest[False]:.4f} mm apart at most, "
          f"{1000 * largest[True]:.3f} mm between frames")
    return faults


if __name__ == "__main__":
    if "--" in sys.argv:
        in_blender(json.loads(sys.argv[sys.argv.index("--") + 1]))
    else:
        sys.exit(main())
