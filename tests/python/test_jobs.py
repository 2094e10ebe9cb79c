"""Tests jobs of the Python package, which run in the background. They give the same results as the calls that wait, and
leave nothing behind."""
import gc
import importlib
import unittest
from typing import Any

from package import ATRIUM, GAME, bspscene, load

jobs: Any = importlib.import_module("bspscene.job")
library: Any = importlib.import_module("bspscene.library")


class Jobs(unittest.TestCase):
    def test_gives_what_load_gives(self) -> None:
        job = bspscene.begin(str(ATRIUM), lightmap_encoding="hdr")
        while not job.ended():
            self.assertLessEqual(0, job.fraction())
        self.assertEqual(job.fraction(), 1)
        found, wanted = job.result(), load(lightmap_encoding="hdr")
        self.assertEqual(bspscene.write(found, "glb"), bspscene.write(wanted, "glb"))
        for act in (job.result, job.ended, job.cancel):
            self.assertRaises(ValueError, act)

    def test_of_other_calls(self) -> None:
        scene = jobs.begin_load(jobs.begin_open(str(GAME), wanted="atrium").result()).result()
        baked = jobs.begin_bake(scene, vertices=True).result()
        wanted = bspscene.bake(load(), vertices=True)
        self.assertTrue((baked.mesh(0).baked_light == wanted.mesh(0).baked_light).all())
        lit = jobs.begin_bake_textures(jobs.begin_bake(scene).result()).result()
        self.assertTrue(any(image.name.startswith("lit") for image in lit.images()))

    def test_failures_are_those_of_the_call(self) -> None:
        with self.assertRaisesRegex(bspscene.MapError, "none.bsp"):
            jobs.begin_open("/nowhere/none.bsp").result()
        with self.assertRaisesRegex(TypeError, "no option"):
            bspscene.begin(str(ATRIUM), color="red")

    def test_canceled_or_forgotten_leaves_nothing(self) -> None:
        gc.collect()
        before = library._users
        job = bspscene.begin(str(ATRIUM))
        job.cancel()
        try:
            self.assertTrue(job.result().meshes())   # the job had ended before it was canceled
        except bspscene.MapError as error:
            self.assertTrue(error.canceled)
        bspscene.begin(str(ATRIUM))
        job = bspscene.begin(str(ATRIUM))
        job.close()
        job.close()
        gc.collect()
        self.assertEqual(library._users, before)


if __name__ == "__main__":
    unittest.main()
