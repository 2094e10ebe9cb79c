"""Promise: type checkers know every option of the Python package and its words. The calls marked `type: ignore` are
wrong. lint.mypy checks this file strictly, so it reports a mark if mypy does not find an error in its line. The file is
never run."""
from pathlib import Path

import bspscene
import numpy


def right(path: Path) -> numpy.ndarray[tuple[int, int], numpy.dtype[numpy.float32]]:
    assert bspscene.maps(path)
    scene = bspscene.load(path, textures="none", include_mask=("sky", "clip"), games=[path], model_pose={"frame": 3})
    bspscene.convert(scene, path, lighting="lightmap", compress=bspscene.abi.COMPRESS_WEBP, light_styles={32: 0})
    bspscene.bake(scene, vertices=True, light_error=8)
    picture: numpy.ndarray[tuple[int, int, int], numpy.dtype[numpy.uint8]] = bspscene.Renderer(scene, width=8).picture()
    bspscene.write_png(picture, path)
    return scene.meshes()[0].positions


def wrong(scene: bspscene.Scene) -> None:
    bspscene.load(3)                                       # type: ignore[arg-type]
    bspscene.load("a.bsp", textuers="none")                # type: ignore[call-arg]
    bspscene.load("a.bsp", textures="nonne")               # type: ignore[arg-type]
    bspscene.load("a.bsp", model_pose={"frames": 3})       # type: ignore[typeddict-unknown-key]
    bspscene.convert(scene, "a.glb", ligthing="lightmap")  # type: ignore[call-arg]
    bspscene.convert(scene, "a.glb", lighting="sky")       # type: ignore[arg-type]
    bspscene.convert(scene, "a.glb", file_name="b.glb")    # type: ignore[call-arg]
    bspscene.bake(scene, lighting="vertex")                # type: ignore[call-arg]
    bspscene.Renderer(scene, mode="lightmaps")             # type: ignore[arg-type]
    scene.meshes()[0].triangles = scene.meshes()[0].uvs    # type: ignore[assignment]
