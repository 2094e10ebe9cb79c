# A broken file, or one that is not a map, gives one line of error and leaves nothing behind.
map=$ATRIUM/maps/atrium.bsp
: >empty.bsp
printf 'IBSP' >short.bsp
head -c 100 "$map" >header.bsp
head -c 100000 "$map" >cut.bsp
printf 'IBSP\377\000\000\000' >version.bsp
cp "$FIXTURES/../README.md" text.bsp
printf 'PK\003\004 and no zip' >broken.pk3
printf 'PACK and no pak' >broken.pak
for file in empty.bsp short.bsp header.bsp cut.bsp version.bsp text.bsp broken.pk3 broken.pak missing.bsp; do
	expect 1 bspscene info "$file"
	expect 1 bspscene convert "$file" out.glb
done
mkdir empty
expect 1 bspscene info empty
expect 1 bspscene bake cut.bsp new/atlas
expect 1 bspscene convert "$map" out.glb --game missing
ln -s loop.bsp loop.bsp
expect 1 bspscene info loop.bsp
ls -A
