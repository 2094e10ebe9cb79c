#!/usr/bin/env python3
"""Promise: companion files are kept with their map, each once: readmes of any name, scripts, light, level shots and
WADs, from its folder, its archives and their folder. The map's page shows their texts, and author, title, date and game
mode from them. Files of other maps are not kept. The same map with other light or entities next to it is another map.
With --keep-originals the file that the map came in is kept, as a link where possible."""
import hashlib
import io
import json
import os
import re
import shutil
import struct
import sys
import tempfile
import zipfile
import zlib
from pathlib import Path

from common import FIXTURES, Checks, arguments, run
from stores import content, results

ATRIUM = FIXTURES / "atrium"
QUAKE, LIT = ATRIUM / "quake" / "maps" / "atrium.bsp", ATRIUM / "quake" / "maps" / "atrium.lit"
QUAKE3 = ATRIUM / "quake3" / "maps"
GOLDSRC, SOURCE = ATRIUM / "goldsrc" / "maps" / "atrium_wad.bsp", FIXTURES / "source" / "maps" / "room.bsp"
WAD = ATRIUM / "goldsrc" / "sample.wad"
READ_ME = ("Titel\xfc  \x96 <b>bold</b>\r\nAuthor(s)      : J\xf6rg 'O''Neil' <img src=x>\r\n"
           "Release date: 12 March 1999\r\nDeathmatch 2-16 : Yes\r\nCooperative : No\r\nTitle : Not this one\r\n")
ARENA = '// all\n{\nmap "two"\nlongname "The Other"\nauthor "Nobody"\n}\n' \
        '{ map "one"\n longname "First One" type "ffa ctf" }'
# A picture of two pixels, of which the lower one is red. The rows are stored from the bottom up. The channels are blue,
# green, red and alpha, which is ignored.
TGA = bytes([0, 0, 2] + 9 * [0] + [1, 0, 2, 0, 32, 8]) + bytes([0, 0, 255, 0, 255, 0, 0, 0])
UP = 2    # PNG's row filter Up, which stores differences to the row above
# A list of maps as the game UFO: Alien Invasion has it. It states the title and the game modes of the map "lone", but
# no author.
UFO = """// maps
mapdef farm
{
	map	"+fm"
	description "_Farm"
	gametypes ( fight1on1 )
}
mapdef lonely {
	map lone
	description "_The Lonely One"
	terrains ( "grass" "desert" )
	gametypes (
		coop2
		fight2on2 )
	multiplayer true
}
"""
STEPS = ("--steps", "info,entities,companions")


def packed(files: dict[str, bytes]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, one in files.items():
            archive.writestr(name, one)
    return data.getvalue()


def without_title(data: bytes) -> bytes:
    """Renames the worldspawn's keys for title and author to unknown ones of the same length."""
    return data.replace(b'"message"', b'"massage"').replace(b'"author"', b'"outhor"')


class Test(Checks):
    def catalog(self, *folders: str) -> list[dict]:
        lines = run(self.program, "catalog", "--recursive", *(self.top / name for name in folders)).splitlines()
        return [json.loads(line) for line in lines]

    def process(self, store: str, lines: list[dict], *more: str, status: int = 0) -> bytes:
        return run(self.program, "process", self.top / store, "--quiet", *more, status=status,
                   stdin="".join(json.dumps(line) + "\n" for line in lines).encode())

    def kept(self, store: str) -> dict[str, dict]:
        """Returns the contents of each map's companions.json by the map's name. Checks that the store has each file
        that they name."""
        found = {}
        for path in sorted((self.top / store).glob("??/*/companions.json")):
            listed = json.loads(path.read_text(encoding="utf-8"))
            found[json.loads((path.parent / "result.json").read_text())["name"]] = listed
            for one in listed["files"]:
                data = (self.top / store / "files" / one["file"][:2] / one["file"]).read_bytes()
                self.expect(len(data) == one["size"], f"{one['name']}: {len(data)} bytes, not {one['size']}")
        return found

    def private(self):
        """A folder has one map and many other texts. Only the texts whose names begin with the map's name belong to the
        map."""
        home = self.top / "home"
        home.mkdir()
        shutil.copyfile(QUAKE3 / "atrium.bsp", home / "found.bsp")
        for name in ["found.doc", "found-notes.txt", "letter.pdf"] + [f"diary{day}.txt" for day in range(9)]:
            (home / name).write_text("dear diary")
        [line] = self.catalog("home")
        # If a name continues with a letter or a digit after the map's name, the file belongs to another map.
        for name in ("found2.doc", "found0.txt", "founder.txt", "FoundX.doc", "foundz.pdf"):
            (home / name).write_text("of another map")
        [again] = self.catalog("home")
        self.expect(again["companions"] == line["companions"], f"of other names: {again['companions']}")
        names = [Path(path).name for path in line["companions"]]
        self.expect(names == ["found-notes.txt", "found.doc"], f"of a person's folder: {names}")

    def lay_out(self):
        inner = packed({
            "maps/one.bsp": without_title((QUAKE3 / "atrium.bsp").read_bytes()),
            "maps/two.bsp": (QUAKE3 / "atrium_nometa.bsp").read_bytes(),
            "maps/two.txt": b"about two\nDate: tomorrow\nGametypes: CTF, and whatever else\n",
            "maps/one.rad": b"light 1", "levelshots/one.jpg": b"jpeg", "levelshots/two.tga": TGA,
            "levelshots/three.tga": b"no picture",
            "scripts/any.arena": ARENA.encode(), "scripts/other.arena": b'{ map "one_b" author "Other" }',
            "sound/credits.txt": b"no read-me of maps"})
        outer = {"Liesmich": b"", "read.1st": READ_ME.encode("latin-1"), "sub/pack.pk3": inner,
                 "sub/notes.nfo": b"notes", "else/far.txt": b"far away", "one_shot.jpg": b"other jpeg"}
        (self.top / "packs").mkdir()
        (self.top / "packs" / "pack.zip").write_bytes(packed(outer))
        (self.top / "packs" / "pack.txt").write_text("beside the archive")
        (self.top / "packs" / "packed.txt").write_text("of something else")
        (self.top / "packs" / "zz.zip").write_bytes(packed({"a.bsp": (FIXTURES / "source/maps/room.bsp").read_bytes()}))
        flat = self.top / "flat" / "maps"
        flat.mkdir(parents=True)
        shutil.copyfile(QUAKE, flat / "lone.bsp")
        shutil.copyfile(LIT, flat / "lone.lit")
        shutil.copyfile(WAD, flat / "Sample.WAD")
        (flat / "unnamed.wad").write_bytes(b"WAD2")
        (flat / "lone.ent").write_text('{ "classname" "worldspawn" }')
        (flat / "any_name.nfo").write_text("any name", encoding="utf-8")
        (self.top / "flat" / "ufos").mkdir()
        (self.top / "flat" / "ufos" / "maps.ufo").write_text(UFO)
        (self.top / "flat" / "readme.txt").write_text("Map title: The Lone\nMade by = Someone\n")

    def listed(self):
        self.process("store", self.catalog("packs", "flat"), *STEPS)
        kept = self.kept("store")
        names = {name: sorted(one["name"] for one in listed["files"]) for name, listed in kept.items()}
        around = ["pack.txt", "read.1st", "sub/notes.nfo"]
        self.expect(names == {
            "one": sorted(["levelshots/one.jpg", "maps/one.rad", "one_shot.jpg", "scripts/any.arena", *around]),
            "two": sorted(["levelshots/two.tga", "maps/two.txt", "scripts/any.arena", *around]), "a": [],
            "lone": ["Sample.WAD", "any_name.nfo", "lone.ent", "lone.lit", "readme.txt"]}, f"kept: {names}")
        kinds = {one["name"]: one["kind"] for listed in kept.values() for one in listed["files"]}
        asked = ("Sample.WAD", "lone.lit", "read.1st", "one_shot.jpg", "scripts/any.arena")
        self.expect([kinds[name] for name in asked] == ["wad", "light", "text", "picture", "script"], f"kinds: {kinds}")
        pool = [path for path in (self.top / "store" / "files").rglob("*") if path.is_file()]
        self.expect(len({path.read_bytes() for path in pool}) == len(pool) > 5, "a file is there twice")
        one, two, lone = kept["one"], kept["two"], kept["lone"]
        self.expect((one["title"], one["author"]) == ('First One', "J\xf6rg 'O''Neil' <img src=x>"), f"{one['title']}")
        self.expect(one["date"] == "12 March 1999" and one["modes"] == ["deathmatch", "capture the flag"], f"{one}")
        self.expect((two["title"], two["author"]) == ("The Other", "Nobody"), f"two: {two['title']}, {two['author']}")
        own = (two["date"], two["modes"])
        self.expect(own == ("tomorrow", ["capture the flag"]), f"two: {own}")
        self.expect((lone["title"], lone["author"]) == ("The Lonely One", "Someone"), f"lone: {lone}")
        self.expect(lone["modes"] == ["coop2", "fight2on2", "multiplayer"], f"lone: {lone['modes']}")
        text = next(one["text"] for one in two["files"] if one["name"] == "read.1st")
        self.expect(text.startswith("Titel\xfc  \u2013 <b>bold</b>\nAuthor(s)"), f"text: {text!r}")
        [shown] = [one["shown"] for one in two["files"] if one["kind"] == "picture"]
        png = (self.top / "store" / "files" / shown[:2] / shown).read_bytes()
        idat = png.index(b"IDAT")
        rows = zlib.decompress(png[idat + 4:idat + 4 + int.from_bytes(png[idat - 4:idat], "big")])
        upper, lower = rows[1:4], rows[5:8]
        if rows[4] == UP:
            lower = bytes((a + b) & 0xff for a, b in zip(upper, lower))
        self.expect(png[:8] == b"\x89PNG\r\n\x1a\n" and [upper, lower] == [b"\0\0\xff", b"\xff\0\0"],
                    f"the level shot is shown as {rows!r}")
        before = content(self.top / "store")
        self.process("store", self.catalog("packs", "flat"), *STEPS)
        self.expect(content(self.top / "store") == before, "a second run changed something")
        (self.top / "packs" / "pack_more.txt").write_text("came later")
        self.process("store", self.catalog("packs", "flat"), *STEPS)
        later = {one["name"] for one in self.kept("store")["one"]["files"]}
        self.expect("pack_more.txt" in later, f"what came later: {later}")

    def page(self):
        gallery = self.top / "pages"
        run(self.program, "gallery", self.top / "store", gallery, "--quiet")
        records = {one["name"]: one for one in map(json.loads, (gallery / "manifest.jsonl").read_text().splitlines())}
        one, lone = records["one"], records["lone"]
        self.expect(one["title"] == "First One" and one["author"].startswith("J\xf6rg"), f"record: {one['title']}")
        self.expect((one["made"], one["modes"]) == ("12 March 1999", ["deathmatch", "capture the flag"]), "facts")
        self.expect(lone["title"] == "Atrium sample (CC0)", "what the map says of itself counts first")
        self.expect(lone["bytes"] == hashlib.sha256(QUAKE.read_bytes()).hexdigest(), "the map's own hash")
        self.expect({file["name"] for file in lone["kept"]} >= {"readme.txt", "Sample.WAD"}, f"{lone['kept']}")
        kept = [file["file"] for one in records.values() for file in one["kept"]]
        self.expect(len(kept) > 10 and all((self.top / "store" / file).is_file() for file in kept),
                    "the page refers to what is not there")
        script = "".join(path.read_text() for path in (gallery / "data").glob("maps-*.js"))
        self.expect("<b>bold</b>" in script and "<img src=x>" in script, "texts are not in the page's pieces")
        rows = {row[1]: row for path in (gallery / "data").glob("index-*.js")
                for row in json.loads(re.search(r"\[.*\]", path.read_text(), re.DOTALL)[0])}
        shown = [file["shown"] for file in records["two"]["kept"] if file["shown"]]
        self.expect([rows["two"][11]] == shown and rows["lone"][11] == 0, f"tiles: {rows['two'][11]}")
        told = [name for name, data in content(gallery).items() if str(self.top).encode() in data]
        self.expect(not told, f"the gallery tells where the disk has it: {told}")

    def light(self):
        """The same map without light and with two different light files next to it counts as three maps."""
        lit = LIT.read_bytes()
        for name, light in (("none", None), ("one", lit), ("again", lit), ("other", lit[:8] + lit[9:] + lit[8:9])):
            folder = self.top / "lit" / name
            folder.mkdir(parents=True)
            shutil.copyfile(QUAKE, folder / "m.bsp")
            if light:
                (folder / "m.lit").write_bytes(light)
        lines = self.catalog("lit")
        ids = {Path(line["path"]).parent.name: line["id"] for line in lines}
        plain = hashlib.sha256(QUAKE.read_bytes()).hexdigest()
        both = hashlib.sha256((plain + hashlib.sha256(lit).hexdigest()).encode()).hexdigest()
        self.expect(ids["none"] == plain and ids["one"] == ids["again"] == both, f"ids: {ids}")
        self.expect(ids["other"] not in (plain, both), "other light is the same map")
        (self.top / "lit.zip").write_bytes(packed({"x/m.bsp": QUAKE.read_bytes(), "x/m.lit": lit}))
        [line] = self.catalog("lit.zip")
        self.expect(line["id"] == both, "in an archive it is another map")
        self.process("lights", lines + [line], *STEPS, "--jobs", "2")
        made = {one["id"]: len(one["places"]) for one in results(self.top / "lights")}
        self.expect(made == {plain: 0, both: 2, ids["other"]: 0}, f"made: {made}")
        (self.top / "lit" / "other" / "m.lit").write_bytes(lit)
        self.process("changed", [line for line in lines if line["id"] == ids["other"]], *STEPS, status=1)
        self.expect(not results(self.top / "changed"), "light that changed since was taken")
        external = self.catalog(str(QUAKE3 / "atrium_external.bsp"))[0]
        styles = self.catalog(str(QUAKE3 / "atrium_styles.bsp"))[0]
        page = hashlib.sha256((QUAKE3 / "atrium_external/lm_0000.tga").read_bytes()).hexdigest()
        self.expect(external["light"] == page, "lightmaps outside of the map are none of its light")
        self.expect(len([name for name in styles["companions"] if "/lm_" in name]) == 4, f"{styles['companions']}")

    def entities(self):
        """If a file next to a map has other entities, and the map's engines read that file, it counts as another
        map."""
        text = b'{ "classname" "worldspawn" "message" "beside" }'
        other = text.replace(b"beside", b"another")
        top = self.top / "ents"
        for name, files in {"none": {}, "one": {"m.ent": text}, "again": {"m.ent": text}, "other": {"m.ent": other},
                            "sum": {"m@0000.ent": text}, "lit": {"m.ent": text, "m.lit": LIT.read_bytes()}}.items():
            (top / name).mkdir(parents=True)
            shutil.copyfile(QUAKE, top / name / "m.bsp")
            for file, data in files.items():
                (top / name / file).write_bytes(data)
        (top / "linked").mkdir()
        shutil.copyfile(QUAKE, top / "linked" / "m.bsp")
        (top / "linked" / "m.ent").symlink_to("../one/m.ent")
        lines = {Path(line["path"]).parent.name: line for line in self.catalog("ents")}
        plain = hashlib.sha256(QUAKE.read_bytes()).hexdigest()
        beside, light = (hashlib.sha256(data).hexdigest() for data in (text, LIT.read_bytes()))
        both = hashlib.sha256(f"{plain}entities{beside}".encode()).hexdigest()
        for name in ("none", "sum", "linked"):
            self.expect(lines[name]["id"] == plain, f"{name}: {lines[name]}")
        self.expect(lines["one"]["id"] == lines["again"]["id"] == both, f"ids: {lines['one']}")
        self.expect(lines["one"]["entities_beside"] == beside and lines["one"]["bytes"] == plain, "hashes are missing")
        self.expect(lines["other"]["id"] not in (plain, both), "other entities are the same map")
        all_three = hashlib.sha256(f"{plain}{light}entities{beside}".encode()).hexdigest()
        self.expect(lines["lit"]["id"] == all_three, f"light and entities: {lines['lit']}")
        self.expect({line["entities"] for line in lines.values()} == {lines["none"]["entities"]}, "the map's own hash")
        (self.top / "ents.zip").write_bytes(packed({"x/m.bsp": QUAKE.read_bytes(), "x/m.ent": text}))
        [packed_line] = self.catalog("ents.zip")
        self.expect(packed_line["id"] == both, "in an archive it is another map")
        own = [json.loads(line) for line in
               run(self.program, "catalog", "--recursive", self.top / "ents", "--entities", "map").splitlines()]
        self.expect({line["id"] for line in own if "light" not in line} == {plain}, "--entities map takes files")
        self.process("texts", [lines["one"], lines["none"], packed_line], *STEPS, "--jobs", "2")
        made = {one["id"]: len(one["places"]) for one in results(self.top / "texts")}
        self.expect(made == {plain: 0, both: 1}, f"made: {made}")
        told = {path.parent.name: json.loads(path.read_text())
                for path in (self.top / "texts").glob("??/*/entities.json")}
        said = {name: dict(entities[0]["pairs"])["message"] for name, entities in told.items()}
        self.expect(said[both] == "beside" and said[plain] != "beside", f"entities of the store: {said}")
        (top / "other" / "m.ent").write_bytes(text)
        self.process("texts2", [lines["other"]], *STEPS, status=1)
        self.expect(not results(self.top / "texts2"), "entities that changed since were taken")
        shutil.copyfile(QUAKE, top / "none" / "m.bsp")
        (top / "none" / "m.ent").write_bytes(text)
        self.process("texts3", [lines["none"]], *STEPS)
        told = json.loads(next((self.top / "texts3").glob("??/*/entities.json")).read_text())
        self.expect(dict(told[0]["pairs"])["message"] != "beside", "a file that the catalog does not know was taken")

    def patched(self):
        """A lump patch of Source replaces the map's entities. Xash3D reads a .ent file only if it is newer than the
        map."""
        revision = struct.unpack_from("<i", SOURCE.read_bytes(), 8 + 64 * 16)[0]
        text = b'{ "classname" "worldspawn" "message" "patched" }'
        top = self.top / "patches"
        top.mkdir()
        shutil.copyfile(SOURCE, top / "m.bsp")
        (top / "m_l_0.lmp").write_bytes(struct.pack("<iiiii", 20, 0, 0, len(text), revision) + text)
        [line] = self.catalog("patches")
        self.expect("m_l_0.lmp" in " ".join(line["companions"]) and line.get("entities_beside"), f"a patch: {line}")
        shutil.copyfile(GOLDSRC, top / "m.bsp")
        (top / "m.ent").write_bytes(text)
        for seconds, is_read in ((1e9, False), (2e9, True)):
            os.utime(top / "m.bsp", (1.5e9, 1.5e9))
            os.utime(top / "m.ent", (seconds, seconds))
            [line] = self.catalog("patches")
            self.expect(("entities_beside" in line) == is_read, f"a file of {seconds}: {line}")

    def originals(self):
        lines = self.catalog("packs", "flat")
        self.process("store", lines, *STEPS, "--keep-originals")
        pack = self.top / "packs" / "pack.zip"
        pool = {path.read_bytes(): path for path in (self.top / "store" / "originals").glob("??/*")}
        self.expect(len(pool) == 3, f"{len(pool)} originals of three files")
        kept = pool.get(pack.read_bytes())
        self.expect(kept is not None and kept.stat().st_ino == pack.stat().st_ino, "no link to the archive")
        gallery = self.top / "pages"
        run(self.program, "gallery", self.top / "store", gallery, "--quiet")
        records = {one["name"]: one["original"] for one in map(json.loads, (gallery / "manifest.jsonl").open())}
        self.expect(records["one"] == records["two"] and records["one"]["name"] == "pack.zip" and
                    kept is not None and self.top / "store" / records["one"]["file"] == kept, f"{records}")
        sizes = {json.loads(path.read_text())["size"] for path in (self.top / "store").glob("??/*/original.json")}
        self.expect(sizes == {len(data) for data in pool}, f"originals of {sizes} bytes")
        before = content(self.top / "store")
        self.process("store", lines, *STEPS)
        self.process("store", lines, *STEPS, "--keep-originals")
        self.expect(content(self.top / "store") == before, "runs with and without change something")
        disk = Path("/dev/shm")
        if disk.is_dir() and disk.stat().st_dev != self.top.stat().st_dev:
            with tempfile.TemporaryDirectory(dir=disk) as name:
                self.process(str(Path(name) / "store"), lines, *STEPS, "--keep-originals")
                copied = {path.read_bytes() for path in Path(name).glob("store/originals/??/*")}
                self.expect(copied == set(pool), "copies are others")

    def hostile(self):
        """If somebody else wrote the list of files, only names of files in the store become URLs."""
        [folder] = [path.parent for path in (self.top / "store").glob("??/*/result.json")
                    if json.loads(path.read_text())["name"] == "two"]
        bad = [{"name": "x", "file": name, "size": 1, "text": "</script><script>alert(1)</script>"}
               for name in ("../../../etc/passwd", "0123456789abcdef-", "0123456789abcdef-1/..",
                            "javascript:alert(1)", 7)]
        (folder / "companions.json").write_text(json.dumps({"title": [], "author": {}, "modes": [1, {}], "files": bad}))
        (folder / "original.json").write_text('{"name": "x", "file": "../x", "size": 1}')
        gallery = self.top / "pages"
        run(self.program, "gallery", self.top / "store", gallery, "--quiet")
        two = next(one for one in map(json.loads, (gallery / "manifest.jsonl").open()) if one["name"] == "two")
        self.expect((two["kept"], two["original"], two["modes"]) == ([], {}, []), f"hostile: {two}")
        script = "".join(path.read_text() for path in (gallery / "data").glob("*.js"))
        self.expect(not re.search(r"\.\./\.\./\.\./etc|javascript:alert", script), "a hostile name is in the page")


def main() -> int:
    program = arguments(__doc__).program
    with tempfile.TemporaryDirectory() as name:
        test = Test(program, Path(name))
        test.lay_out()
        for part in (test.listed, test.page, test.private, test.light, test.entities, test.patched, test.originals,
                     test.hostile):
            part()
    print("\n".join(test.problems))
    return 1 if test.problems else 0


if __name__ == "__main__":
    sys.exit(main())
