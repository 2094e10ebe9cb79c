# SOURCE is a map, an archive or a directory. --map is needed only if there are several maps.
first_line() { "$@" --quiet | head -n 1; }
first_line bspscene info "$ATRIUM/maps/atrium.bsp"
first_line bspscene info "$ATRIUM/maps/atrium.bsp" --map atrium
make_archive one.pk3 maps/atrium.bsp textures/sample/brick.tga
first_line bspscene info one.pk3
make_archive two.pk3 maps/atrium.bsp maps/atrium_styles.bsp
expect 2 bspscene info two.pk3
expect 1 bspscene info two.pk3 --map other
first_line bspscene info two.pk3 --map atrium
first_line bspscene info two.pk3 --map ATRIUM.BSP
first_line bspscene info two.pk3 --map maps/atrium_styles
mkdir -p both/maps
cp "$ATRIUM/maps/atrium.bsp" both/a.bsp
cp "$ATRIUM/maps/atrium.bsp" both/maps/a.bsp
first_line bspscene info both --map a
first_line bspscene info both --map a.bsp
first_line bspscene info both --map maps/a.bsp
make_archive none.pk3 textures/sample/brick.tga
expect 1 bspscene info none.pk3
expect 2 bspscene info "$ATRIUM"
first_line bspscene info "$ATRIUM" --map atrium

mkfifo pipe
expect 1 bspscene info pipe

# Archives in one folder belong to one game, so files are also found in the archives next to the chosen one.
textures_found() { bspscene info --json --quiet "$@" | grep -o '"textures_found": [0-9]*'; }
echo "alone: $(textures_found one.pk3 --map atrium)"
echo "with --game: $(textures_found one.pk3 --game "$ATRIUM")"
mkdir game
make_archive game/pak0.pk3 maps/atrium.bsp
echo "alone, without textures: $(textures_found game/pak0.pk3)"
(cd "$ATRIUM" && find textures scripts env models -type f | sort) >files.txt
# shellcheck disable=SC2046 # names without blanks
make_archive game/pak1.pk3 $(cat files.txt)
echo "with neighbors: $(textures_found game/pak0.pk3)"
echo "the directory: $(textures_found game)"
echo "the map in its game: $(textures_found "$ATRIUM/maps/atrium.bsp")"

# The message about missing files names each searched archive and folder once.
rm game/pak1.pk3
make_archive game/pak1.pk3 scripts/sample.shader
bspscene info game/pak0.pk3 2>&1 >/dev/null | grep -o 'searched in .*:' | sed "s#$PWD#PWD#g"

# Download servers compress maps. A compressed file that is not a map is reported by name.
gzip -c "$ATRIUM/maps/atrium.bsp" >packed.bsp.gz
first_line bspscene info packed.bsp.gz --map packed
printf 'no map' | gzip -c >notes.gz
expect 1 bspscene list notes.gz
printf '\n\n' >blank.bsp
expect 1 bspscene list blank.bsp
head -c 3000 one.pk3 >broken.pk3
expect 1 bspscene info broken.pk3
