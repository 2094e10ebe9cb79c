# `list` prints the maps of directories and archives, sorted. It prints the names that --map takes. Other files are not
# listed.
bspscene list "$ATRIUM"
make_archive some.pk3 maps/atrium_styles.bsp maps/atrium.bsp textures/sample/brick.tga
bspscene list some.pk3
make_archive none.pk3 textures/sample/brick.tga
bspscene list none.pk3
bspscene list none.pk3 --quiet
mkdir empty
bspscene list empty
mkdir -p loose/maps/sub
cp "$ATRIUM/maps/atrium.bsp" loose/other.bsp
cp "$ATRIUM/maps/atrium.bsp" loose/maps/sub/Deep.BSP
bspscene list loose
for map in $(bspscene list loose); do
	expect 0 bspscene entities loose --map "$map" >/dev/null
done
