#!/usr/bin/env python3
"""Promise: a store follows its collection. A store that grew in steps, from catalogs in any order, equals one that is
made at once. Maps that were removed or replaced are listed, moved to removed/ on request, and come back from there.
Unreadable files stay. An invalid catalog line is counted and left out. Stores of named roots do not reveal where the
collection is on disk, and galleries never do."""
import json
import random
import shutil
import sys
import tempfile
import zipfile
from pathlib import Path

from common import FIXTURES, Checks, arguments, run, skip
from stores import content, results

SOURCES = {"alpha": "quake", "beta": "goldsrc", "gamma": "quake2_q2map", "delta": "quake3"}
# For each folder of the collection: names of files and the maps that they contain. The folder that sorts first is added
# last.
LAYOUT = {
    "b": {"alpha": "alpha", "beta": "beta"},
    "c": {"alpha": "copy", "gamma": "gamma"},
    "a": {"alpha": "first", "delta": "delta", "gamma": "gamma"},
}


class Test(Checks):
    def __init__(self, program: Path, top: Path):
        super().__init__(program, top)
        self.chance = random.Random(7)
        for folder, files in LAYOUT.items():
            (top / folder).mkdir()
            for source, name in files.items():
                [path, *_] = (FIXTURES / "atrium" / SOURCES[source] / "maps").glob("*.bsp")
                shutil.copyfile(path, top / folder / f"{name}.bsp")
                (top / folder / f"{name}.txt").write_text(f"{folder}/{name}, {source}")

    def lines(self, *folders: str) -> list[str]:
        lines = run(self.program, "catalog", *(self.top / name for name in folders)).decode().splitlines(keepends=True)
        self.chance.shuffle(lines)
        return lines

    def process(self, store: str, lines: list[str], *more: str) -> str:
        return run(self.program, "process", self.top / store, "--steps", "info,entities,companions", *more,
                   stdin="".join(lines).encode()).decode()

    def kept(self, store: str) -> dict[str, bytes]:
        return {name: data for name, data in content(self.top / store).items() if not name.startswith("removed/")}

    def same(self, store: str, other: str, what: str):
        one, two = self.kept(store), self.kept(other)
        # Files of maps that were moved to removed/ stay, so that these maps can come back.
        lists = [json.loads(path.read_text()) for path in (self.top / store).glob("removed/??/*/companions.json")]
        stay = {f"files/{file['file'][:2]}/{file['file']}" for listed in lists for file in listed["files"]}
        differ = [name for name in one.keys() | two.keys() if one.get(name) != two.get(name) and name not in stay]
        self.expect(not differ, f"{what}: {len(differ)} files differ, "
                    f"{[(name, one.get(name), two.get(name)) for name in sorted(differ)[:3]]}"[:999])

    def pools(self, store: str, count: int):
        """`--prune` removes exactly those files in the store's common folders that no map uses."""
        lines, before = self.lines("a", "b", "c"), content(self.top / store)
        said = self.process(store, lines, "--prune", "--dry-run")
        is_listed = f"{count} files that no map uses" in said
        self.expect(is_listed and content(self.top / store) == before, f"{store}: {said}")
        self.process(store, lines, "--prune")
        taken = list((self.top / store / "removed" / "files").glob("??/*"))
        self.expect(len(taken) == count, f"{store}: {len(taken)} files were taken out")
        self.expect("that no map uses" not in self.process(store, lines, "--prune"), f"{store}: more is taken out")

    def grown(self):
        self.process("fresh", self.lines("a", "b", "c"))
        for step in (["b"], ["b", "c"], ["a", "b", "c"]):
            self.process("grown", self.lines(*step))
        # Two readmes are removed. Their maps are also in folder "a", which sorts first, so its readmes replace them.
        self.pools("grown", 2)
        self.same("grown", "fresh", "grown in three steps")
        for step in ("b", "c", "a"):
            said = self.process("parts", self.lines(step))
        self.pools("parts", 2)
        self.same("parts", "fresh", "grown by what was new")
        self.expect("in other places now" not in self.process("parts", self.lines("c")), "places are written twice")
        self.expect(bool(said), "no summary")
        places = {one["name"]: len(one["places"]) for one in results(self.top / "fresh")}
        self.expect(places == {"first": 2, "beta": 0, "gamma": 1, "delta": 0}, f"places: {places}")
        modified = self.lines("a", "b", "c")
        changed = [line.replace('"modified":"', '"modified":"1') for line in modified]
        self.process("grown", changed)
        self.process("dated", changed)
        self.same("grown", "dated", "another date")
        self.expect(self.kept("grown") != self.kept("fresh"), "another date is not kept")

    def bad_lines(self):
        lines = self.lines("a", "b", "c")
        bad = ["this is none\n", '{"id":"0000"}\n', "[1,2]\n", '{"id":7,"path":[]}\n', lines[0][:60] + "\n"]
        mixed = lines + bad
        self.chance.shuffle(mixed)
        (self.top / "mixed.jsonl").write_text("".join(mixed))
        self.process("mixed", mixed)
        self.same("mixed", "fresh", "a catalog with bad lines")
        run(self.program, "process", self.top / "none", stdin="".join(bad).encode(), status=1)

    def pruned(self):
        archive = self.top / "a" / "more.pk3"
        with zipfile.ZipFile(archive, "w") as opened:
            opened.write(FIXTURES / "source" / "maps" / "room.bsp", "maps/room.bsp")
        beside = self.top / "a" / "more.pk3.bsp" # its path begins with the path of the archive
        shutil.copyfile(FIXTURES / "source" / "maps" / "room.bsp", beside)
        self.process("fresh", self.lines("a", "b", "c"))
        before = content(self.top / "fresh")
        archive.write_bytes(b"no archive any more")
        beside.unlink()
        (self.top / "b" / "beta.bsp").unlink()
        told = (self.top / "b" / "beta.txt").read_text()
        (self.top / "b" / "beta.txt").unlink() # otherwise this readme would belong to the folder's only remaining map
        (self.top / "a" / "first.bsp").unlink()
        shutil.copyfile(self.top / "a" / "delta.bsp", self.top / "c" / "gamma.bsp")
        lines = self.lines("a", "b", "c")
        said = self.process("fresh", lines, "--prune", "--dry-run")
        words = sorted(line.split(" (")[0] for line in said.splitlines() if line.startswith(("gone", "changed")))
        self.expect(words == ["changed gamma", "gone beta", "gone first", "gone more.pk3"], f"gone: {said}")
        self.expect(content(self.top / "fresh") == before, "--dry-run changed something")
        done = self.process("fresh", lines, "--prune")
        self.expect(done.replace(" moved", " to be moved") == said, f"--prune says something else: {said}{done}")
        removed = [json.loads(path.read_text())["name"] for path in self.top.glob("fresh/removed/??/*/result.json")]
        self.expect(removed == ["beta"], f"removed: {removed}")
        self.process("fresh", lines)
        self.process("fresh", lines, "--prune") # removes the readmes of the map that a copy replaced
        self.process("after", lines)
        kept = {path.parent.name for path in (self.top / "fresh").glob("??/*/result.json")}
        made = {path.parent.name for path in (self.top / "after").glob("??/*/result.json")}
        self.expect(len(kept - made) == 1 and made <= kept, "what lies in a broken archive did not stay")
        for identity in kept - made:
            shutil.rmtree(self.top / "fresh" / identity[:2] / identity)
        self.same("fresh", "after", "a pruned store")
        [beta] = (FIXTURES / "atrium" / SOURCES["beta"] / "maps").glob("*.bsp")
        shutil.copyfile(beta, self.top / "b" / "beta.bsp")
        (self.top / "b" / "beta.txt").write_text(told)
        said = self.process("fresh", self.lines("a", "b", "c"))
        self.expect(": 0 done" in said, f"what came back is made anew: {said}")
        self.expect(not list(self.top.glob("fresh/removed/??/*")), "what came back is still in removed/")
        run(self.program, "process", self.top / "fresh", "--prune", stdin=b"", status=1)
        run(self.program, "process", self.top / "fresh", "--prune", "--shard", "1/2", stdin=b"", status=2)

    def roots(self):
        """Stores have names of roots instead of paths, so the folders may be at other paths on other machines."""
        disk = self.top / "disk"
        disk.mkdir()
        for folder in LAYOUT:
            shutil.copytree(self.top / folder, disk / folder)
        shutil.copyfile(FIXTURES / "rejected" / "unknown-format_zip.bsp", disk / "a" / "bad.bsp")
        inner, outer = f"Inner={disk}/a", f"Outer={disk}"
        for first, second in ((inner, outer), (outer, inner)):
            found = run(self.program, "catalog", "--recursive", disk, "--root", first, "--root", second).splitlines()
            start = {json.loads(line)["path"].split("/")[0] for line in found}
            paths = [json.loads(line)["path"] for line in found]
            nested = [path for path in paths if path.startswith("Outer/a/")]
            self.expect(start == {"Inner", "Outer"} and not nested, f"the deepest root names a path: {paths}")
        root = f"Collection={disk}/"
        lines = run(self.program, "catalog", "--recursive", disk, "--root", root).decode().splitlines(keepends=True)
        bad = json.loads(next(line for line in lines if '"error"' in line))
        hostile = {"id": "0" * 64, "name": "bad", "path": bad["path"], "root": "Collection", "members": []}
        lines.append(json.dumps(hostile) + "\n")
        self.expect(bad["path"] == "Collection/a/bad.bsp" and str(disk) not in "".join(lines), f"catalog: {lines}")
        self.process("named", lines, "--root", root)
        disk.rename(self.top / "moved")
        self.process("moved_named", lines, "--root", f"Collection={self.top}/moved")
        self.same("named", "moved_named", "a collection that lies elsewhere")
        names = {one["status"] for one in results(self.top / "named")}
        self.expect(names == {"done", "quarantined"}, f"by roots: {names}")
        told = [name for name, data in self.kept("named").items() if str(self.top).encode() in data]
        self.expect(not told, f"folders of the disk are in {told}")
        run(self.program, "process", self.top / "unnamed", stdin="".join(lines).encode(), status=1)
        self.expect(not results(self.top / "unnamed"), "maps of a root that was not given were made")
        for store, more in (("named", []), ("fresh", []), ("fresh", ["--root", f"Here={self.top}"])):
            pages = self.top / "pages"
            run(self.program, "gallery", self.top / store, pages, *more)
            told = [name for name, data in content(pages).items() if str(self.top).encode() in data]
            self.expect(not told, f"the gallery of {store} {more} tells where the disk has it: {told}")
            paths = {json.loads(line)["path"] for line in (pages / "manifest.jsonl").read_text().splitlines()}
            start = "Collection/" if store == "named" else "Here/" if more else ""
            self.expect(all(path.startswith(start) and (start or "/" not in path) for path in paths), f"{paths}")
            shutil.rmtree(pages)

    def linked(self):
        """A root may be a link. Games are found by their real paths, which must not be published either."""
        shutil.copytree(FIXTURES / "atrium" / "goldsrc", self.top / "really" / "goldsrc")
        (self.top / "link").symlink_to(self.top / "really")
        root = f"Collection={self.top}/link"
        catalog = run(self.program, "catalog", "--recursive", self.top / "link", "--root", root)
        run(self.program, "process", self.top / "linked", "--steps", "info", "--root", root, stdin=catalog)
        files = content(self.top / "linked")
        told = [name for name, data in files.items() if str(self.top).encode() in data]
        infos = [json.loads(data) for name, data in files.items() if name.endswith("info.json")]
        places = {need.get("archive") for info in infos for need in info["needs"]}
        self.expect(not told and "Collection/goldsrc" in places, f"a linked root: {told}, {places}")


def main() -> int:
    program = arguments(__doc__).program
    if sys.platform == "win32":
        skip("process does not run there")
    with tempfile.TemporaryDirectory() as name:
        test = Test(program, Path(name))
        for part in (test.grown, test.bad_lines, test.pruned, test.roots, test.linked):
            part()
    print("\n".join(test.problems))
    return 1 if test.problems else 0


if __name__ == "__main__":
    sys.exit(main())
