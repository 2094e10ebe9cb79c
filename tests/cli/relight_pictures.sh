# Light may be in pictures next to the map. If the light of a picture is unchanged, the picture is copied. If it
# changes, everything else in the picture stays.
EXTERNAL=$ATRIUM/maps/atrium_external
bspscene bake "$EXTERNAL.bsp" atlas --every-style
bspscene relight "$EXTERNAL.bsp" atlas plain.bsp >/dev/null
cmp "$EXTERNAL.bsp" plain.bsp
cmp "$EXTERNAL/lm_0000.tga" plain/lm_0000.tga
# An atlas may be packed, too. Builds without libarchive refuse it in words.
python3 -c 'import shutil; shutil.make_archive("atlas", "tar", "atlas")'
if bspscene relight "$EXTERNAL.bsp" atlas.tar packed.bsp >/dev/null 2>packed.txt; then
	cmp "$EXTERNAL.bsp" packed.bsp
else
	grep -q libarchive packed.txt || cat packed.txt >&2
fi
python3 - "$EXTERNAL" <<'PYTHON' || exit $?
import json, os, shutil, subprocess, sys
from pathlib import Path

sys.path.insert(0, os.environ["FIXTURES"] + "/../support")
from png_rows import read_png, write_png

found = Path(sys.argv[1])
face = max(json.loads(Path("atlas/atlas.json").read_text())["faces"], key=lambda f: f["width"] * f["height"])
place = face["source"][0]
before = (found / "lm_0000.tga").read_bytes()
side, height = (int.from_bytes(before[at:at + 2], "little") for at in (12, 14))
assert before[2] == 2 and before[16] == 24

def offset_of(x, y):
    """Of a luxel in the picture, rows counted from the top."""
    return 18 + before[0] + ((y if before[17] & 32 else height - 1 - y) * side + x) * 3

def relight(source, atlas, out):
    done = subprocess.run(["bspscene", "relight", source, atlas, out], capture_output=True, text=True)
    assert done.returncode == 0, done
    return [path.name for path in Path(out).with_suffix("").iterdir()]

# Makes one face black.
shutil.copytree("atlas", "black")
width, rows_of_page, rows = read_png("black/atlas_0.png")
for y in range(face["y"], face["y"] + face["height"]):
    rows[y][3 * face["x"]:3 * (face["x"] + face["width"])] = bytes(3 * face["width"])
write_png("black/atlas_0.png", width, rows_of_page, rows)
assert relight(f"{found}.bsp", "black", "painted.bsp") == ["lm_0000.tga"]
assert Path("painted.bsp").read_bytes() == Path(f"{found}.bsp").read_bytes()
after = Path("painted/lm_0000.tga").read_bytes()
inside = {offset_of(place["x"] + x, place["y"] + y) + c
          for y in range(face["height"]) for x in range(face["width"]) for c in range(3)}
changed = {i for i, (a, b) in enumerate(zip(before, after)) if a != b}
assert len(before) == len(after) and changed and changed <= inside and not any(after[i] for i in inside), len(changed)

# If the light of a picture is unchanged, the picture is copied even if it is not a plain TGA. If the light changes, a
# TGA replaces it.
Path("maps/other").mkdir(parents=True)
shutil.copy(f"{found}.bsp", "maps/other.bsp")
write_png("maps/other/lm_0000.png", side, height,
          [b"".join(before[offset_of(x, y):offset_of(x, y) + 3][::-1] for x in range(side)) for y in range(height)])
assert relight("maps/other.bsp", "atlas", "same.bsp") == ["lm_0000.png"]
assert Path("same/lm_0000.png").read_bytes() == Path("maps/other/lm_0000.png").read_bytes()
assert relight("maps/other.bsp", "black", "maps/new.bsp") == ["lm_0000.tga"]
subprocess.run(["bspscene", "bake", "--quiet", "--every-style", "maps/new.bsp", "again"], check=True)
again = read_png("again/atlas_0.png")[2]
inner = slice(3 * face["x"], 3 * (face["x"] + face["width"]))
assert all(not any(again[y][inner]) for y in range(face["y"], face["y"] + face["height"]))

# Pictures that shaders name keep their names. They are written only if they changed, and never replace the pictures
# that are read.
shutil.copytree(found.parent.parent, "game")
subprocess.run(["bspscene", "bake", "--quiet", "--every-style", "game/maps/atrium_styles.bsp", "styles"], check=True)
sets = json.loads(Path("styles/atlas.json").read_text())["sets"]
for name in next(s for s in sets if s["style"] == 1)["files"]:
    width, height, rows = read_png(f"styles/{name}")
    write_png(f"styles/{name}", width, height, [bytes(len(row)) for row in rows])
Path("moved/maps").mkdir(parents=True)
done = subprocess.run(["bspscene", "relight", "game/maps/atrium_styles.bsp", "styles", "moved/maps/atrium_styles.bsp"],
                      capture_output=True, text=True)
assert done.returncode == 0, done
written = {path.name for path in Path("moved/maps/atrium_styles").iterdir()}
assert written == {"lm_0001.tga"}, written
before, after = (Path(f"{top}/maps/atrium_styles/lm_0001.tga").read_bytes() for top in ("game", "moved"))
assert len(before) == len(after) and before != after and not any(b for a, b in zip(before, after) if a != b)
words = ["bspscene", "relight", "game/maps/atrium_styles.bsp", "styles", "game/maps/new.bsp"]
done = subprocess.run(words, capture_output=True, text=True)
assert done.returncode == 1 and "lm_0001.tga: not written: it is the input" in done.stderr, done
assert not Path("game/maps/new.bsp").exists()
assert Path("game/maps/atrium_styles/lm_0001.tga").read_bytes() == before
PYTHON
