# All commands work for a format without an atrium: info, glTF, pages, picture, entities.
map="$FIXTURES/nightfire/maps/room.bsp"
bspscene list "$FIXTURES/nightfire"
bspscene info "$map"
bspscene entities "$map" | head -n 6
bspscene convert "$map" room.glb --strict
bspscene convert "$map" room.obj
bspscene bake "$map" pages --every-style
ls -A pages
picture() { bspscene render "$map" "$@" --size 32x24 --samples 1 --camera=40,120,60,20,-90,0 2>message; }
if ! picture room.png; then
	grep -q "needs Embree" message
	exit 77
fi
picture lit.png --lightstyle 1=4
! cmp -s room.png lit.png
