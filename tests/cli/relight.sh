# Light is written into a map. If no page was changed, the map has the same bytes. A face that was painted green is
# green in the new map and its picture, and nothing else changes. Pages of another map are refused, and nothing is
# written.
MAP=$ATRIUM/maps/atrium.bsp
bspscene bake "$MAP" atlas --every-style
bspscene relight "$MAP" atlas same.bsp | sed 's/.*\(nothing changed\)/\1/'
cmp "$MAP" same.bsp
bspscene relight "$MAP" atlas other.bsp --dry-run >/dev/null
[ ! -e other.bsp ]

python3 - <<'PYTHON' || exit $?
import json, os, shutil, struct, subprocess, sys
from pathlib import Path

sys.path.insert(0, os.environ["FIXTURES"] + "/../support")
from png_rows import read_png, write_png

MAP = os.environ["FIXTURES"] + "/atrium/quake3/maps/atrium.bsp"

def run(*arguments):
    return subprocess.run(["bspscene", *arguments], capture_output=True, text=True)

atlas = json.loads(Path("atlas/atlas.json").read_text())
width, height, rows = read_png("atlas/atlas_0.png")

# Pages that a tool has enlarged without interpolation give the same light.
shutil.copytree("atlas", "large")
write_png("large/atlas_0.png", 3 * width, 3 * height,
          [b"".join(bytes(row[3 * x:3 * x + 3]) * 3 for x in range(width)) for row in rows for _ in range(3)])
done = run("relight", MAP, "large", "large.bsp")
assert done.returncode == 0 and Path("large.bsp").read_bytes() == Path(MAP).read_bytes(), done

# Makes one face green.
faces = [f for f in atlas["faces"] if f["width"] * f["height"] > 150]
face = max(faces, key=lambda f: f["width"] * f["height"])
for y in range(face["y"], face["y"] + face["height"]):
    for x in range(face["x"], face["x"] + face["width"]):
        rows[y][3 * x:3 * x + 3] = bytes((0, 252, 0))
shutil.copytree("atlas", "green")
write_png("green/atlas_0.png", width, height, rows)
done = run("relight", MAP, "green", "green.bsp")
assert done.returncode == 0 and "luxels changed on" in done.stdout, done
old, new = Path(MAP).read_bytes(), Path("green.bsp").read_bytes()
place = face["source"][0]
lump = struct.unpack_from("<i", old, 8 + 14 * 8)[0]
inside = {lump + ((place["page"] * 128 + place["y"] + y) * 128 + place["x"] + x) * 3 + c
          for y in range(face["height"]) for x in range(face["width"]) for c in range(3)}
changed = {i for i, (a, b) in enumerate(zip(old, new)) if a != b}
assert len(old) == len(new) and changed and changed <= inside, len(changed - inside)
wrong = {bytes(new[i:i + 3]) for i in inside if (i - lump) % 3 == 0} - {b"\0\x3f\0"}
assert not wrong, wrong
bake = run("bake", "--every-style", "green.bsp", "again")
assert bake.returncode == 0, bake
again = read_png("again/atlas_0.png")[2]
inner = slice(3 * face["x"], 3 * (face["x"] + face["width"]))
assert all(again[y][inner] == rows[y][inner] for y in range(face["y"], face["y"] + face["height"]))

# Makes the light of vertices and of the light grid dark. Nothing else changes.
shutil.copytree("atlas", "dark")
for name in ("vertices", "grid_ambient"):
    side, height, points = read_png(f"dark/atlas_{name}.png")
    write_png(f"dark/atlas_{name}.png", side, height, [bytearray(len(row)) for row in points])
done = run("relight", MAP, "dark", "dark.bsp")
assert done.returncode == 0 and "vertices and points" in done.stdout and ": 0 luxels changed" in done.stdout, done
dark = Path("dark.bsp").read_bytes()
allowed = set()
for lump, record, at in ((10, 44, 40), (15, 8, 0)):
    start, size = struct.unpack_from("<2i", old, 8 + lump * 8)
    allowed |= {start + i + at + c for i in range(0, size, record) for c in range(3)}
assert {i for i, (a, b) in enumerate(zip(old, dark)) if a != b} <= allowed
assert not any(dark[i] for i in allowed)

# Pages that do not fit are refused in one line, and no map is written.
def refused(words, name="atlas", change=None, out="refused.bsp", source=MAP, status=1):
    shutil.rmtree("bad", ignore_errors=True)
    shutil.copytree(name, "bad")
    text = Path("bad/atlas.json").read_text()
    if callable(change):
        document = json.loads(text)
        change(document)
        text = json.dumps(document)
    Path("bad/atlas.json").write_text(change if isinstance(change, str) else text)
    result = run("relight", source, "bad", out)
    assert result.returncode == status and words in result.stderr and result.stderr.count("\n") == 1, (words, result)
    assert not Path("refused.bsp").exists()

def put(*path_and_value):
    def change(document):
        *path, last, value = path_and_value
        for part in path:
            document = document[part]
        document[last] = value
    return change

refused("x", change=put("faces", 0, "x", 1 << 20))
refused("rectangle", change=put("faces", 0, "y", 1 << 20))
refused("another map", change=put("source", "layout_hash", "0" * 16))
refused("has changed since it was baked", change=put("source", "light_hash", "0" * 16))
refused("but the map does not", change=put("lists", 0, "name", "leafs"))
refused("luxels in the atlas, but", change=put("lists", 0, "count", 7))
refused("too many", change=put("lists", [{}] * 99))
refused("version 3", change=put("version", 3))
refused("sums of light styles", change=put("merged_styles", {"0": 1}))
refused("is missing", change=put("sets", 0, "files", ["atlas_9.png"]))
refused("not the name of a file", change=put("sets", 0, "files", ["../atlas/atlas_0.png"]))
refused("luxels", change=put("faces", 0, "width", 1))
refused("face 99999", change=put("faces", 0, "face", 99999))
refused("not a whole number", change=put("faces", 0, "face", -1))
refused("not a whole number", change=put("faces", 0, "face", 1.5))
refused("pixels, but has to have", change=put("pages", 0, "width", 36))
refused("line 1", change="{")
refused("line", change="[" * 100000)
refused("is not an atlas", change="[]")
refused("line 1", change='{"version": 2, "version": 2}')
refused('light "ldr"', change=put("light", "ldr"))
refused("is the input", source="same.bsp", out="same.bsp", status=2)
refused("needs the ending", out="refused.txt", status=2)
Path("atlas/atlas_0.png").write_bytes(b"\x89PNG\r\n\x1a\n" + b"x" * 64)
refused("atlas_0.png")
assert Path("same.bsp").read_bytes() == old
PYTHON

# The picture shows the change.
bspscene render --quiet green.bsp green.png --size 96x72 --mode lightmap
bspscene render --quiet same.bsp same.png --size 96x72 --mode lightmap
! cmp -s green.png same.png

# A map with a .lit file: HDR pages change the colors, and a new .lit is written.
QUAKE=$FIXTURES/atrium/quake/maps/atrium.bsp
bspscene bake "$QUAKE" quake --every-style --lightmap-encoding raw
bspscene relight "$QUAKE" quake quake.bsp >/dev/null
cmp "$QUAKE" quake.bsp
cmp "$FIXTURES/atrium/quake/maps/atrium.lit" quake.lit
