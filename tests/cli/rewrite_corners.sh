# Corners of faces are written into a map, with or without entities: only their bytes change. Errors are reported.
MAP=$ATRIUM/maps/atrium.bsp
python3 - <<'PYTHON'
import json, os, struct
old = open(os.environ["FIXTURES"] + "/atrium/quake3/maps/atrium.bsp", "rb").read()
at, size = struct.unpack_from("<2I", old, 8 + 8 * 13)
face = next(i for i in range(size // 104) if struct.unpack_from("<I", old, at + 104 * i + 8) == (1,))
first, count = struct.unpack_from("<2I", old, at + 104 * face + 12)
corners = [{"face": face, "corner": n, "uv": [0.25 * n, 0.5]} for n in range(count)]
json.dump({"corners": corners}, open("new.json", "w"))
json.dump({"corners": corners, "first": first}, open("known.json", "w"))
PYTHON
bspscene rewrite "$MAP" new.bsp --corners new.json --dry-run | sed 's/^.*atrium.bsp/atrium.bsp/'
[ ! -e new.bsp ]
bspscene rewrite "$MAP" new.bsp --corners new.json >/dev/null
python3 - <<'PYTHON'
import json, os, struct
old, new = (open(name, "rb").read() for name in (os.environ["FIXTURES"] + "/atrium/quake3/maps/atrium.bsp", "new.bsp"))
known = json.load(open("known.json"))
at = struct.unpack_from("<I", old, 8 + 8 * 10)[0] + 44 * known["first"]
wanted = bytearray(old)
for corner in known["corners"]:
    struct.pack_into("<2f", wanted, at + 44 * corner["corner"] + 12, *corner["uv"])
print(bytes(wanted) == new)
PYTHON
# Writing the same corners again changes nothing.
bspscene rewrite new.bsp same.bsp --corners new.json | tail -1
cmp new.bsp same.bsp
# Corners and entities change together, whether the entity lump comes after the vertices or before them.
bspscene entities "$MAP" | sed 's/"wait" "2"/"wait" "12345"/' >new.ent
bspscene rewrite "$MAP" both.bsp --corners new.json --entities new.ent | tail -2 | sed 's/^.*atrium.bsp/atrium.bsp/'
bspscene entities both.bsp | cmp - new.ent

expect 1 bspscene rewrite "$FIXTURES/atrium/quake/maps/atrium.bsp" other.bsp --corners new.json
expect 1 bspscene rewrite "$MAP" other.ent --corners new.json
for text in '{' '{"corners": [{"face": 0, "corner": 0}]}' '{"corners": [{"face": 0, "corner": 99, "uv": [0, 0]}]}'; do
	printf '%s' "$text" >bad.json
	expect 1 bspscene rewrite "$MAP" other.bsp --corners bad.json
done
[ ! -e other.bsp ]
