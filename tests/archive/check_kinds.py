#!/usr/bin/env python3
"""Promise: 7z, RAR and tar are read like zip: all commands find the same maps, also if archives are nested, and a map
gives the same GLB. Archives that are truncated, unpack to too much, or have names that lead out give a line with an
error. A build without libarchive names the archives that it leaves out."""
import bz2
import gzip
import hashlib
import io
import json
import lzma
import sys
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

from common import FIXTURES, SOURCE, arguments, run, skip

GAME = FIXTURES / "atrium" / "quake3"
MAP = GAME / "maps" / "atrium.bsp"
BOMB = 100 << 20
LEFT_OUT = "1 file is left out: the name has control characters, is too long or leads out of the archive"
CLEAN = ("one.rar", "inner.tar.gz", "maps.bsp.xz", "iwds")    # archives in which no name leads out of the archive
PACKED: dict[str, Callable[[bytes], bytes]] = {"": bytes, "gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}


def tar(packing: str, files: dict[str, bytes]) -> bytes:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as opened:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            opened.addfile(entry, io.BytesIO(content))
        link = tarfile.TarInfo("maps/link.bsp")
        link.type, link.linkname = tarfile.SYMTYPE, str(MAP)
        opened.addfile(link)
    return PACKED[packing](data.getvalue())


def rar(name: str, content: bytes) -> bytes:
    """Makes a RAR 2.9 archive with one stored file."""
    def block(kind: int, flags: int, rest: bytes) -> bytes:
        head = bytes([kind]) + flags.to_bytes(2, "little") + (7 + len(rest)).to_bytes(2, "little") + rest
        return (zlib.crc32(head) & 0xffff).to_bytes(2, "little") + head

    size = len(content).to_bytes(4, "little")
    file = size + size + b"\x03" + zlib.crc32(content).to_bytes(4, "little") + bytes(4) + b"\x14\x30"
    file += len(name).to_bytes(2, "little") + (0o100644).to_bytes(4, "little") + name.encode()
    return b"Rar!\x1a\x07\0" + block(0x73, 0, bytes(6)) + block(0x74, 0x8000, file) + content + block(0x7b, 0x4000, b"")


def catalog(program: Path, *paths: Path) -> list[dict]:
    return [json.loads(line) for line in run(program, "catalog", *paths).splitlines()]


def make(top: Path) -> list[str]:
    """Makes the archives of this test. Returns those that contain the map."""
    data, game = MAP.read_bytes(), {path.relative_to(GAME).as_posix(): path.read_bytes()
                                    for path in sorted(GAME.rglob("*")) if path.is_file()}
    one = {"maps/atrium.bsp": data, "../../escapes.bsp": data[:99], "maps/atrium.lit": b"no light"}
    for ending, packing in (("tar", ""), ("tar.gz", "gz"), ("tar.bz2", "bz2"), ("tar.xz", "xz"), ("txz", "xz")):
        (top / f"one.{ending}").write_bytes(tar(packing, one))
    (top / "game.tar.gz").write_bytes(tar("gz", game))
    with zipfile.ZipFile(top / "game.zip", "w") as opened:
        for name, content in game.items():
            opened.writestr(name, content)
    # Marks the archive as encrypted, by bit 0 of the flags in both headers of a file.
    locked = bytearray((top / "game.zip").read_bytes())
    for mark, at in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        place = locked.find(mark)
        while place >= 0:
            locked[place + at] |= 1
            place = locked.find(mark, place + 4)
    (top / "locked.zip").write_bytes(locked)
    (top / "iwds").mkdir()
    with zipfile.ZipFile(top / "iwds/one.iwd", "w") as opened:
        opened.writestr("maps/atrium.bsp", data)
    (top / "one.rar").write_bytes(rar("maps\\atrium.bsp", data))
    (top / "inner.tar.gz").write_bytes(tar("gz", {"a.rar": (top / "one.rar").read_bytes()}))
    with zipfile.ZipFile(top / "inner.zip", "w") as opened:
        opened.writestr("a.tar.xz", tar("xz", one))
    (top / "maps.bsp.xz").write_bytes(lzma.compress(data))
    (top / "cut.tar.gz").write_bytes(tar("gz", one)[:30000])
    (top / "cut.rar").write_bytes(rar("maps\\atrium.bsp", data)[:30000])
    (top / "bomb.tar.xz").write_bytes(tar("xz", {"maps/atrium.bsp": bytes(BOMB)}))
    (top / "bomb.bsp.xz").write_bytes(lzma.compress(bytes(BOMB)))
    (top / "text.tgz").write_bytes(gzip.compress(b"no archive"))
    return [f"one.{ending}" for ending in ("tar", "tar.gz", "tar.bz2", "tar.xz", "txz", "rar")] + [
        "inner.tar.gz", "inner.zip", "maps.bsp.xz"]


def check_lines(program: Path, top: Path, whole: list[str], problems: list[str]):
    digest = hashlib.sha256(MAP.read_bytes()).hexdigest()
    for name in [*whole, "iwds"]:
        found = [line.get("id", line.get("error")) for line in catalog(program, top / name)]
        left_out = [] if name in CLEAN else [LEFT_OUT]
        if found != [*left_out, digest]:
            problems.append(f"{name}: {found}")
    for name, words in {"cut.tar.gz": "cannot be read as an archive", "cut.rar": "cannot be read as an archive",
                        "bomb.tar.xz": "MiB: unpack it to a folder", "bomb.bsp.xz": "more than any map has",
                        "text.tgz": "(tar) are not read"}.items():
        errors = [line.get("error", "read") for line in catalog(program, top / name)]
        if len(errors) != 1 or words not in errors[0]:
            problems.append(f"{name}: {errors}")
    errors = [line.get("error", "read") for line in catalog(program, top / "locked.zip")]
    if not errors or set(errors) != {"is encrypted"}:
        problems.append(f"locked.zip: {errors}")


def glb(program: Path, source: Path, out: Path) -> bytes:
    run(program, "convert", source, out, "--map", "atrium", "--quiet")
    return out.read_bytes()


def check_commands(program: Path, top: Path, problems: list[str]):
    of_zip, of_tar = (run(program, "list", top / f"game.{ending}") for ending in ("zip", "tar.gz"))
    if of_tar != of_zip or b"atrium_deluxe\n" not in of_tar:
        problems.append(f"list: {of_tar!r}")
    if b"Quake III Arena" not in run(program, "info", top / "game.tar.gz", "--map", "atrium"):
        problems.append("info says something else")
    if glb(program, top / "game.tar.gz", top / "tar.glb") != glb(program, top / "game.zip", top / "zip.glb"):
        problems.append("convert: another GLB than out of a zip")
    seven = SOURCE / "tests" / "fuzz" / "archives" / "corpus" / "maps.7z"
    if run(program, "list", seven) != b"one\ntwo\n":
        problems.append("7z: other maps")


def check_process(program: Path, top: Path, problems: list[str]):
    stores = []
    for ending in ("zip", "tar.gz"):
        lines = top / f"{ending}.jsonl"
        lines.write_bytes(run(program, "catalog", top / f"game.{ending}"))
        store = top / f"store.{ending}"
        run(program, "process", store, "--catalog", lines, "--steps", "entities,glb", "--quiet")
        stores.append({str(path.relative_to(store)): path.read_bytes() for path in store.rglob("*")
                       if path.name in ("map.glb", "entities.json")})
    if stores[0] != stores[1] or len(stores[0]) < 10:
        problems.append(f"process: {len(stores[0])} and {len(stores[1])} files, or others")


def main() -> int:
    program = arguments(__doc__).program
    problems: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        top = Path(name)
        whole = make(top)
        line = catalog(program, top / "one.rar")[0]
        if "(RAR) are not read" in line.get("error", ""):
            skip("this build has no libarchive, and says what it leaves out")
        check_lines(program, top, whole, problems)
        check_commands(program, top, problems)
        if sys.platform != "win32":
            check_process(program, top, problems)
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
