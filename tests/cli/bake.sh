# `bake` makes OUTDIR, writes the pages of the atlas, and atlas.json, which names them.
bspscene bake "$ATRIUM/maps/atrium.bsp" deep/atlas
ls -A deep/atlas
python3 - <<'PYTHON'
import json, os
atlas = json.load(open("deep/atlas/atlas.json"))
text = json.dumps(atlas)
for name in os.listdir("deep/atlas"):
    assert name == "atlas.json" or name in text, name
PYTHON
bspscene bake "$ATRIUM/maps/atrium.bsp" raw --lightmap-encoding raw
ls -A raw
# All light styles are added up into one set of pages, unless an option requests a set for each.
python3 - <<'PYTHON'
import json, os, subprocess
MAP = os.environ["FIXTURES"] + "/atrium/quake3/maps/atrium_styles.bsp"
def sets(name, *options):
    subprocess.check_call(["bspscene", "bake", *options, MAP, name])
    return [(s["kind"], s["style"]) for s in json.load(open(name + "/atlas.json"))["sets"]]
assert len(sets("styles", "--every-style")) > 1
assert len(sets("bytes", "--lightmap-encoding", "raw")) > 1
assert sets("start") == [("light", 0)]
assert sets("sum", "--lightstyle", "0=0.5") == [("light", 0)]
assert sets("same", "--lightstyle", "0=1", "--lightmap-encoding", "hdr") == [("light", 0)]
dark, lit = (os.path.getsize(n + "/atlas_0.png") for n in ("sum", "styles"))
assert sets("off", "--lightstyle", "0=0", "--lightstyle", "1=0", "--lightstyle", "32=0") == [("light", 0)]
assert os.path.getsize("off/atlas_0.png") < min(dark, lit) / 4   # the page is black, which compresses well
PYTHON
expect 2 bspscene bake "$ATRIUM/maps/atrium.bsp" raw --lightmap-encoding raw --lightstyle 0=1
expect 2 bspscene bake "$ATRIUM/maps/atrium.bsp" raw --every-style --lightstyle 0=1
: >file
expect 1 bspscene bake "$ATRIUM/maps/atrium.bsp" file
expect 1 bspscene bake "$ATRIUM/maps/atrium.bsp" file/below
[ ! -s file ]
# Writes pages in formats for old tools, and HDR pages if the build lacks OpenEXR. `relight` reads the pages for old
# tools.
bspscene bake "$ATRIUM/maps/atrium.bsp" tga --picture-format tga --every-style
ls -A tga
bspscene bake "$ATRIUM/maps/atrium.bsp" bmp --picture-format bmp --every-style
ls -A bmp
for kind in tga bmp; do
	bspscene relight "$ATRIUM/maps/atrium.bsp" $kind $kind.bsp
	cmp "$ATRIUM/maps/atrium.bsp" $kind.bsp
done
bspscene bake "$ATRIUM/maps/atrium.bsp" hdr --lightmap-encoding hdr --hdr-format hdr --every-style
ls -A hdr
[ "$(head -c 10 hdr/atlas_0.hdr)" = '#?RADIANCE' ]
expect 1 bspscene relight "$ATRIUM/maps/atrium.bsp" hdr hdr.bsp
expect 2 bspscene bake "$ATRIUM/maps/atrium.bsp" gif --picture-format gif
