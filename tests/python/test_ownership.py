"""Handles of the Python package are freed exactly once, and the library stays open while any thread uses it."""
import copy
import gc
import pickle
import sys
import threading
import unittest
from typing import Any

import numpy
from package import GAME, Folder, bspscene, load

library: Any = sys.modules["bspscene.library"]
renderer: Any = sys.modules["bspscene.render"]


class Ownership(Folder):
    def test_owners_refuse_copies_that_would_free_twice(self) -> None:
        scene = load()
        owners = [scene.memory, bspscene.Place(str(GAME))]
        if renderer.is_available():
            owners.append(bspscene.Renderer(scene, width=8, height=8))
        for owner in owners:
            for duplicate in (copy.copy, copy.deepcopy, pickle.dumps):
                with self.assertRaisesRegex(TypeError, "cannot be copied"):
                    duplicate(owner)
        with self.assertRaisesRegex(TypeError, "cannot be copied"):
            copy.deepcopy(scene)
        self.assertGreater(len(copy.copy(scene).meshes()), 1)

    def test_library_stays_open_while_any_thread_calls_it(self) -> None:
        gc.collect()
        done = threading.Event()
        written = bspscene.write(load(textures="none"), "obj", lighting="none")
        results: list[object] = []

        def work() -> None:
            for _ in range(5):
                bspscene.maps(str(GAME))
                results.append(bspscene.write(load(textures="none"), "obj", lighting="none") == written)

        threads = [threading.Thread(target=work) for _ in range(2)]
        releasing = threading.Thread(target=lambda: [library.release() for _ in iter(done.is_set, True)])
        for thread in (*threads, releasing):
            thread.start()
        for thread in threads:
            thread.join()
        done.set()
        releasing.join()
        self.assertEqual(results, [True] * 10)

    def test_scenes_may_go_in_one_thread_while_others_read_them(self) -> None:
        shared, done = [load(textures="none")], threading.Event()
        faults: list[object] = []

        def replace() -> None:
            for _ in range(8):
                shared[0] = load(textures="none")
            done.set()

        def read() -> None:
            try:
                while not done.is_set():
                    points = [mesh.positions for mesh in shared[0].meshes()]
                    dict(shared[0].entities()[0])
                    if not all(numpy.isfinite(view).all() for view in points):
                        faults.append("not finite")
            except Exception as error:
                faults.append(error)

        threads = [threading.Thread(target=act) for act in (replace, read, read)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(faults, [])


if __name__ == "__main__":
    unittest.main()
