# Inside the output directory, names from a map do not follow symbolic links. The output directory itself may be a link.
mkdir outside real out
echo before >outside/kept.tga
ln -s real linked
bspscene extract "$ATRIUM/maps/atrium.bsp" linked/deep
ls real/deep
ln -s ../outside out/textures
expect 1 bspscene extract "$ATRIUM/maps/atrium.bsp" out
rm out/textures
mkdir -p out/textures/sample
ln -s ../../../outside/kept.tga out/textures/sample/brick.tga
ln -s ../../../outside/new.tga out/textures/sample/metal.tga
expect 1 bspscene extract "$ATRIUM/maps/atrium.bsp" out
ln -s ../outside/pages.json out/atlas.json
expect 1 bspscene bake "$ATRIUM/maps/atrium.bsp" out
ls -A outside
cat outside/kept.tga
find out | sort
