# The atlas: pages and atlas.json, which names them; OUTDIR is made.
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
: >file
expect 1 bspscene bake "$ATRIUM/maps/atrium.bsp" file
expect 1 bspscene bake "$ATRIUM/maps/atrium.bsp" file/below
[ ! -s file ]
