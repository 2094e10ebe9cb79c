"""Runs inside Blender: measures the stages of an import in processor time, which does not depend on the machine's other
load.

    blender -b --factory-startup --python-exit-code 1 --python bench.py -- [MAP [MOST_SECONDS]]

MAP is one of OpenArena's (BSPSCENE_OPENARENA), by default czest2ctf, which has the most triangles. Each stage is run
three times, and the median counts. The start of Blender is not measured.
"""
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from blender_support import OPENARENA, bpy, reset  # noqa: E402
from io_scene_bspscene import importer  # noqa: E402
from io_scene_bspscene.build.data import image, mesh  # noqa: E402
from io_scene_bspscene.build.materials import material  # noqa: E402
from io_scene_bspscene.options import complete  # noqa: E402

SKIPPED = 77
RUNS = 3
SOMAZ = 0.18e-3   # seconds that Blender_BSP_Importer takes for each surface, measured with 2,000 to 16,000 surfaces


class Clock:
    """Adds up the processor time in seconds that the functions of each stage take. If a measured function calls another
    measured function, the time of the call counts only for the called function."""

    def __init__(self) -> None:
        self.spent = {}
        self._inner = [0.0]

    def watch(self, stage: str, owner, name: str) -> None:
        real = getattr(owner, name)

        def timed(*arguments, **settings):
            began = time.process_time()
            self._inner.append(0.0)
            try:
                return real(*arguments, **settings)
            finally:
                took = time.process_time() - began
                self.spent[stage] = self.spent.get(stage, 0.0) + took - self._inner.pop()
                self._inner[-1] += took

        setattr(owner, name, timed)


def one_run(clock: Clock, name: str) -> dict:
    reset()
    clock.spent = dict.fromkeys(("library", "meshes", "images", "materials"), 0.0)
    values, report = complete({"map": name}), importer.Report()
    began = time.process_time()
    scene = importer.load_scene(str(OPENARENA), values, report, None)
    clock.spent["library"] = time.process_time() - began
    build = importer.Build(scene, str(OPENARENA), values, report, bpy.context, "")
    for _ in build.steps():
        pass
    build.finish()
    whole = time.process_time() - began
    material_passes = dict(clock.spent)
    material_passes["objects and the rest"] = whole - sum(material_passes.values())
    material_passes["whole"] = whole
    material_passes["surfaces"] = scene.data.face_count
    material_passes["triangles"] = scene.data.counts.contents.triangles
    return material_passes


def main() -> int:
    arguments = sys.argv[sys.argv.index("--") + 1:]
    name, most = (arguments + ["czest2ctf", "1.5"][len(arguments):])[:2]
    if not OPENARENA.is_dir():
        print("skipped: BSPSCENE_OPENARENA names no directory")
        return SKIPPED
    clock = Clock()
    clock.watch("meshes", mesh, "build")
    clock.watch("images", image.Images, "get")
    clock.watch("images", image, "image_bytes")
    clock.watch("images", image, "page_bytes")
    clock.watch("materials", material.Materials, "_find_or_make")
    runs = [one_run(clock, name) for _ in range(RUNS)]
    medians = {stage: statistics.median(run[stage] for run in runs) for stage in runs[0]}
    print(f"{name}: {medians['triangles']:.0f} triangles, {medians['surfaces']:.0f} surfaces")
    for stage in ("library", "meshes", "images", "materials", "objects and the rest", "whole"):
        print(f"  {stage:22} {medians[stage]:.3f} s")
    surface = medians["meshes"] / medians["surfaces"]
    print(f"  meshes of a surface    {surface * 1e6:.1f} us, {SOMAZ / surface:.0f} times less than SomaZ's add-on")
    return int(medians["whole"] > float(most) or surface * 10 > SOMAZ)


if __name__ == "__main__":
    sys.exit(main())
