# If output has several files, all of them are replaced or none. This holds for a failing run, for two runs at once, and
# for the run after a killed one.
map=$ATRIUM/maps/atrium.bsp
# content FOLDER: lists all files with checksums, hidden ones too.
content() { (cd "$1" && find . -type f | LC_ALL=C sort | xargs -d '\n' cksum); }
unchanged() {
	content "$1" >after
	cmp before after || echo "$1 has changed"
}
mkdir out
bspscene convert "$map" out/a.gltf
content out >before

# If a folder has the name of an output file, nothing is written. In the first case the folder is named like the main
# file, which would be renamed last; in the second case it is named like the other file.
for name in a.gltf a.bin; do
	mkdir -p "folder-$name/$name"
	expect 1 bspscene convert "$map" "folder-$name/a.gltf"
	find "folder-$name" | LC_ALL=C sort
done

# One of the existing files cannot be replaced.
if touch fixed && chattr +i fixed 2>/dev/null; then
	chattr -i fixed
	for name in a.gltf a.bin a_textures_sample_rock.png; do
		chattr +i "out/$name"
		expect 1 bspscene convert "$map" out/a.gltf --lighting none 2>message
		chattr -i "out/$name"
		renamed="the finished file cannot be renamed to this name"
		grep -q "out/$name: $renamed: Operation not permitted" message || cat message
		unchanged out
	done
fi

# Two runs write to the same place at once, many times. The result is always the complete set of one of them.
mkdir alone
bspscene convert "$map" out/a.gltf
content out >one
bspscene convert "$map" alone/a.gltf --lighting none
content alone >other
cmp one other >/dev/null && echo "both are the same"
mkdir both
for _ in 1 2 3 4 5; do
	bspscene convert "$map" both/a.gltf &
	first=$!
	bspscene convert "$map" both/a.gltf --lighting none &
	second=$!
	wait $first
	wait $second
	content both >found
	grep -v '_' found >main
	grep -v '_' one | cmp -s - main || grep -v '_' other | cmp -s - main || echo "a mix"
	find both -name ".bspscene*"
done
