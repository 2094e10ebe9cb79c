# Images come out under their game path, byte for byte.
bspscene extract "$ATRIUM/maps/atrium.bsp" out
(cd out && find . -type f | sort) | tee files.txt
while read -r file; do cmp "out/$file" "$ATRIUM/$file"; done <files.txt

# Images inside the map become PNG, the same in any number of threads.
for threads in 1 2 3 8; do
	bspscene extract "$FIXTURES/atrium/quake/maps/atrium.bsp" "inside$threads" --threads "$threads"
	diff -r inside1 "inside$threads"
done
