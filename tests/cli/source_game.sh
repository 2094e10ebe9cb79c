# A Source map finds its materials in itself, in its game and in the directories of gameinfo.txt. `extract` copies the
# textures that are inside the map.
cp "$FIXTURES/source/maps/room.bsp" .
bspscene info room.bsp 2>&1 | grep '^  materials\|^  lights\|warning'
mkdir -p engine/tf/maps engine/hl2/materials/test
cp room.bsp engine/tf/maps/
cp "$ATRIUM/textures/sample/brick.tga" engine/hl2/materials/test/water.tga
echo 'GameInfo { FileSystem { SearchPaths { game |gameinfo_path|. game hl2 } } }' >engine/tf/gameinfo.txt
bspscene info engine/tf/maps/room.bsp --quiet | grep '^  materials'
bspscene info room.bsp --game engine --quiet | grep '^  materials'
bspscene extract engine/tf/maps/room.bsp out --quiet
(cd out && find . -type f | sort)
