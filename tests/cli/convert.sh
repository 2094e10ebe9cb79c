# Every format is written. Existing output keeps its permissions and links, and no other files appear.
for ending in glb gltf fbx usda usdz obj; do
	mkdir $ending
	bspscene convert "$ATRIUM/maps/atrium.bsp" $ending/atrium.$ending
	[ -s $ending/atrium.$ending ] || echo "no atrium.$ending"
	find $ending -name '.*' -type f
done
[ "$(head -c 4 glb/atrium.glb)" = glTF ]
[ "$(ls glb)" = atrium.glb ]
[ -s obj/atrium.sky.jpg ] && [ -s fbx/atrium.sky.jpg ] && [ ! -e gltf/atrium.sky.jpg ]
[ "$(ls usdz)" = atrium.usdz ]
bspscene convert "$ATRIUM" upper.GLB --map atrium
cmp glb/atrium.glb upper.GLB

: >target.glb
chmod 640 target.glb
ln -s target.glb link.glb
bspscene convert "$ATRIUM/maps/atrium.bsp" link.glb
[ -L link.glb ] || echo "the link was replaced"
[ "$(stat -c %a target.glb)" = 640 ] || echo "the rights were changed"
cmp glb/atrium.glb target.glb

# The sky can be written as a box around the map, as the map's sky faces, as a picture next to the file, or not at all.
# A format that cannot have a form of the sky refuses it.
bspscene convert "$ATRIUM/maps/atrium.bsp" box.glb --sky cube
LC_ALL=C grep -aq '"bspscene":{"kind":"sky","center":' box.glb
! LC_ALL=C grep -aq '"kind":"sky","center":' glb/atrium.glb
mkdir beside without
bspscene convert "$ATRIUM/maps/atrium.bsp" beside/a.glb --sky panorama
bspscene convert "$ATRIUM/maps/atrium.bsp" without/a.obj --sky none
cmp beside/a.sky.jpg obj/atrium.sky.jpg
[ ! -e without/a.sky.jpg ]
! bspscene convert "$ATRIUM/maps/atrium.bsp" without/b.obj --sky cube 2>error
grep -q "only glTF can hold a cube of the sky" error
bspscene convert "$ATRIUM/maps/atrium.bsp" without/c.obj --sky surfaces
grep -q '^o sky$' without/c.obj
[ ! -e without/c.sky.jpg ]
rm -r box.glb beside without error

# Light styles have the brightness of the map's start, unless options give another one.
styles="$FIXTURES/atrium/quake3/maps/atrium_styles.bsp"
bspscene convert "$styles" start.glb --lighting lightmap
bspscene convert "$styles" on.glb --lighting lightmap --lightstyle 0=1 --lightstyle 1=1
bspscene convert "$styles" off.glb --lighting lightmap --lightstyle 1=0
cmp start.glb on.glb
! cmp -s start.glb off.glb
rm start.glb on.glb off.glb

# --merge reduces the number of meshes, and --no-entities the number of keys.
for merge in model material none; do bspscene convert "$ATRIUM/maps/atrium.bsp" $merge.glb --merge $merge; done
bspscene convert "$ATRIUM/maps/atrium.bsp" bare.glb --no-entities
! cmp -s model.glb material.glb
! cmp -s model.glb none.glb
test "$(stat -c %s bare.glb)" -lt "$(stat -c %s model.glb)"
expect 2 bspscene convert "$ATRIUM/maps/atrium.bsp" other.glb --merge other
rm model.glb material.glb none.glb bare.glb

# The option --lights determines how many lamps are written. lamps VALUE: prints the number for a value of the option.
lamps() {
	bspscene convert "$ATRIUM/maps/atrium.bsp" lit.gltf --lighting none --lights "$1"
	python3 -c 'import json
lights = json.load(open("lit.gltf")).get("extensions", {}).get("KHR_lights_punctual", {}).get("lights", [])
print(sum(one["type"] != "directional" for one in lights))'
	rm -f lit.gltf lit.bin lit*.png lit*.jpg
}
[ "$(lamps none)" = 0 ]
[ "$(lamps 1)" = 1 ]
[ "$(lamps all)" -gt 1 ]
expect 2 bspscene convert "$ATRIUM/maps/atrium.bsp" lit.glb --lights some

bspscene convert "$ATRIUM/maps/atrium.bsp" small.glb \
	--lighting none --include sky,caulk --patch-error 8 --scale 0.03 --strict
expect 1 bspscene convert "$ATRIUM/maps/atrium.bsp" missing/atrium.glb
mkdir directory.glb
expect 1 bspscene convert "$ATRIUM/maps/atrium.bsp" directory.glb
ls -A

# An option that the format does not support gives a warning, and the file is still written.
mkdir told
bspscene convert "$ATRIUM/maps/atrium.bsp" told/a.obj --lighting lightmap --compress
[ -s told/a.obj ]
rm -r told
