# `info` prints facts of a map for people, and as the JSON object that programs rely on.
bspscene info "$ATRIUM/maps/atrium.bsp"
bspscene info "$ATRIUM/maps/atrium.bsp" --json >info.json
cat info.json
python3 -c 'import json; json.load(open("info.json"))'
# A name that is not UTF-8 does not break the JSON.
name=$(printf 'caf\351.bsp')
cp "$ATRIUM/maps/atrium.bsp" "$name"
bspscene info "$name" --json --quiet | python3 -c 'import json, sys; print(json.load(sys.stdin)["file"])'
# The number of faces counts all faces of the file. Size and triangles count visible surfaces only; with --include,
# hidden ones too.
python3 - <<'PYTHON'
import os, struct
data = bytearray(open(os.environ["FIXTURES"] + "/atrium/quake3/maps/atrium.bsp", "rb").read())
offset, size = struct.unpack_from("<ii", data, 8 + 8)
for at in range(offset, offset + size, 72):
    struct.pack_into("<i", data, at + 64, 0x80) # sets the surface flag nodraw
open("hidden.bsp", "wb").write(data)
PYTHON
bspscene info hidden.bsp --quiet | sed -n 3,5p
bspscene info hidden.bsp --quiet --include nodraw | sed -n 3,5p
# The JSON lists each occurrence of a warning with its record.
python3 - <<'PYTHON'
import os, struct
data = bytearray(open(os.environ["FIXTURES"] + "/atrium/quake3/maps/atrium.bsp", "rb").read())
offset, size = struct.unpack_from("<ii", data, 8 + 13 * 8)
for face in (3, 5, 8):
    struct.pack_into("<i", data, offset + face * 104, -7) # makes the index of the face's texture invalid
open("broken.bsp", "wb").write(data)
PYTHON
bspscene info broken.bsp --quiet --json >broken.json
python3 - <<'PYTHON'
import json
for warning in json.load(open("broken.json"))["warnings"]:
    if warning["code"] != "reference":
        continue
    print(warning["count"], warning["lump"])
    for one in warning["occurrences"]:
        print(" ", one.get("record"), one.get("face"), one.get("offset"), one["message"])
PYTHON
# Sounds are found from the game's root or in sound/, and in another format than the named one.
mkdir -p game/maps game/sound/music
: >game/sound/music/abcdefghi.ogg
sed 's,Atrium sample (CC0),music/abcdefghi.wav,' "$ATRIUM/maps/atrium.bsp" >game/maps/loud.bsp
bspscene info game/maps/loud.bsp --quiet --json | python3 -c 'import json, sys
for one in json.load(sys.stdin)["needs"]:
    if one["kind"] == "sound": print(one["name"], one["found"], one.get("path"))'
rm -r game/sound
bspscene info game/maps/loud.bsp --quiet --json | python3 -c 'import json, sys
for one in json.load(sys.stdin)["needs"]:
    if one["kind"] == "sound": print(one["name"], one["found"], one.get("path"))'
# --engine chooses the engine that the look follows.
for engine in auto original darkplaces; do
	bspscene info "$ATRIUM/maps/atrium.bsp" --quiet --json --engine $engine | python3 -c 'import json, sys
print(json.load(sys.stdin)["variant"])'
done
# Both halves of a sky texture of Quake are listed as one sky, and as no texture.
bspscene info "$FIXTURES/atrium/quake/maps/atrium.bsp" --quiet --json | python3 -c 'import json, sys
print(*(one["kind"] for one in json.load(sys.stdin)["needs"] if "sky" in one["name"]))'
