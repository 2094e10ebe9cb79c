# The files that a map needs are found around it: in the game whose folder contains the map, in the base game of a mod,
# and next to the map (WADs and entities).
GOLDSRC=$FIXTURES/atrium/goldsrc
found() {
	bspscene info --quiet "$@" | grep '^  materials'
}

echo "== Half-Life/valve below Half-Life/cstrike, without --game and with the folder above"
mkdir -p Half-Life/cstrike/maps Half-Life/valve Half-Life/cstrike_downloads/maps downloads/maps
cp "$GOLDSRC/maps/atrium_wad.bsp" Half-Life/cstrike/maps/a.bsp
cp "$GOLDSRC/maps/atrium_wad.bsp" Half-Life/cstrike_downloads/maps/a.bsp
cp "$GOLDSRC/sample.wad" Half-Life/valve/
echo 'game "Half-Life"' >Half-Life/valve/liblist.gam
echo 'game "Counter-Strike" // a mod
fallback_dir "valve"' >Half-Life/cstrike/liblist.gam
found Half-Life/cstrike/maps/a.bsp
found Half-Life/cstrike_downloads/maps/a.bsp
cp "$GOLDSRC/maps/atrium_wad.bsp" downloads/a.bsp
found downloads/a.bsp
found downloads/a.bsp --game Half-Life
found downloads/a.bsp --game Half-Life/cstrike

echo "== Models and sprites of valve"
mkdir -p Half-Life/valve/models Half-Life/valve/sprites
cp "$ATRIUM/models/sample/obelisk.md3" Half-Life/valve/models/
python3 - <<'PYTHON'
import struct
head = struct.pack("<4siiifiiifih", b"IDSP", 2, 2, 0, 8.0, 2, 2, 1, 0.0, 0, 256)
frame = struct.pack("<iiiii", 0, -1, 1, 2, 2)
open("Half-Life/valve/sprites/glow.spr", "wb").write(head + bytes(range(256)) * 3 + frame + bytes(4))
PYTHON
bspscene entities Half-Life/cstrike/maps/a.bsp --quiet >more.txt
{
	printf '{\n"classname" "cycler"\n"model" "models/obelisk.md3"\n}\n'
	printf '{\n"classname" "cycler"\n"model" "models/obelisk.md3"\n"origin" "64 0 0"\n}\n'
	printf '{\n"classname" "env_glow"\n"model" "sprites/glow.spr"\n}\n'
} >>more.txt
bspscene rewrite Half-Life/cstrike/maps/a.bsp --entities more.txt Half-Life/cstrike/maps/more.bsp --quiet >more.log
bspscene info Half-Life/cstrike/maps/more.bsp --quiet --json >more.json
python3 - <<'PYTHON'
import json
for need in json.load(open("more.json"))["needs"]:
    if need["kind"] == "model" or need["name"].startswith("sprites"):
        print(need["kind"], need["name"], need.get("archive", "missing")[-15:])
PYTHON
bspscene convert Half-Life/cstrike/maps/more.bsp more.usdz --quiet
grep -aq instanceable more.usdz || echo repeated

echo "== A WAD next to the map, in the folder above, in maps/, in a zip"
cp "$GOLDSRC/sample.wad" downloads/Sample.WAD
found downloads/a.bsp
cp "$GOLDSRC/maps/atrium_wad.bsp" downloads/maps/b.bsp
mkdir deep deep/er
cp "$GOLDSRC/maps/atrium_wad.bsp" deep/er/b.bsp
cp "$GOLDSRC/sample.wad" deep/
found deep/er/b.bsp
mkdir -p cs/maps
cp "$GOLDSRC/maps/atrium_wad.bsp" cs/maps/b.bsp
cp "$GOLDSRC/sample.wad" cs/maps/
found cs/maps/b.bsp
python3 - "$GOLDSRC" <<'PYTHON'
import sys, zipfile
with zipfile.ZipFile("map.zip", "w") as opened:
    opened.write(sys.argv[1] + "/maps/atrium_wad.bsp", "cstrike/maps/b.bsp")
    opened.write(sys.argv[1] + "/sample.wad", "cstrike/sample.wad")
PYTHON
found map.zip

echo "== Quake's palette is id1's"
mkdir -p quake/id1 quake/mod/maps alone/maps
cp "$FIXTURES/atrium/quake/maps/atrium.bsp" quake/mod/maps/
cp "$FIXTURES/atrium/quake/maps/atrium.bsp" alone/maps/
cp -r "$FIXTURES/atrium/quake/gfx" quake/id1/
for place in quake/mod alone; do
	bspscene info $place/maps/atrium.bsp 2>&1 | grep palette || echo "$place: no word of the palette"
done

echo "== Entities next to the map"
cd quake/mod/maps || exit
bspscene entities atrium.bsp --quiet >atrium.ent
sed -i 's/"message" ".*"/"message" "FROM THE ENT FILE"/' atrium.ent
bspscene entities atrium.bsp | grep message
bspscene entities atrium.bsp --entities map | grep message
bspscene info atrium.bsp --quiet | grep 'files used\|not used'
bspscene info atrium.bsp --quiet --entities map | grep 'files used\|not used'
touch atrium.vis
bspscene info atrium.bsp --quiet --json --entities map >own.json
bspscene info atrium.bsp --quiet --json >beside.json
python3 - <<'PYTHON'
import json
own, beside = (json.load(open(name + ".json")) for name in ("own", "beside"))
print(own["hashes"] == beside["hashes"], own.get("entity_file"), beside["entity_file"])
for file in own["companions"]:
    print(file["path"], file["used"], file.get("reason"))
PYTHON

echo "== What rewrite writes is what is then read"
sed 's/FROM THE ENT FILE/REWRITTEN/' atrium.ent >new.txt
bspscene rewrite atrium.bsp --entities new.txt atrium.ent --force --quiet | tail -1
bspscene entities atrium.bsp --quiet | grep message

echo "== A lump patch of Source"
cd ../../.. || exit
mkdir patched
cp "$FIXTURES/source/maps/room.bsp" patched/a.bsp
bspscene entities patched/a.bsp --quiet | sed '0,/{/s//{\n"message" "PATCHED"/' >patch.txt
bspscene rewrite patched/a.bsp --entities patch.txt patched/a_l_0.lmp --quiet >more.log
bspscene entities patched/a.bsp --quiet | grep message
bspscene info patched/a.bsp --quiet 2>&1 | grep 'files used\|not used'
bspscene info patched/a.bsp --quiet --entities map | grep 'files used\|not used'
