# `render` draws one view, a sheet of all views of a class, or a view from above. Nothing is written if it fails.
size() { python3 -c 'import struct, sys; print(*struct.unpack(">II", open(sys.argv[1], "rb").read(24)[16:]))' "$1"; }
# facts FILE: prints the metadata of a PNG in lines and checks its CRCs. Numbers that may change are replaced.
facts() {
	python3 - "$1" <<'PYTHON'
import struct, sys, zlib
pixels = 0
data = open(sys.argv[1], "rb").read()
at = 8
while at < len(data):
    size, name = struct.unpack(">I4s", data[at:at + 8])
    body = data[at + 8:at + 8 + size]
    assert zlib.crc32(name + body) == struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0], name
    if name == b"iTXt":
        keyword, rest = body.split(b"\0\0\0\0\0", 1)
        print(keyword.decode("latin-1") + ": " + rest.decode("utf-8").replace("\n", "\n  "))
    else:
        pixels = zlib.crc32(body, pixels)
    at += 12 + size
print(f"Pixels: {pixels:08x}")
PYTHON
}
map="$ATRIUM/maps/atrium.bsp"
if ! bspscene render "$map" one.png --size 32x24 --samples 1 2>message; then
	grep -q "needs Embree" message
	exit 77
fi
size one.png
bspscene render "$map" camera.png --size 32x24 --samples 1 --camera=32,-480,378,20,135,5 --mode lightmap --world-only
size camera.png
bspscene render "$map" sheet.png --size 16x12 --samples 1 --every info_player_deathmatch
size sheet.png
bspscene render "$map" above.png --size 32x24 --samples 1 --overview --lightstyle 0=0.2
bspscene render "$map" dim.png --size 32x24 --samples 1 --lightstyle 0=0.5 --time 2 --intensity 0.5
! cmp -s one.png dim.png
expect 1 bspscene render "$map" no.png --entity no_such_class
expect 1 bspscene render "$map" no.png --every no_such_class
expect 2 bspscene render "$map" no.png --overview --entity info_player_start
expect 2 bspscene render "$map" no.png --overview --plan
expect 2 bspscene render "$map" no.webp --overview --turn
expect 2 bspscene render "$map" no.png --frames 12
expect 2 bspscene render "$map" no.png --turn
expect 2 bspscene render "$map" no.webp
expect 2 bspscene render "$map" no.webp --turn --frames 721
expect 2 bspscene render "$map" no.png --lightstyle 256=1
expect 2 bspscene render "$map" no.png --samples 65
expect 2 bspscene render "$map" no.png --exposure bright
expect 1 bspscene render "$map" missing/no.png --size 32x24 --samples 1
[ ! -e no.png ]
[ ! -e no.webp ]

# The metadata states the camera. If the map is drawn from that camera, the picture is the same.
facts one.png | grep -v Pixels | sed "s/$(sha256sum "$map" | cut -d' ' -f1)/HASH/; s/$(bspscene --version)/VERSION/"
facts sheet.png | sed -n '/^Desc/p; /^Camera/,/^Exp/p'
facts camera.png | sed -n '/^[DC]/p'
facts above.png | sed -n '/^Exposure: 1$/d; s/^Exposure: .*/brighter/p; /^D/p'
bspscene render "$map" again.png --size 32x24 --samples 1
cmp one.png again.png
# shellcheck disable=SC2046 # two options
bspscene render "$map" again.png --size 32x24 --samples 1 $(facts one.png | sed -n 's/^Camera: //p')
[ "$(facts one.png | grep Pixels)" = "$(facts again.png | grep Pixels)" ]
# By default, dark views from above are brightened. Other views are brightened only on request.
bspscene render "$map" again.png --size 32x24 --samples 1 --overview --lightstyle 0=0.2 --exposure 1
[ "$(facts above.png | grep Pixels)" != "$(facts again.png | grep Pixels)" ]
facts again.png | grep Exposure
bspscene render "$map" again.png --size 32x24 --samples 1 --exposure 2.5
[ "$(facts one.png | grep Pixels)" != "$(facts again.png | grep Pixels)" ]
facts again.png | grep Exposure
# Draws a view with roofs, and a plan. The plan has a white scale bar of some meters, 16 pixels from the corner.
bspscene render "$map" roofs.png --size 32x24 --samples 1 --overview --lightstyle 0=0.2 --roofs
[ "$(facts above.png | grep Pixels)" != "$(facts roofs.png | grep Pixels)" ]
facts roofs.png | grep Description
bspscene render "$map" plan.png --size 80x60 --samples 1 --plan
facts plan.png | grep -A1 Description
PYTHONPATH="$FIXTURES/../support" python3 -c 'import png_rows
_, _, rows = png_rows.read_png("plan.png")
print(sum(rows[40][3 * x:3 * x + 3] == b"\xff\xff\xff" for x in range(80)))'
# --panorama draws only the sky, in every format. It needs a fitting aspect ratio, and cannot be combined with other
# views.
for ending in png jpg exr; do
	bspscene render "$map" sky.$ending --panorama --size 64x32 --quiet
	[ -s sky.$ending ] || echo "no sky.$ending"
done
[ "$(head -c 3 sky.jpg | od -An -tx1)" = " ff d8 ff" ]
[ "$(head -c 4 sky.exr | od -An -tx1)" = " 76 2f 31 01" ]
# EXR has linear light: this checks a dark and a bright pixel of a file that is too small to be compressed.
mkdir -p dim/textures/sample
cp -r "$ATRIUM/scripts" "$ATRIUM/maps" dim
python3 -c 'head = bytes([0, 0, 2] + 9 * [0] + [4, 0, 4, 0, 24, 0])
open("dim/textures/sample/sky.tga", "wb").write(head + bytes([6, 15, 180]) * 16)'
for ending in png exr; do bspscene render dim/maps/atrium.bsp dim.$ending --panorama --size 2x1 --quiet; done
PYTHONPATH="$FIXTURES/../support" python3 -c 'import png_rows, struct
_, _, (row,) = png_rows.read_png("dim.png")
light = struct.unpack("<6e", open("dim.exr", "rb").read()[-12:])
for i in range(6):
    shown = row[3 * (i % 2) + 2 - i // 2] / 255
    want = shown / 12.92 if shown <= 0.04045 else ((shown + 0.055) / 1.055) ** 2.4
    if abs(light[i] - want) > want / 1000: print("value", i, "is", light[i], "instead of", want)
print(*row)'
rm -r dim dim.exr
# By default, the panorama has four times the width of a picture of the sky.
bspscene render "$map" sky.png --panorama --quiet
[ "$(head -c 24 sky.png | tail -c 8 | od -An -tx1)" = " 00 00 08 00 00 00 04 00" ]
# Pixels of linear light need three times as much memory as pixels of bytes.
bspscene render "$map" sky.png --panorama --quiet --memory-limit 17
bspscene render "$map" sky.exr --panorama --quiet --memory-limit 17 2>error || [ $? -eq 1 ]
[ "$(grep -c '2048 x 1024 pixels need more' error)" = 1 ]
bspscene render "$map" sky.gif --panorama --quiet 2>error || [ $? -eq 2 ]
bspscene render "$map" sky.png --panorama --size 64x64 --quiet 2>>error || [ $? -eq 2 ]
bspscene render "$map" sky.png --panorama --plan --quiet 2>>error || [ $? -eq 2 ]
[ "$(grep -c panorama error)" = 3 ]
rm error
# A title that is not UTF-8 is converted.
sed 's/Atrium sample/Atri\xfcm \xe9coles/' "$map" > latin.bsp
bspscene render latin.bsp latin.png --size 8x6 --samples 1 --quiet
facts latin.png | grep Title
# If the first view shows only one color, the next view is used. `info` distinguishes a map that has no light from a map
# whose light is black.
bspscene render "$FIXTURES/genesis3d/maps/room.bsp" dark.png --size 32x24 --samples 1
facts dark.png | grep -A1 Description
cp "$FIXTURES/source/maps/room.bsp" unlit.bsp
bspscene info unlit.bsp --quiet | grep '^  light' || true
python3 -c 'import sys
map = bytearray(open("unlit.bsp", "rb").read())
for lump in 15, 54: map[8 + 16 * lump + 4:8 + 16 * lump + 8] = bytes(4)
open("unlit.bsp", "wb").write(map)'
bspscene info unlit.bsp --quiet | grep '^  light'
rm unlit.bsp dark.png
