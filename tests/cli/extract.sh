# Images come out under their game path, byte for byte.
bspscene extract "$ATRIUM/maps/atrium.bsp" out
(cd out && find . -type f | sort) | tee files.txt
while read -r file; do cmp "out/$file" "$ATRIUM/$file"; done <files.txt
