# A model is read like a map: its facts, a file for viewers, its textures and a picture, also from an archive.
MODEL=$ATRIUM/models/sample/obelisk.md3
bspscene info "$MODEL"
bspscene convert "$MODEL" obelisk.glb
python3 - <<'PYTHON'
import json, struct
data = open("obelisk.glb", "rb").read()
document = json.loads(data[20:20 + struct.unpack_from("<I", data, 12)[0]])
for node in document["nodes"]:
    mesh = document["meshes"][node["mesh"]] if "mesh" in node else None
    print(node["name"], sorted(mesh["primitives"][0]["attributes"]) if mesh else "")
PYTHON
# A message says that --animate has nothing to write (gltf.rigged tests animated models).
bspscene convert "$MODEL" moving.glb --animate
cmp obelisk.glb moving.glb
bspscene convert "$ATRIUM/maps/atrium.bsp" map.glb --animate --lighting none
expect 2 bspscene convert "$MODEL" moving.usda --animate
# shellcheck disable=SC2046
make_archive stored.pk3 $(cd "$ATRIUM" && find models textures scripts -type f)
bspscene convert stored.pk3 stored.glb --map models/sample/obelisk.md3
cmp obelisk.glb stored.glb
bspscene extract "$MODEL" out --quiet
find out -type f | sort
expect 1 bspscene info stored.pk3 --map models/sample/nothing.md3
# `info` says which skins can be requested. The test makes a Quake II model with one triangle and two skins.
python3 - <<'PYTHON'
from struct import pack
skins = b"".join(name.ljust(64, b"\0") for name in (b"models/one.pcx", b"models/two.pcx"))
points, triangle = pack("<6h", 0, 0, 3, 0, 0, 3), pack("<6H", 0, 1, 2, 0, 1, 2)
frame = pack("<6f16s", 1, 1, 1, 0, 0, 0, b"stand") + bytes((0, 0, 0, 0, 9, 0, 0, 0, 0, 9, 0, 0))
sizes, starts = [len(part) for part in (skins, points, triangle, frame)], [68]
for size in sizes:
    starts.append(starts[-1] + size)
header = pack("<4s16i", b"IDP2", 8, 4, 4, len(frame), 2, 3, 3, 1, 0, 1, *starts[:4], starts[4], starts[4])
open("skins.md2", "wb").write(header + skins + points + triangle + frame)
PYTHON
bspscene info skins.md2 --quiet | grep -- --skin
rm skins.md2
# --models can leave out the models of a map.
cp -r "$ATRIUM" game
{
	bspscene entities "$ATRIUM/maps/atrium.bsp"
	printf '{\n"classname" "misc_gamemodel"\n"model" "models/sample/obelisk.md3"\n}\n'
} >more.ent
bspscene rewrite game/maps/atrium.bsp game/maps/more.bsp --entities more.ent --quiet >/dev/null
bspscene convert game/maps/more.bsp all.obj --quiet
bspscene convert game/maps/more.bsp none.obj --models none --quiet
[ "$(grep -c '^f' all.obj) $(grep -c '^f' none.obj)" = "1560 1548" ]
rm -r game all.* none.* more.ent
