# A .lit file with the name of the new map may already exist. It is not used as the new map's light, and is replaced
# only with --force. A warning names files that the game will not find under the new name. Missing files other than
# light are not mentioned.
mkdir game game/maps
cp "$FIXTURES/atrium/quake/maps/atrium.bsp" game/maps/
echo bots >game/maps/atrium.aas
bspscene bake game/maps/atrium.bsp gray --every-style
cp -r gray red
python3 - <<'PYTHON' || exit $?
import os, sys
from pathlib import Path

sys.path.insert(0, os.environ["FIXTURES"] + "/../support")
from png_rows import read_png, write_png

for page in Path("red").glob("*.png"):
    width, height, rows = read_png(page)
    step = len(rows[0]) // width
    write_png(page, width, height,
              [b"".join(bytes((min(255, row[i] + 60), row[i] // 2, row[i] // 2))
                        for i in range(0, len(row), step)) for row in rows])
PYTHON
bspscene relight game/maps/atrium.bsp red game/maps/new.bsp >/dev/null
head -c 4 game/maps/new.lit
echo
expect 1 bspscene relight game/maps/atrium.bsp gray game/maps/new.bsp
cp game/maps/new.lit kept.lit
bspscene relight game/maps/atrium.bsp gray game/maps/new.bsp --force | sed 's/.*\(nothing changed\).*/\1/'
[ ! -e game/maps/new.lit ] || echo "the red .lit is still there"
cmp game/maps/atrium.bsp game/maps/new.bsp
cp kept.lit game/maps/other.lit
expect 1 bspscene relight game/maps/atrium.bsp gray game/maps/other.bsp
cmp kept.lit game/maps/other.lit
[ ! -e game/maps/other.bsp ] || echo "written beside colors of another map"
ln -s ../../kept.lit game/maps/linked.lit
expect 1 bspscene relight game/maps/atrium.bsp gray game/maps/linked.bsp
[ ! -e game/maps/linked.bsp ] || echo "written beside a link to colors of another map"
cp "$FIXTURES/atrium/qfusion/maps/atrium_unlit.bsp" .
bspscene bake atrium_unlit.bsp unlit
bspscene diff atrium_unlit.bsp atrium_unlit.bsp
