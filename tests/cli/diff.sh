# What differs between two maps: light alone, entities alone, faces; and nothing.
bspscene diff "$ATRIUM/maps/atrium.bsp" "$ATRIUM/maps/atrium.bsp"
python3 - <<'PYTHON'
import os, struct
data = open(os.environ["FIXTURES"] + "/atrium/quake3/maps/atrium.bsp", "rb").read()
def changed(name, lump, change):
    copy = bytearray(data)
    offset, size = struct.unpack_from("<ii", copy, 8 + 8 * lump)
    copy[offset:offset + size] = change(copy[offset:offset + size])
    open(name, "wb").write(copy)
def move(vertices):
    struct.pack_into("<f", vertices, 0, struct.unpack_from("<f", vertices)[0] + 8)
    return vertices
changed("light.bsp", 14, lambda luxels: bytes(luxel // 2 for luxel in luxels))
changed("entities.bsp", 0, lambda text: text.replace(b'"wait" "2"', b'"wait" "7"').replace(b"func_door", b"func_gate"))
changed("moved.bsp", 10, move)
PYTHON
for other in light entities moved; do
	echo "$other:"
	bspscene diff "$ATRIUM/maps/atrium.bsp" $other.bsp --game "$ATRIUM" --quiet
done
bspscene diff "$ATRIUM/maps/atrium.bsp" light.bsp --quiet --json |
	python3 -c 'import json, sys; print(json.load(sys.stdin)["same"])'
expect 1 bspscene diff "$ATRIUM/maps/atrium.bsp" absent.bsp
expect 2 bspscene diff "$ATRIUM/maps/atrium.bsp"
