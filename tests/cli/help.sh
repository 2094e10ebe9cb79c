# Help is printed to standard output with status 0, also in the middle of a command line. The help of every command has
# examples at the top, at least one option under each heading, and lines that fit a terminal. For a mistyped name of a
# command or option, the most similar name is suggested.
bspscene --help
bspscene help convert >convert.txt
sed -n '/^Common options:/,/^$/p' convert.txt
grep '^[^ ].*:$' convert.txt
for command in $(bspscene --help | sed -n "s/^  \([a-z]*\)   *[a-z].*/\1/p"); do
	bspscene "$command" --help >help.txt
	bspscene help "$command" | cmp help.txt - || echo "$command: \"help $command\" differs from \"$command --help\""
	grep -Eq "^Usage: bspscene $command \[?[A-Z]" help.txt ||
		echo "$command: --help does not say \"Usage: bspscene $command OPERANDS\""
	sed '1,/^Examples:/d; /^$/,$d' help.txt | grep -q "^  bspscene $command" ||
		echo "$command: --help has no example that begins with two spaces and \"bspscene $command\"; see .examples"
	awk -v command="$command" 'length > 80 { print command ": this line of --help is over 80 letters: " $0 }' help.txt
	[ "$(grep -c '^  --' help.txt)" -le 13 ] || grep -q '^Common options:' help.txt ||
		echo "$command: --help has many options and no headings; name the common ones in .first"
done
bspscene --help >overview.txt
bspscene help | cmp overview.txt -
bspscene | cmp overview.txt -
bspscene --quiet | cmp overview.txt -
expect 0 bspscene convert a.bsp --help >help.txt
expect 0 bspscene --version | grep -Eq '^bspscene [0-9]+\.[0-9]+\.[0-9]+$'
expect 0 bspscene info --version | grep -q '^bspscene '
expect 1 bspscene --help >/dev/full
expect 1 bspscene help info >/dev/full
for word in convrt con rednder inof xyzzy ''; do expect 2 bspscene "$word" a.bsp; done
expect 2 bspscene help catalogue
expect 2 bspscene help info convert
for option in --lightning --embed-textures --moddels --zzz --gaem --thrds; do
	expect 2 bspscene convert a.bsp a.glb "$option"
done
