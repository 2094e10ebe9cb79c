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
