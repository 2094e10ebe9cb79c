"""Tests that we read the same files from archives that vpkpp wrote. VPK of both versions are tested with preloaded
bytes, in the directory file and in numbered parts. Garry's Mod's archives are plain, or compressed by Python's lzma.
The other archives are Bloodlines' packs, zips, and a map's pakfile with LZMA. A map whose lumps bsppp has moved gives
the same scene.

Lumps compressed by bsppp 2026.9 cannot be tried: their header is 4 bytes too long and states a wrong size, and bsppp
itself does not read them. families.source_forms compresses with Python's lzma.

Usage: test_archives.py LIST_FILES BSPSCENE MAP
"""
import lzma
import random
import shutil
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

import peers

sourcepp = peers.load("sourcepp")
vpkpp, bsppp = sourcepp.vpkpp, sourcepp.bsppp

chance = random.Random(7)
# Contents of files by name, in several folders. Some sizes are near those of blocks and of preloaded bytes.
FILES = {name: chance.randbytes(size) for name, size in {
    "materials/brick/wall.vmt": 40, "materials/brick/wall.vtf": 3000, "root.txt": 100, "no_ending": 10,
    "sound/empty.wav": 0, "models/props/chair.mdl": 1024, "models/props/chair.vvd": 1025, "a/b/c/d/e/f.txt": 1,
    "scripts/two.dots.txt": 16384, "materials/large.vtf": 200000}.items()}
# The files for zips and Bloodlines' packs, into which vpkpp cannot write empty files.
FULL = {name: data for name, data in FILES.items() if data}
TEXT = {f"scripts/{number}.txt": f"the same again, {number}\n".encode() * 2000 for number in range(4)}


def listed(program, archive):
    """Lists the files that our reader finds. Returns checksum and size by name."""
    lines = subprocess.run([program, str(archive)], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    return {name: (int(checksum, 16), int(size)) for checksum, size, name in (line.split(" ", 2) for line in lines)}


def sums(files):
    return {name: (zlib.crc32(data), len(data)) for name, data in files.items()}


def fill(pack, files, **options):
    entry = vpkpp.EntryOptions()
    for name, value in options.items():
        setattr(entry, name, value)
    for name, data in files.items():
        assert pack.add_entry_from_mem(name, data, entry), name
    assert pack.bake()


def write_vpk(directory, version, preload, inside):
    path = directory / f"version{version}_dir.vpk"
    pack = vpkpp.VPK.create(str(path), version)
    pack.chunk_size = 4096
    # The archive is saved after every three files, so that later files are in further parts.
    names = list(FILES)
    for first in range(0, len(names), 3):
        fill(pack, {name: FILES[name] for name in names[first:first + 3]}, vpk_preload_bytes=preload,
             vpk_save_to_directory=inside)
    return path


def write_bloodlines(directory):
    pack = vpkpp.VPK_VTMB.create(str(directory / "pack010.vpk"))
    fill(pack, FULL)
    # vpkpp writes the files to further parts, so the first of these parts is empty.
    return sorted(directory.glob("pack*.vpk"))


def write_gma(directory):
    """Writes an empty archive, which vpkpp fills, and the same archive compressed."""
    path, packed = directory / "addon.gma", directory / "packed.gma"
    path.write_bytes(b"GMAD\3" + bytes(17) + b"name\0{}\0author\0" + bytes(4 + 4 + 4))
    fill(vpkpp.PackFile.open(str(path)), FILES)
    packed.write_bytes(lzma.compress(path.read_bytes(), format=lzma.FORMAT_ALONE))
    return path, packed


def write_zip(directory, method):
    path = directory / "files.zip"
    path.unlink(missing_ok=True)
    fill(vpkpp.ZIP.create(str(path)), {**FULL, **TEXT}, zip_compression_strength=5,
         zip_compression_type=getattr(vpkpp.EntryCompressionType, method))
    return path


def write_map(source, path):
    """Writes the map with every lump placed by bsppp."""
    shutil.copy(source, path)
    bsp = bsppp.BSP(str(source))
    for name, lump in bsppp.BSP.Lump.__members__.items():
        if name not in ("UNKNOWN", "GAME_LUMP", "PAKFILE") and bsp.has_lump(lump) and bsp.get_lump_data(lump):
            bsp.set_lump(lump, bsp.get_lump_version(lump), bytes(bsp.get_lump_data(lump)))
    assert bsp.bake(str(path))


def scene_of(bspscene, path):
    out = path.with_suffix(".glb")
    subprocess.run([bspscene, "convert", str(path), str(out), "--quiet", "--include", "all"], check=True)
    return out.read_bytes()


def check_map(bspscene, source, directory):
    """Returns problems with a map that was written again, and with files that were added to it."""
    same, moved = directory / "same", directory / "moved"
    for place in (same, moved):
        place.mkdir()
    shutil.copy(source, same / "map.bsp")
    write_map(source, moved / "map.bsp")
    if scene_of(bspscene, same / "map.bsp") != scene_of(bspscene, moved / "map.bsp"):
        yield "the map is another scene when bsppp has packed it again"
    for method in ("NO_COMPRESS", "DEFLATE", "LZMA"):
        path, out = directory / f"{method}.bsp", directory / method
        shutil.copy(source, path)
        fill(vpkpp.PackFile.open(str(path)), TEXT, zip_compression_type=getattr(vpkpp.EntryCompressionType, method),
             zip_compression_strength=5)
        subprocess.run([bspscene, "extract", str(path), str(out), "--quiet"], check=True, stdout=subprocess.DEVNULL)
        for name, data in TEXT.items():
            if not (out / name).is_file() or (out / name).read_bytes() != data:
                yield f"{name} is another file, packed into the map by {method}"


def differences(what, got, wanted):
    for name in sorted(got.keys() | wanted.keys()):
        if got.get(name) != wanted.get(name):
            yield f"{what}: {name} is {got.get(name)}, vpkpp wrote {wanted.get(name)}"


def check_all(list_files, bspscene, source, directory):
    for version in (1, 2):
        for preload in (0, 1, 1024):
            for inside in (False, True):
                place = directory / f"vpk{version}_{preload}_{inside}"
                place.mkdir()
                path = write_vpk(place, version, preload, inside)
                parts = len(list(place.glob("*_0*.vpk")))
                if (parts > 1) == inside:
                    yield f"{path.name} has {parts} parts"
                yield from differences(f"VPK {version}, {preload} bytes preloaded, {parts} parts",
                                       listed(list_files, path), sums(FILES))
    found = {}
    for pack in write_bloodlines(directory):
        found.update(listed(list_files, pack))
    yield from differences("Bloodlines' packs", found, sums(FULL))
    for path in write_gma(directory):
        yield from differences(path.name, listed(list_files, path), sums(FILES))
    for method in ("NO_COMPRESS", "DEFLATE", "LZMA"):
        path = write_zip(directory, method)
        yield from differences(f"zip by {method}", listed(list_files, path), sums({**FULL, **TEXT}))
    yield from check_map(bspscene, source, directory)


def main():
    list_files, bspscene, source = sys.argv[1:]
    with tempfile.TemporaryDirectory() as directory:
        problems = list(check_all(list_files, bspscene, Path(source), Path(directory)))
    for problem in problems[:40]:
        print(problem)
    print(f"{len(problems)} differences")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
