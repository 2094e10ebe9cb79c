# The light of probes is a page with six luxels for each probe. If it is unchanged, the new map equals the old one. If
# it changes, only the map's light grid changes.
MAP=$ATRIUM/maps/atrium.bsp
for encoding in hdr display; do
	bspscene bake "$MAP" $encoding --every-style --light-probes --lightmap-encoding $encoding
	bspscene relight "$MAP" $encoding same.bsp --force | sed 's/.*nothing changed.*/nothing changed/'
	cmp "$MAP" same.bsp
done
expect 2 bspscene bake "$MAP" raw --light-probes --lightmap-encoding raw
python3 - <<'PYTHON'
import json, os, struct, zlib
atlas = json.load(open("display/atlas.json"))
probes, (found,) = atlas["probes"], [one for one in atlas["lists"] if one["name"] == "probes"]
assert found["count"] == 6 * len(probes) > 1000 and found["file"] == "atlas_probes.png"
assert all(len(probe) == 4 and probe[3] == 0 for probe in probes)
# Paints the page of light probes gray.
def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
width, height = found["width"], found["height"]
rows = (b"\0" + b"\x80" * 3 * width) * height
with open("display/atlas_probes.png", "wb") as out:
    out.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
              chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
PYTHON
bspscene relight "$MAP" display gray.bsp >/dev/null
python3 - <<'PYTHON'
import json, os, struct
old, new = (open(name, "rb").read() for name in (os.environ["FIXTURES"] + "/atrium/quake3/maps/atrium.bsp", "gray.bsp"))
at, size = struct.unpack_from("<2I", old, 8 + 8 * 15)
assert old[:at] == new[:at] and old[at + size:] == new[at + size:]
grid = [new[i:i + 8] for i in range(at, at + size, 8)]
# The map stores a quarter of the gray value 128, because the overbright factor is 4.
gray = sum(point[:6] == bytes((32, 32, 32, 0, 0, 0)) for point in grid)
print(gray == len(json.load(open("display/atlas.json"))["probes"]))
PYTHON
