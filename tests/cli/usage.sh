# Wrong usage gives one line and status 2, and nothing is read or written.
expect 2 bspscene unknown
expect 2 bspscene info
expect 2 bspscene info a.bsp b.bsp
expect 2 bspscene convert a.bsp
expect 2 bspscene info a.bsp --unknown
expect 2 bspscene info -xy a.bsp
expect 2 bspscene -h
expect 2 bspscene info a.bsp --json=yes
expect 2 bspscene info a.bsp --map
expect 2 bspscene info a.bsp --lighting vertex
expect 2 bspscene convert a.bsp a.glb --lighting bright
expect 2 bspscene convert a.bsp a.glb --lightmap-encoding png
expect 2 bspscene convert a.bsp a.glb --include sky,moon
expect 2 bspscene convert a.bsp a.glb --include sky,
expect 2 bspscene convert a.bsp a.glb --patch-error 0
expect 2 bspscene convert a.bsp a.glb --patch-error nan
expect 2 bspscene convert a.bsp a.glb --scale 1x
expect 2 bspscene entities a.bsp --threads 2
expect 2 bspscene render a.bsp a.png --threads 0
expect 2 bspscene convert a.bsp a.xyz
expect 2 bspscene convert a.bsp glb
expect 2 bspscene render a.bsp a.png --size 640
expect 2 bspscene render a.bsp a.png --size 0x480
expect 2 bspscene render a.bsp a.png --camera 1,2,3,4
expect 2 bspscene render a.bsp a.png --camera 1,2,3,4,5,6,7
expect 2 bspscene render a.bsp a.png --fov 0
expect 2 bspscene render a.bsp a.png --mode wireframe
expect 2 bspscene info "$ATRIUM/maps/atrium.bsp" --map other
expect 2 bspscene list "$ATRIUM/maps/atrium.bsp"
expect 2 bspscene catalog
expect 2 bspscene catalog . --jobs 0
expect 2 bspscene process store --shard 3/2
expect 2 bspscene process store --steps info,sound
[ -z "$(ls -A)" ]
