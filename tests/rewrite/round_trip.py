#!/usr/bin/env python3
"""Rewrites the entities of real maps. Unchanged entities give the same bytes, and so does a change that is reversed. An
independent reader checks that a change affects nothing else, for ten changes of each of ten maps.

round_trip.py PATH/TO/bspscene [--every N | --fixtures]; exit code 77: skipped, with the reason.
"""
from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from map_lumps import Unread, read_entities, read_lumps, write_entities  # noqa: E402
from real_maps import find_folder, find_maps, find_packed  # noqa: E402

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
DAMAGED = FIXTURES / "rejected"
PADDING = 3
Entities = list[list[tuple[bytes, bytes]]]


def run(*arguments: object) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([str(argument) for argument in arguments], capture_output=True)


class Unwritten(Exception):
    """Raised if the format can only be read: its directory has no offsets, or it is big-endian."""


class Map:
    def __init__(self, bspscene: str, folder: Path, source: Path, name: str) -> None:
        self.label = f"{source.name}:{name}" if name else str(source)
        self.bspscene, self.folder, self.path = bspscene, folder, folder / "map.bsp"
        if name:
            with zipfile.ZipFile(source) as archive:
                self.path.write_bytes(archive.read(name))
        else:
            self.path.write_bytes(source.read_bytes())
        self.bytes = self.path.read_bytes()

    def rewrite(self, text: bytes, source: Path | None = None, out: str = "out.bsp") -> bytes:
        (self.folder / "new.ent").write_bytes(text)
        done = run(self.bspscene, "rewrite", source or self.path, self.folder / out, "--entities",
                   self.folder / "new.ent", "--force", "--quiet")
        if b"writing entities into maps of this format is not supported" in done.stderr or \
                b"the map's entities lie in files next to it" in done.stderr:
            raise Unwritten(self.label)
        if done.returncode:
            raise AssertionError(f"{self.label}: {done.stderr.decode()}")
        self.said = done.stdout.decode()
        return (self.folder / out).read_bytes()


def check_same(one: Map) -> None:
    for form in ((), ("--json",)):
        printed = run(one.bspscene, "entities", one.path, "--quiet", *form)
        assert printed.returncode == 0, (one.label, printed.stderr)
        assert one.rewrite(printed.stdout) == one.bytes, f"{one.label}: other bytes from {form or 'text'}"


def other_lumps(data: bytes) -> dict[str, bytes]:
    lumps = read_lumps(data)
    lumps.pop("entities", None)
    return lumps


def is_plain(text: bytes, entities: Entities) -> bool:
    """True if this reader and engines parse the entities alike: complete quotes, no escapes, only ASCII."""
    plain = all(byte < 128 for byte in text) and text.count(b'"') % 2 == 0 and text.count(b"{") == text.count(b"}")
    return plain and bool(entities) and all(key.strip() == key and key and b'"' not in value and b"\n}" not in value
                                            for entity in entities for key, value in entity)


def check_back(one: Map, entities: Entities) -> None:
    """Writes a longer value, reads it with the independent reader, and writes the old one again."""
    changed = [list(entity) for entity in entities]
    changed[0].append((b"bspscene_test", b"x" * 301))
    longer = one.rewrite(write_entities(changed))
    lumps = read_lumps(longer)
    assert read_entities(lumps.pop("entities")) == changed, one.label
    assert lumps == other_lumps(one.bytes), f"{one.label}: another lump changed"
    if b"LZMA" not in one.bytes[:4096]:
        back = one.rewrite(write_entities(entities), one.folder / "out.bsp", "back.bsp")
        end = one.bytes.find(read_lumps(one.bytes)["entities"]) + len(read_lumps(one.bytes)["entities"])
        padding = slice(end, end + PADDING)   # not compared, because some compilers leave random bytes there
        assert len(back) == len(one.bytes) and back[:end] == one.bytes[:end], f"{one.label}: not the map any more"
        assert back[padding.stop:] == one.bytes[padding.stop:], f"{one.label}: not the map any more, behind the text"


def check_ten(one: Map, wanted: Entities) -> None:
    lumps = read_lumps(one.rewrite(write_entities(wanted)))
    seen = read_entities(lumps.pop("entities"))
    assert [sorted(e) for e in seen] == [sorted(e) for e in wanted], f"{one.label}: not the ten changes"
    assert lumps == other_lumps(one.bytes), f"{one.label}: another lump changed"


def ten_changes(entities: Entities, dice: random.Random) -> Entities:
    new = [list(entity) for entity in entities]

    def pick(least: int = 1) -> int:
        return dice.choice([i for i in range(1, len(new)) if len(new[i]) >= least])

    def put(entity: int, key: bytes, value: bytes) -> None:
        at = next((i for i, (name, _) in enumerate(new[entity]) if name == key), None)
        if at is None:
            new[entity].append((key, value))
        else:
            new[entity][at] = (key, value)

    put(pick(), b"origin", b"1 2 3.5")
    put(pick(), b"angle", b"135")
    put(pick(), b"angles", b"0 90 0")
    put(pick(), b"light", b"512")
    put(pick(), b"targetname", b"bspscene of a length that no map has")
    put(0, b"message", b"Rewritten; // no comment { }")
    last = pick(2)
    del new[last][-1]
    del new[pick()]
    new.append([*new[pick()], (b"origin2", b"64 64 64")])
    new.append([(b"classname", b"info_null"), (b"origin", b"-8 -8 -8")])
    return new


class Tried:
    """Counts maps that stayed equal, that were equal after a change and its reversal, and that had ten changes."""

    def __init__(self, bspscene: str) -> None:
        self.bspscene = bspscene
        self.same = self.back = self.ten = self.unwritten = self.refused = 0
        self._families: set[bytes] = set()

    def map(self, source: Path, name: str, number: int) -> None:
        with tempfile.TemporaryDirectory() as folder:
            one = Map(self.bspscene, Path(folder), source, name)
            if run(one.bspscene, "info", one.path, "--quiet").returncode:
                self.refused += 1   # these are always refused: big-endian maps, or ones damaged on purpose
                return
            check_same(one)
            self.same += 1
            if DAMAGED in source.parents:
                return   # the library repairs some things that the other reader accepts
            try:
                text = read_lumps(one.bytes).get("entities", b"")
            except Unread as why:
                print(f"{one.label}: not known to the other reader: {why}")
                return
            entities = read_entities(text)
            if not is_plain(text, entities):
                return
            try:
                check_back(one, entities)
            except Unwritten:
                self.unwritten += 1
                return
            self.back += 1
            if len(entities) >= 12 and (len(self._families) < 10 or one.bytes[:8] not in self._families):
                self._families.add(one.bytes[:8])
                check_ten(one, ten_changes(entities, random.Random(number)))
                self.ten += 1


def real_maps() -> list[tuple[Path, str]]:
    tiles = find_folder("BSPSCENE_UFOAI")
    return find_maps() + (list(find_packed(tiles)) if tiles else [])


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("bspscene")
    parser.add_argument("--every", type=int, default=1, help="of the real maps only every so many")
    parser.add_argument("--fixtures", action="store_true", help="no real maps, but all fixtures, damaged ones too")
    arguments = parser.parse_args()
    fixtures = [(path, "") for path in sorted(FIXTURES.rglob("*.bsp"))]
    sound = [(path, name) for path, name in fixtures if DAMAGED not in path.parents]
    tried = Tried(arguments.bspscene)
    maps = fixtures if arguments.fixtures else sound + real_maps()[::arguments.every]
    for number, (source, name) in enumerate(maps):
        tried.map(source, name, number)
    print(f"{tried.same} maps are the same with their own entities, {tried.back} after a change and back; "
          f"ten changes of {tried.ten} maps; {tried.unwritten} are of formats that are only read, "
          f"{tried.refused} are refused anyway")
    assert tried.same and tried.back and tried.ten >= 10
    assert not arguments.fixtures or tried.back + tried.unwritten == len(sound), "a sound fixture is not read"
    return 0


if __name__ == "__main__":
    sys.exit(main())
