#!/usr/bin/env python3
"""Promise: `gallery` makes a manifest, a database and a page of a store, with the same contents. The same store gives
the same files. Texts of maps never become markup, script or SQL. If it fails, existing files stay; old pieces are
removed. If Chromium is installed, the page shows and finds the maps without a server."""
import contextlib
import html
import json
import re
import shutil
import sqlite3
import string
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import quote

from common import FIXTURES, Checks, arguments, run
from made_store import HOSTILE, digest, entities_of, info_of, make_hostile, make_many, put, result_of
from stores import content, hostile_lines

SEARCHED = 'SELECT name FROM maps WHERE rowid IN (SELECT rowid FROM maps_text WHERE maps_text MATCH ?)'
DIGITS = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"
# JavaScript that could turn text into markup or script, so the page must not use it.
NEVER = ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(", "fetch(", "http")


def read_list(text: str) -> set[int]:
    """Decodes a list of map numbers, as the page does. It has the first number, and then the distances between numbers
    minus 1, in base64 digits of five bits each."""
    maps, number, gap, shift = set(), 0, 0, 0
    for letter in text:
        digit = DIGITS.index(letter)
        gap |= (digit & 31) << shift
        shift += 5
        if digit < 32:
            number += gap
            maps.add(number)
            number, gap, shift = number + 1, 0, 0
    return maps


class Test(Checks):
    def records(self, gallery: Path) -> list[dict]:
        lines = (gallery / "manifest.jsonl").read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines]

    def pieces(self, gallery: Path, call: str) -> list:
        """Returns the contents of all pieces of a kind. Each must be one call with JSON."""
        found: list = []
        stem = {"rows": "index", "near": "near", "words": "words", "records": "maps"}[call]
        for path in sorted((gallery / "data").glob(f"{stem}-*.js")):
            text = path.read_text(encoding="ascii")
            body = re.fullmatch(rf"gallery\.{call}\((?:\d+, )?(\[.*\])\);\n", text, re.DOTALL)
            self.expect(body is not None, f"{path.name} is no call of {call}")
            found += json.loads(body[1]) if body else []
        return found

    def words(self, gallery: Path, records: list[dict]):
        """Decodes the word lists, and compares them with the names in the records."""
        wanted: dict[str, set[int]] = {}
        for number, one in enumerate(records):
            for name in [need["name"] for need in one["needs"]] + [name for name, _ in one["classes"]]:
                for run_ in re.findall(r"[a-z0-9_]+", re.sub("[A-Z]", lambda found: found[0].lower(), name)):
                    whole = run_[:60].lstrip("_")
                    ends = {whole[at:] for at in range(1, len(whole)) if whole[at - 1] == "_" and whole[at].isalpha()}
                    for word in {whole} | ends:
                        if len(word) > 1:
                            wanted.setdefault(word, set()).add(number)
        found = self.pieces(gallery, "words")
        self.expect({word: read_list(text) for word, text in found} == wanted, "who uses what")
        summary = next((gallery / "data").glob("summary-*.js")).read_text()
        self.expect(all(f'"words-{word[:2]}-' in summary for word in wanted), "pieces of words are not named")

    def database(self, gallery: Path, records: list[dict]):
        with contextlib.closing(sqlite3.connect(gallery / "manifest.sqlite")) as file:
            ask = lambda query, *values: file.execute(query, values).fetchall()  # noqa: E731
            self.expect(ask("PRAGMA integrity_check") == [("ok",)], "the database is broken")
            rows = ask("SELECT id, name, title, author, path FROM maps ORDER BY rowid")
            wanted = [tuple(one[key] for key in ("id", "name", "title", "author", "path")) for one in records]
            self.expect(rows == wanted, f"maps: {rows}")
            missing = {(one["id"], need["name"]) for one in records for need in one["needs"] if not need["found"]}
            self.expect(set(ask("SELECT id, name FROM missing")) == missing, "missing files")
            classes = {(one["id"], *pair) for one in records for pair in one["classes"]}
            found = ask("SELECT maps.id, class, count FROM classes JOIN maps ON maps.rowid = map")
            self.expect(set(found) == classes, f"classes: {found}")
            for one in records:
                word = max(re.findall(r"[a-z0-9]{3,}", one["name"].lower()), key=len, default="")
                self.expect(not word or (one["name"],) in ask(SEARCHED, word), f"full text: {word}")
            places = sum(len(one["places"]) for one in records)
            self.expect(ask("SELECT count(*) FROM places") == [(places,)], "places")
            self.expect(ask("SELECT count(*) FROM keys") == [(sum(len(one["worldspawn"]) for one in records),)], "keys")
            if records[0]["classes"] and HOSTILE[0] in [one["name"] for one in records]:
                self.expect(ask("SELECT count FROM duplicates") == [(2,)], "duplicates")
                texture = ask("SELECT count(*) FROM needs WHERE resource = (SELECT rowid FROM resources_text "
                              "WHERE resources_text MATCH 'wall')")
                self.expect(texture == [(len(records),)], f"maps with the texture: {texture}")

    def check(self, store: Path, gallery: Path):
        """Compares the manifest, the database and the page's pieces with each other."""
        records = self.records(gallery)
        folders = sorted(path.parent.name for path in store.glob("??/*/result.json"))
        self.expect([one["id"] for one in records] == folders, "the manifest has other maps than the store")
        self.expect(self.pieces(gallery, "records") == records, "records of the page are not the manifest's")
        self.words(gallery, records)
        rows = self.pieces(gallery, "rows")
        self.expect(sorted(row[0] for row in rows) == folders, "the index has other maps than the store")
        by_id = {one["id"]: one for one in records}
        for number, row in enumerate(rows):
            one, first = by_id[row[0]], rows[row[14]]
            self.expect(row[1:5] == [one[key] for key in ("name", "title", "author", "format")], f"{row}")
            alone = not one["geometry"] and row[14] == number
            same = one["geometry"] == by_id[first[0]]["geometry"] and row[14] <= number
            self.expect(alone or same, f"{row[1]!r} is folded with {first[1]!r}")
        page = (gallery / "index.html").read_text(encoding="utf-8")
        for name in re.findall(r'"data/([^"]+)"', page):
            self.expect((gallery / "data" / name).is_file(), f"the page lacks {name}")
        if sqlite := (gallery / "manifest.sqlite").exists():
            self.database(gallery, records)
        return sqlite

    def whole(self):
        """Makes a store by `process`, and the gallery next to it."""
        catalog = self.top / "catalog.jsonl"
        maps = [FIXTURES / "atrium" / name / "maps" for name in ("quake", "quake3")]
        catalog.write_bytes(run(self.program, "catalog", *maps) + hostile_lines().encode())
        store = self.top / "store"
        run(self.program, "process", store, "--catalog", catalog, "--steps", "info,entities", "--quiet")
        said = run(self.program, "gallery", store).decode()
        gallery = store / "gallery"
        records = self.records(gallery)
        self.expect(said == f"{len(records)} maps in {gallery}/index.html\n", f"said {said}")
        if not self.check(store, gallery):
            print("no manifest.sqlite: this build lacks SQLite")
        self.expect({one["status"] for one in records} == {"done", "quarantined"}, "states")
        summary = next((gallery / "data").glob("summary-*.js")).read_text()
        self.expect('store: "../"' in summary, f"the way to the maps: {summary[:100]}")

    def hostile(self):
        store, gallery = self.top / "hostile # store%20", self.top / "public" / "a page"
        make_hostile(store)
        done = subprocess.run([self.program, "gallery", store, gallery, "--quiet"], capture_output=True, text=True)
        self.expect((done.returncode, done.stdout, done.stderr) == (0, "", ""), f"{done.returncode}: {done.stderr}")
        self.check(store, gallery)
        way = next((gallery / "data").glob("summary-*.js")).read_text()
        self.expect(f'store: "../../{quote(store.name)}/"' in way, f"the way to the maps: {way[:120]}")
        for path in [gallery / "index.html", *(gallery / "data").glob("page-*")]:
            text = path.read_text(encoding="utf-8")
            self.expect(not any(word in text for word in NEVER if word != "http" or "http-equiv" not in text),
                        f"{path.name} makes markup of text")
        before = content(gallery)
        run(self.program, "gallery", store, gallery, "--quiet")
        self.expect(content(gallery) == before, "the same store makes another gallery")

    def likeness(self):
        """Two maps are neighbors if they share most of the files that they need, even among many maps with the same
        geometry. Other maps are no neighbors."""
        store = self.top / "alike"
        # "models" and "sounds" need files of the same names as "other", but of other kinds than textures.
        own = {"first": range(0, 20), "second": range(2, 22), "again": range(2, 22), "other": range(50, 70),
               "models": range(50, 70), "sounds": range(50, 70)}
        for number, (name, textures) in enumerate(own.items()):
            geometry = digest("geometry", "second" if name == "again" else name)
            needs = [(f"textures/{texture}", True) for texture in textures]
            info = info_of(number, name, needs)
            for need in info["needs"] if name in ("models", "sounds") else ():
                need["kind"] = name[:-1]
            put(store, result_of(number, name, geometry), info=info, entities=entities_of(name, []))
        run(self.program, "gallery", store, "--quiet")
        gallery = store / "gallery"
        names = [row[1] for row in self.pieces(gallery, "rows")]
        near = {names[number]: {names[pair]: percent for pair, percent in zip(pairs[::2], pairs[1::2])}
                for number, pairs in enumerate(self.pieces(gallery, "near"))}
        twins = {"second", "again"}
        self.expect(len(near["first"]) == 1 and set(near["first"]) <= twins, f"one of two versions: {near['first']}")
        self.expect(all(set(near[name]) == {"first"} for name in twins), f"not its own version: {near}")
        self.expect(near["other"] == near["models"] == near["sounds"] == {}, f"nothing in common: {near}")
        shared = 18 / 22  # number of common textures of two maps, divided by the number of textures that either has
        self.expect(all(abs(percent / 100 - shared) < 0.2 for pairs in near.values() for percent in pairs.values()),
                    f"likeness is not near {shared}: {near}")

    def pictures(self):
        """The best existing picture represents a map, never an animation, and all existing pictures are listed."""
        store, made = self.top / "pictures", {
            "all": (["start.png", "tile.png", "turn.webp"], 1), "start": (["start.png", "plan.png"], 2),
            "above": (["overview.png", "roofs.png"], 3), "sheet": (["sheet.png"], 6), "turning": (["turn.webp"], 0),
            "small": (["tile.png"], 1), "none": ([], 0)}
        for number, (name, (files, _)) in enumerate(made.items()):
            folder = put(store, result_of(number, name, digest("geometry", number)))
            for file in files:
                (folder / file).touch()
        run(self.program, "gallery", store, "--quiet")
        for record in self.records(store / "gallery"):
            self.expect(record["files"] == [*made[record["name"]][0], "result.json"], f"files: {record['files']}")
        found = {row[1]: row[11] for row in self.pieces(store / "gallery", "rows")}
        self.expect(found == {name: tile for name, (_, tile) in made.items()}, f"pictures of tiles: {found}")

    def many(self):
        """There are more maps than are read or written at once, and some are broken. All are listed in order."""
        store = self.top / "many"
        make_many(store, 400)
        for path in sorted(store.glob("??/*/result.json"))[::150]:
            shutil.rmtree(path.parent)
            path.parent.mkdir()
        done = subprocess.run([self.program, "gallery", store], capture_output=True, text=True)
        self.expect(done.returncode == 0 and done.stderr.count("left out") == 3, done.stderr)
        self.check(store, store / "gallery")

    def viewer(self):
        """Copies the files of a viewer into the gallery, and no others. If one is missing, no gallery is made."""
        store, viewer = self.top / "viewed", self.top / "unpacked"
        make_hostile(store)
        viewer.mkdir()
        parts = ["index.html", "main.js", "viewer.css", "worker.mjs", "bspscene_core.wasm", "bspscene_files.wasm",
                 "licenses.txt"] + [f"sample_{game}.{ending}" for game in ("quake3", "quake", "goldsrc")
                                    for ending in ("webp", "zip")]
        for name in parts + ["mine.txt"]:
            (viewer / name).write_text(name, encoding="utf-8")
        for name in parts:
            (viewer / name).rename(self.top / "away")
            done = subprocess.run([self.program, "gallery", store, "--viewer", viewer], capture_output=True, text=True)
            self.expect(done.returncode == 1 and name in done.stderr, f"without {name}: {done}")
            self.expect(not (store / "gallery" / "index.html").exists(), f"a gallery without {name}")
            (self.top / "away").rename(viewer / name)
        run(self.program, "gallery", store, "--viewer", viewer, "--quiet")
        copies = {path.name: path.read_text() for path in (store / "gallery" / "viewer").iterdir()}
        self.expect({name: copies.get(name) for name in parts} == {name: name for name in parts}, f"viewer: {copies}")
        self.expect("mine.txt" not in copies, "what is none of the viewer's came with it")

    def failures(self):
        """Broken results are left out with a warning. A failing gallery changes nothing. Old pieces are removed."""
        store, gallery = self.top / "changing", self.top / "changing" / "gallery"
        results = make_hostile(store)
        folder = store / results[3]["id"][:2] / results[3]["id"]
        (folder / "info.json").write_text("{", encoding="utf-8")
        (store / results[4]["id"][:2] / results[4]["id"] / "result.json").write_text("[]", encoding="utf-8")
        done = subprocess.run([self.program, "gallery", store], capture_output=True, text=True)
        self.expect(done.returncode == 0 and "left out" in done.stderr and "info.json" in done.stderr, done.stderr)
        self.expect(len(self.records(gallery)) == len(results) - 1, "a broken result is in the manifest")
        (gallery / "data" / "index-notes.js").write_text("mine", encoding="utf-8")
        before = content(gallery)
        (gallery / "manifest.jsonl").rename(self.top / "kept.jsonl")
        (gallery / "manifest.jsonl").mkdir()
        run(self.program, "gallery", store, status=1)
        (gallery / "manifest.jsonl").rmdir()
        (self.top / "kept.jsonl").rename(gallery / "manifest.jsonl")
        self.expect(content(gallery) == before, "a gallery that failed left something")
        shutil.rmtree(folder)
        run(self.program, "gallery", store, "--quiet", status=0)
        names = {path.name for path in (gallery / "data").iterdir()}
        self.expect("index-notes.js" in names, "a file of somebody else's was removed")
        summary = next((gallery / "data").glob("summary-*.js"))
        named = set(re.findall(r'"([a-z]+-[^"]+\.js)"', summary.read_text())) | {summary.name, "index-notes.js"}
        self.expect({name for name in names if not name.startswith("page-")} == named, f"old pieces are left: {names}")
        for bad in (self.top / "none", self.top / "public"):
            run(self.program, "gallery", bad, status=1)
            self.expect(not (bad / "gallery").exists(), f"{bad.name} is no store and got a gallery")

    def browser(self, chromium: str):
        """Opens the page of a store with hostile texts from its folder. The page shows them as text, in tiles and on a
        map's page, and its search finds them."""
        gallery = self.top / "public" / "a page"
        rows = self.pieces(gallery, "rows")
        for address, wanted in [("", [row[1] for row in rows if row[14] == rows.index(row)]),
                                (f"#map/{rows[3][0]}", [rows[3][1]]), ("#search=pwned+SVG", [HOSTILE[2]]),
                                ("#uses=Svg+wal", [HOSTILE[2]]), ("#uses=pwned+nothing", [])]:
            dom = self.dump(chromium, (gallery / "index.html").as_uri() + address)
            shown = html.unescape(re.sub(r"<[^>]*>", "\n", dom))
            for text in wanted:
                lines = [line for line in text.replace("\r", "\n").split("\n") if line.strip()]
                self.expect(all(line in shown for line in lines), f"{address or 'the list'} does not show {text!r}")
            self.expect(re.search(r"<title>[^<]*Maps</title>", dom) is not None, f"{address}: the title is another one")
            self.expect(not re.search(r"<script(?![^>]* src=\"data/)|<svg|<img[^>]*onerror|<b>[^<]*</b></b>", dom),
                        f"{address}: text became markup")
            if "=" in address:
                tiles = dom.count('class="tile"')
                self.expect(tiles == len(wanted), f"{address}: found {tiles} maps")

    def chosen_pictures(self, chromium: str):
        """The page of a map shows the pictures that exist. The tile is shown if there is no larger picture, and the
        animation only on request."""
        gallery = self.top / "pictures" / "gallery"
        for name, wanted in (("small", "tile.png"), ("turning", "turn.webp")):
            (row,) = [row for row in self.pieces(gallery, "rows") if row[1] == name]
            dom = self.dump(chromium, (gallery / "index.html").as_uri() + f"#map/{row[0]}")
            shown = re.findall(r'<img src="[^"]*/([a-z.]+)"', dom)
            self.expect(shown == [wanted], f"the page of {name} shows {shown}")
            self.expect(("<details><summary>Show it turning" in dom) == (name == "turning"), f"{name}: what turns")

    def dump(self, chromium: str, url: str) -> str:
        command = [chromium, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={self.top / 'chromium'}",
                   "--virtual-time-budget=5000", "--dump-dom", url]
        return subprocess.run(command, capture_output=True, text=True).stdout


def main() -> int:
    program = arguments(__doc__).program
    with tempfile.TemporaryDirectory() as name:
        test = Test(program, Path(name))
        parts = [test.hostile, test.likeness, test.pictures, test.many, test.failures, test.viewer]
        if sys.platform != "win32":
            parts.append(test.whole)
        for part in parts:
            part()
        names = ("chromium", "chromium-browser", "google-chrome")
        chromium = next((found for found in map(shutil.which, names) if found), None)
        if chromium:
            test.browser(chromium)
            test.chosen_pictures(chromium)
        else:
            print("Chromium is not installed: the page is not looked at")
    print("\n".join(test.problems))
    return 1 if test.problems else 0


if __name__ == "__main__":
    sys.exit(main())
