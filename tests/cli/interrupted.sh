# A signal during writing leaves no files. One output file is a pipe that nobody reads, so the program waits while it
# writes.
# shellcheck disable=SC3045 # every shell that is /bin/sh somewhere has it
ulimit -c 0
mkdir out
mkfifo out/atrium.bin
for signal in INT QUIT TERM HUP XCPU; do
	# A shell starts background commands so that they ignore SIGINT and SIGQUIT. This script restores the default
	# actions.
	python3 - bspscene convert "$ATRIUM/maps/atrium.bsp" out/atrium.gltf <<'PYTHON' &
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
signal.signal(signal.SIGQUIT, signal.SIG_DFL)
os.execvp(sys.argv[1], sys.argv[1:])
PYTHON
	program=$!
	until ls out/.bspscene-* >/dev/null 2>&1; do
		kill -0 $program
		sleep 0.05
	done
	kill -s $signal $program
	if wait $program 2>/dev/null; then echo "ended as if all were well"; fi
	ls -A out
done
# If a file reaches the size limit, this is an ordinary error, and the folder does not change.
mkdir small
(
	ulimit -f 8
	bspscene convert "$ATRIUM/maps/atrium.bsp" small/atrium.glb
) || echo "status $?"
ls -A small
