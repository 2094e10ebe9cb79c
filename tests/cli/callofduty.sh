# All commands work for a format whose only fixture has no lightmap page: info, glTF, picture, rewritten text. Truncated
# files, and those of later games, give an error.
map="$FIXTURES/callofduty/maps/room.bsp"
bspscene list "$FIXTURES/callofduty"
bspscene info "$map"
bspscene entities "$map" | head -n 7
bspscene convert "$map" room.glb --strict
bspscene convert "$map" room.obj
bspscene extract "$map" files
find files -type f | sort
bspscene entities "$map" | sed 's/"300"/"3000"/' >longer.ent
bspscene rewrite "$map" longer.bsp --entities longer.ent
bspscene entities longer.bsp | cmp - longer.ent
bspscene diff "$map" longer.bsp || true
bspscene entities "$map" | bspscene rewrite longer.bsp again.bsp --entities - --quiet
cmp "$map" again.bsp
picture() { bspscene render "$map" "$@" --size 32x24 --samples 1 --camera=200,200,60,-20,-135,0 2>message; }
if ! picture room.png; then
	grep -q "needs Embree" message
	exit 77
fi
picture texture.png --mode texture
! cmp -s room.png texture.png
