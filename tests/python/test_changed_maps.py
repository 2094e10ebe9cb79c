"""The Python package writes new light and new entities into copies of maps. A copy has these changes and no others."""
import os
import unittest

import numpy
from package import ATRIUM, GAME, Folder, bspscene, load

abi = bspscene.abi


class Light(Folder):
    """Tests writing new light into a copy of the map."""

    def pages(self, scene) -> dict:
        return {(0, number): page.luxels() for number, page in enumerate(scene.pages())}

    def test_what_nobody_changed_is_the_same_file(self) -> None:
        for encoding in ("hdr", "display", "raw"):
            scene = load(lightmap_encoding=encoding, keep_map_light=True)
            written = bspscene.relight(str(ATRIUM), scene, self.pages(scene), self.folder / "new.bsp")
            self.assertTrue(written.is_identical)
            self.assertEqual([path.name for path in written.files], ["new.bsp"])
            self.assertEqual(written.files[0].read_bytes(), ATRIUM.read_bytes())

    def test_what_changed_is_there(self) -> None:
        scene = load(lightmap_encoding="hdr", keep_map_light=True)
        wanted = {key: (0.25 * luxels).astype(luxels.dtype) for key, luxels in self.pages(scene).items()}
        dry = bspscene.relight(str(ATRIUM), scene, wanted, None)
        self.assertEqual((dry.files, os.listdir(self.folder)), ([], []))
        written = bspscene.relight(str(ATRIUM), scene, wanted, self.folder / "new.bsp")
        self.assertEqual(written.numbers, dry.numbers)
        self.assertGreater(written.numbers["changed"], 10000)
        there = load(written.files[0], lightmap_encoding="hdr", games=[str(GAME)]).pages()[0].luxels()
        lit = wanted[0, 0] > 0.1   # the map stores darker values too coarsely to compare
        ratios = there[lit].astype(numpy.float32) / wanted[0, 0][lit].astype(numpy.float32)
        self.assertAlmostEqual(float(numpy.median(ratios)), 1, delta=0.02)

    def test_light_of_vertices(self) -> None:
        """`vertex_records` tells for each vertex of a mesh which entry in the list of vertex light it has."""
        scene = load(keep_map_light=True)
        old = scene.light_lists()["vertices"].luxels()
        mesh = next(mesh for mesh in scene.meshes() if mesh.colors is not None)
        lit = next(section for section in mesh.sections if section.lighting == abi.LIGHTING_VERTEX)
        number = int(mesh.vertex_records[lit.first_vertex])
        new = old.copy()
        new.reshape(-1, 3)[number] = (8, 16, 24)
        written = bspscene.relight(str(ATRIUM), scene, {}, self.folder / "new.bsp", lists={"vertices": new})
        self.assertEqual((written.numbers["points_changed"], written.numbers["changed"]), (1, 0))
        there = load(written.files[0], games=[str(GAME)]).meshes()[0].colors
        changed = (there != mesh.colors).any(axis=1)
        self.assertTrue((mesh.vertex_records[changed] == number).all())
        self.assertEqual(there[lit.first_vertex, :3].tolist(), [8, 16, 24])
        self.assertIsNone(load().meshes()[0].vertex_records)
        with self.assertRaisesRegex(bspscene.MapError, "has no light list 'grid'"):
            bspscene.relight(str(ATRIUM), scene, {}, None, lists={"grid": new})

    def test_light_of_what_moves(self) -> None:
        """One probe gets red light from below. In the new map, this probe has that light, and no other probe
        changes."""
        scene = load(lightmap_encoding="hdr", keep_map_light=True, light_probes=True)
        probes, old = scene.light_probes(), scene.light_lists()["probes"].luxels()
        self.assertGreater(len(probes), 100)
        new = old.copy()
        new.reshape(-1, 3)[6 * 7:6 * 8] = 0.25
        new.reshape(-1, 3)[6 * 7 + 5] = (0.75, 0.25, 0.25)
        written = bspscene.relight(str(ATRIUM), scene, {}, self.folder / "new.bsp", lists={"probes": new})
        self.assertEqual((written.numbers["points_changed"], written.numbers["changed"]), (1, 0))
        again = load(written.files[0], games=[str(GAME)], lightmap_encoding="hdr", keep_map_light=True,
                     light_probes=True)
        there = again.light_lists()["probes"].luxels().reshape(-1, 6, 3)
        self.assertTrue((again.light_probes()["origin"] == probes["origin"]).all())
        changed = (there != old.reshape(-1, 3)[:there.shape[0] * 6].reshape(-1, 6, 3)).any(axis=(1, 2))
        self.assertEqual(numpy.nonzero(changed)[0].tolist(), [7])
        self.assertLess(abs(there[7].astype(float) - new.reshape(-1, 6, 3)[7]).max(), 0.03)
        self.assertEqual(len(load(keep_map_light=True).light_probes()), 0)

    def test_light_in_pictures_beside_the_map(self) -> None:
        """If the lightmap is in pictures in a folder named after the map, new pictures are written next to the new
        map."""
        path = ATRIUM.with_name("atrium_external.bsp")
        scene = bspscene.load(str(path), keep_map_light=True, lightmap_encoding="raw")
        wanted = {key: luxels // 2 for key, luxels in self.pages(scene).items()}
        maps = self.folder / "maps"
        maps.mkdir()
        written = bspscene.relight(str(path), scene, wanted, maps / "new.bsp")
        self.assertEqual([path.relative_to(maps).as_posix() for path in written.files], ["new.bsp", "new/lm_0000.tga"])
        self.assertEqual(sorted(path.name for path in maps.iterdir()), ["new", "new.bsp"])
        there = bspscene.load(str(written.files[0]), lightmap_encoding="raw", games=[str(GAME)]).pages()[0].luxels()
        # Unused luxels differ, because they get the light of their neighbors.
        self.assertGreater((there == wanted[0, 0]).mean(), 0.99)

    def test_what_is_refused(self) -> None:
        scene = load(lightmap_encoding="hdr", keep_map_light=True)
        pages, before = self.pages(scene), ATRIUM.read_bytes()
        for path, given, target, words in (
                (ATRIUM, scene, ATRIUM, "choose another name"), (ATRIUM, scene, self.folder / "x.png", "ending"),
                (ATRIUM, load(), self.folder / "x.bsp", "keep_map_light"),
                (GAME / "maps/atrium_styles.bsp", scene, self.folder / "x.bsp", "")):
            with self.assertRaisesRegex(bspscene.MapError, words):
                bspscene.relight(str(path), given, pages, target)
        with self.assertRaisesRegex(bspscene.MapError, "nowhere"):
            bspscene.relight(str(ATRIUM), scene, pages, self.folder / "x.bsp", games=["/nowhere"])
        self.assertEqual((os.listdir(self.folder), ATRIUM.read_bytes()), ([], before))


class NewCorners(Folder):
    """Tests writing new values of the corners of faces into a copy of the map."""

    def test_what_changed_is_there(self) -> None:
        scene = load(keep_map_light=True, lightmap_encoding="raw")
        mesh = scene.meshes()[0]
        sources = mesh.vertex_records
        face = next(face for face in scene.faces() if face["mesh"] == 0 and face["vertex_count"] > 3 and
                    sources[face["first_vertex"]] != abi.NO_INDEX and
                    sources[face["first_vertex"] + 1] == sources[face["first_vertex"]] + 1)
        corner = bspscene.NewCorner(int(face["record"]), 1, uv=(0.5, -3), color=(9, 8, 7, 6))
        dry = bspscene.rewrite(str(ATRIUM), None, None, corners=[corner])
        self.assertEqual((dry.corners_changed, dry.changes, dry.is_identical), (1, [], False))
        written = bspscene.rewrite(str(ATRIUM), None, self.folder / "new.bsp", corners=[corner])
        there = load(written.files[0], games=[str(GAME)], keep_map_light=True, lightmap_encoding="raw").meshes()[0]
        at = face["first_vertex"] + 1
        self.assertEqual((there.uvs[at].tolist(), there.colors[at].tolist()), ([0.5, -3], [9, 8, 7, 6]))
        self.assertTrue((there.normals == mesh.normals).all())
        same = bspscene.NewCorner(int(face["record"]), 1, normal=tuple(mesh.normals[at].tolist()))
        self.assertTrue(bspscene.rewrite(str(ATRIUM), None, None, corners=[same]).is_identical)
        with self.assertRaisesRegex(bspscene.MapError, "corner 999 does not exist"):
            bspscene.rewrite(str(ATRIUM), None, None, corners=[corner._replace(corner=999)])


class NewEntities(Folder):
    """Tests writing new entities into a copy of the map."""

    def entities(self) -> list:
        scene = load()
        return [bspscene.NewEntity(entity.pairs, entity.index) for entity in scene.entities()]

    def test_what_nobody_changed_is_the_same_file(self) -> None:
        written = bspscene.rewrite(str(ATRIUM), self.entities(), self.folder / "new.bsp")
        self.assertTrue(written.is_identical and not written.changes)
        self.assertEqual(written.files[0].read_bytes(), ATRIUM.read_bytes())

    def test_what_changed_is_there(self) -> None:
        entities = self.entities()
        light = next(i for i, e in enumerate(entities) if ("classname", "light") in e.pairs)
        moved = [(key, "1 2 3" if key == "origin" else value) for key, value in entities[light].pairs]
        entities[light] = entities[light]._replace(pairs=moved)
        entities.append(bspscene.NewEntity([("classname", "info_null"), ("origin", "0 0 0")]))
        dry = bspscene.rewrite(str(ATRIUM), entities, None)
        self.assertEqual((dry.files, os.listdir(self.folder)), ([], []))
        self.assertEqual([(change.kind, change.old) for change in dry.changes], [("changed", light), ("added", None)])
        self.assertEqual([(key.key, key.new) for key in dry.changes[0].keys], [("origin", "1 2 3")])
        self.assertEqual(dry.changes[0].lines()[0], "* light")
        written = bspscene.rewrite(str(ATRIUM), entities, self.folder / "new.bsp")
        self.assertEqual(written.changes, dry.changes)
        there = load(written.files[0], games=[str(GAME)])
        self.assertEqual([list(e.pairs) for e in entities], [entity.pairs for entity in there.entities()])

    def test_texts(self) -> None:
        for text in ('{ "classname" "worldspawn" }', b'[{"pairs": [["classname", "worldspawn"]]}]'):
            written = bspscene.rewrite(str(ATRIUM), text, self.folder / "new.ent")
            self.assertIn(b'"worldspawn"', written.files[0].read_bytes())
            self.assertNotIn(b"light", written.files[0].read_bytes())

    def test_what_is_refused(self) -> None:
        before = ATRIUM.read_bytes()
        quote = [bspscene.NewEntity([("classname", "worldspawn"), ("message", '"')])]
        for given, target, words in ((self.entities(), ATRIUM, "choose another name"), (quote, None, "quote"),
                                     (self.entities(), self.folder / "x.png", "ending"), ("", None, "worldspawn")):
            with self.assertRaisesRegex(bspscene.MapError, words):
                bspscene.rewrite(str(ATRIUM), given, target)
        with self.assertRaisesRegex(bspscene.MapError, "nowhere"):
            bspscene.rewrite(str(ATRIUM), self.entities(), None, games=["/nowhere"])
        self.assertEqual((os.listdir(self.folder), ATRIUM.read_bytes()), ([], before))


if __name__ == "__main__":
    unittest.main()
