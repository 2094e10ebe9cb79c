# `diff` compares a map with itself, and with copies in which only the light, only entities or only one face changed.
# A moved entity counts as one change.
bspscene diff "$ATRIUM/maps/atrium.bsp" "$ATRIUM/maps/atrium.bsp"
python3 - <<'PYTHON'
import os, struct
data = open(os.environ["FIXTURES"] + "/atrium/quake3/maps/atrium.bsp", "rb").read()
def changed(name, lump, change, source=data):
    copy = bytearray(source)
    offset, size = struct.unpack_from("<ii", copy, 8 + 8 * lump)
    copy[offset:offset + size] = change(copy[offset:offset + size])
    open(name, "wb").write(copy)
def move(vertices):
    struct.pack_into("<f", vertices, 0, struct.unpack_from("<f", vertices)[0] + 8)
    return vertices
changed("light.bsp", 14, lambda luxels: bytes(luxel // 2 for luxel in luxels))
changed("entities.bsp", 0, lambda text: text.replace(b'"wait" "2"', b'"wait" "7"').replace(b"func_door", b"func_gate"))
changed("carried.bsp", 0, lambda text: text.replace(b'"-448 -448 128"', b'"-416 -448 064"')
        .replace(b'"-64 256 32"', b'"-64 160 32"'))
changed("moved.bsp", 10, move)
changed("compiled.bsp", 0, lambda text: text.replace(b'"*1"', b'"*0"').replace(b'"*3"', b'"*1"')
        .replace(b'"*0"', b'"*3"').replace(b'"*2"', b'"of"')
        .replace(b'"target" "door1"\n"wait" "2"\n"model" "*1"', b'"model" "*1"\n"wait" "7"\n"target" "door1"'),
        open("moved.bsp", "rb").read())
PYTHON
for other in light entities carried moved; do
	echo "$other:"
	bspscene diff "$ATRIUM/maps/atrium.bsp" $other.bsp --game "$ATRIUM" --quiet
done
# If a map is compiled again, its brush models get other numbers. `diff` only counts them. A brush model that was
# replaced by a model file is shown.
for sides in "$ATRIUM/maps/atrium.bsp compiled.bsp" "compiled.bsp $ATRIUM/maps/atrium.bsp"; do
	# shellcheck disable=SC2086
	bspscene diff $sides --game "$ATRIUM" --quiet | sed 1,5d
done
bspscene diff "$ATRIUM/maps/atrium.bsp" light.bsp --quiet --json |
	python3 -c 'import json, sys; print(json.load(sys.stdin)["same"])'
bspscene diff "$ATRIUM/maps/atrium.bsp" carried.bsp --quiet --json |
	python3 -c 'import json, sys; print([change["moved"] for change in json.load(sys.stdin)["entities"]["changed"]])'
bspscene diff "$ATRIUM/maps/atrium.bsp" light.bsp --quiet --json |
	python3 -c 'import json, sys; print(json.load(sys.stdin)["light"])'
expect 1 bspscene diff "$ATRIUM/maps/atrium.bsp" absent.bsp
# In the picture, the left column shows the first map and the middle one the second. The right column is gray where the
# two agree. The lower row is a view of the difference, which is one face of 219.
expect 2 bspscene diff "$ATRIUM/maps/atrium.bsp" light.bsp --picture no.jpg
for other in "$ATRIUM/maps/atrium.bsp" light.bsp moved.bsp; do
	if ! bspscene diff "$ATRIUM/maps/atrium.bsp" "$other" --game "$ATRIUM" --quiet --picture diff.png --size 64x48 \
		>/dev/null 2>message; then
		grep -q "needs Embree" message
		exit 77
	fi
	PYTHONPATH="$FIXTURES/../support" python3 - <<'PYTHON'
import png_rows
width, height, rows = png_rows.read_png("diff.png")
def pixels(column, line):
    return [bytes(rows[y][3 * x:3 * x + 3]) for y in line for x in range(68 * column, 68 * column + 64)]
for line in (range(48), range(52, 100)):
    one, other, marks = (pixels(column, line) for column in range(3))
    near = [max(abs(x - y) for x, y in zip(a, b)) <= 8 for a, b in zip(one, other)]
    gray = [mark[0] == mark[1] == mark[2] for mark in marks]
    assert near == gray
    changed = gray.count(False) / len(gray)
    print(f"{width}x{height}", "nothing" if not changed else "little" if changed < 0.3 else "much")
PYTHON
done
expect 2 bspscene diff "$ATRIUM/maps/atrium.bsp"
