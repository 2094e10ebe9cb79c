# If the disk is full, an error names the file, and no incomplete files or directories stay.
map=$ATRIUM/maps/atrium.bsp
ln -s /dev/full full.glb
expect 1 bspscene convert "$map" full.glb
[ -c /dev/full ]
expect 1 bspscene info "$map" --json >/dev/full
expect 1 bspscene entities "$map" >/dev/full
expect 1 bspscene list "$ATRIUM" >/dev/full
mkdir gltf fbx usd
# A coverage build also writes files with counts. The limit must not apply to these, so they are not written.
limited() { (export GCOV_PREFIX=/dev/null; ulimit -f 8 && "$@"); }
expect 1 limited bspscene convert "$map" small.glb
expect 1 limited bspscene convert "$map" gltf/atrium.gltf
expect 1 limited bspscene convert "$map" fbx/atrium.fbx
expect 1 limited bspscene convert "$map" usd/atrium.usda
expect 1 limited bspscene convert "$map" usd/atrium.usdz
expect 1 limited bspscene bake "$map" new/atlas
expect 1 limited bspscene extract "$map" new/textures
# Existing files stay unchanged.
echo before >old.glb
expect 1 limited bspscene convert "$map" old.glb
cat old.glb
find . | sort
