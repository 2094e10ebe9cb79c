# Help goes to standard output and ends with 0, also in the middle of a command line, and every command has examples.
bspscene --help
for command in info list convert bake render entities extract catalog process gallery diff; do
	bspscene $command --help >help.txt
	grep -Eq "^bspscene $command \[?[A-Z]" help.txt
	grep -A 1 '^Examples:' help.txt | grep -q "^  bspscene $command "
	[ "$(awk 'length > 110' help.txt)" = "" ] || echo "$command: --help has lines that are too long"
done
expect 0 bspscene convert a.bsp --help >help.txt
expect 0 bspscene --version | grep -Eq '^bspscene [0-9]+\.[0-9]+\.[0-9]+$'
expect 0 bspscene info --version | grep -q '^bspscene '
expect 1 bspscene --help >/dev/full
