# Help goes to standard output and ends with 0, also in the middle of a command line, and every command has examples.
bspscene --help
for command in $(bspscene --help | sed -n "s/^  \([a-z]*\)  *\[\{0,1\}[A-Z].*/\1/p"); do
	bspscene "$command" --help >help.txt
	grep -Eq "^bspscene $command \[?[A-Z]" help.txt ||
		echo "$command: --help does not begin with \"bspscene $command OPERANDS\""
	sed '1,/^Examples:/d; /^$/,$d' help.txt | grep -q "^  bspscene $command " ||
		echo "$command: --help has no example that begins with two spaces and \"bspscene $command\"; see .examples"
	[ "$(awk 'length > 110' help.txt)" = "" ] || echo "$command: --help has lines of more than 110 letters; break them"
done
expect 0 bspscene convert a.bsp --help >help.txt
expect 0 bspscene --version | grep -Eq '^bspscene [0-9]+\.[0-9]+\.[0-9]+$'
expect 0 bspscene info --version | grep -q '^bspscene '
expect 1 bspscene --help >/dev/full
