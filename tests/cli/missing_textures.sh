# Missing textures are not an error: a warning names them and says what to do.
cp "$ATRIUM/maps/atrium.bsp" loose.bsp
bspscene convert loose.bsp loose.glb
[ -s loose.glb ]
mkdir -p game/maps game/textures/sample
cp loose.bsp game/maps/loose.bsp
cp "$ATRIUM/textures/sample/brick.tga" game/textures/sample/
bspscene info game/maps/loose.bsp | grep '^  materials'
bspscene info loose.bsp --quiet | grep '^  materials'
bspscene convert loose.bsp full.glb --game "$ATRIUM"
# Only the first six of ten places are named: the folder and five of the nine archives.
for i in 0 1 2 3 4 5 6 7 8; do
	make_archive game/pak$i.pk3 "maps/atrium.bsp"
done
bspscene info game/maps/loose.bsp 2>&1 >/dev/null | grep -o 'and .* more: put'
