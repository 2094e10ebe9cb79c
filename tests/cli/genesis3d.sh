# All commands work for a format with textures in the map and binary entities: info, glTF, pictures, relight. Rewriting
# its entities is refused.
map="$FIXTURES/genesis3d/maps/room.bsp"
bspscene list "$FIXTURES/genesis3d"
bspscene info "$map"
bspscene entities "$map" | sed -n '9,21p'
bspscene convert "$map" room.glb --strict
bspscene convert "$map" room.obj
bspscene extract "$map" files
find files -type f | sort
bspscene entities "$map" | sed 's/"300"/"3000"/' >longer.ent
! bspscene rewrite "$map" longer.bsp --entities longer.ent
test ! -e longer.bsp
bspscene bake "$map" atlas --every-style --lightmap-encoding raw --quiet
bspscene relight "$map" atlas same.bsp
cmp "$map" same.bsp
picture() { bspscene render "$map" "$@" --size 32x24 --samples 1 --camera=100,-100,60,-20,135,0 2>message; }
if ! picture room.png; then
	grep -q "needs Embree" message
	exit 77
fi
picture texture.png --mode texture
! cmp -s room.png texture.png
