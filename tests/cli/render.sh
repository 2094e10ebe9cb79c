# Pictures: one view, a sheet of all views of a class, from above; nothing is written when it fails.
size() { python3 -c 'import struct, sys; print(*struct.unpack(">II", open(sys.argv[1], "rb").read(24)[16:]))' "$1"; }
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
bspscene render "$map" above.png --size 32x24 --samples 1 --overview
bspscene render "$map" dim.png --size 32x24 --samples 1 --lightstyle 0=0.5 --time 2 --intensity 0.5
! cmp -s one.png dim.png
expect 1 bspscene render "$map" no.png --entity no_such_class
expect 1 bspscene render "$map" no.png --every no_such_class
expect 2 bspscene render "$map" no.png --overview --entity info_player_start
expect 2 bspscene render "$map" no.png --lightstyle 256=1
expect 2 bspscene render "$map" no.png --samples 65
expect 1 bspscene render "$map" missing/no.png --size 32x24 --samples 1
[ ! -e no.png ]
