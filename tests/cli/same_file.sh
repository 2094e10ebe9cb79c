# Input files are never replaced, under any name or through any link. The inputs here are directories, and maps and
# archives that are named like outputs.
mkdir -p game/maps out
cp "$ATRIUM/maps/atrium.bsp" game/maps/m.bsp
for name in x.glb x.obj x.png; do cp game/maps/m.bsp $name; done
make_archive pak.pk3 maps/atrium.bsp textures/sample/brick.tga
mv pak.pk3 pak.glb
ln -s x.glb soft.glb
ln x.glb hard.glb
cksum game/maps/m.bsp ./*.glb x.obj x.png >before.txt

expect 2 bspscene convert x.glb x.glb
expect 2 bspscene convert x.glb ./out/../x.glb
expect 2 bspscene convert x.glb soft.glb
expect 2 bspscene convert soft.glb x.glb
expect 2 bspscene convert x.glb hard.glb
expect 2 bspscene convert x.obj x.obj
expect 2 bspscene convert pak.glb pak.glb
expect 2 bspscene convert game/maps/m.bsp pak.glb --game pak.glb
expect 2 bspscene extract game game --map m
expect 2 bspscene extract game/maps/m.bsp game/maps/..
expect 2 bspscene bake game out/../game
if bspscene render game/maps/m.bsp one.png --size 8x6 --samples 1 --quiet 2>/dev/null; then
	expect 2 bspscene render x.png x.png 2>render.txt
	expect 2 bspscene render game/maps/m.bsp game/maps/m.bsp 2>>render.txt
	expect 2 bspscene render game/maps/m.bsp picture.jpg 2>>render.txt
	grep -c "x.png: is the input\|m.bsp: unknown format\|picture.jpg: unknown format" render.txt
else
	echo 3
fi

# Further output files must not replace the map either. Here the map has the name of a glTF buffer, or of atlas.json.
cp game/maps/m.bsp out/y.bin
expect 1 bspscene convert out/y.bin out/y.gltf
cp game/maps/m.bsp out/atlas.json
expect 1 bspscene bake out/atlas.json out
for name in y.bin atlas.json; do cmp game/maps/m.bsp out/$name; done
cksum game/maps/m.bsp ./*.glb x.obj x.png >after.txt
cmp before.txt after.txt
ls -A out

# The output may be a link to a device, or an existing file.
cp x.glb y.glb
bspscene convert x.glb y.glb --quiet
! cmp -s x.glb y.glb
