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
