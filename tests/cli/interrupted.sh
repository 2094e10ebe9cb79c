# A signal in the middle of writing leaves nothing: a further output file is a pipe that nobody reads, so the writer
# waits there.
# shellcheck disable=SC3045 # every shell that is /bin/sh somewhere has it
ulimit -c 0
mkdir out
mkfifo out/atrium.bin
for signal in INT QUIT TERM HUP XCPU; do
	# A shell starts background commands with SIGINT and SIGQUIT ignored, which would stay so.
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
# Reaching the file size limit is an ordinary error; the folder is unchanged.
mkdir small
(
	ulimit -f 8
	bspscene convert "$ATRIUM/maps/atrium.bsp" small/atrium.glb
) || echo "status $?"
ls -A small
