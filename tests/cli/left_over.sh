# If a run is killed, the next run that writes to the same folder removes its temporary files. Temporary files of a
# running program stay, and so do other files with similar names.
mkdir out
mkfifo out/atrium.bin
# One output file is a pipe that nobody reads, so the program waits while it writes.
begin() {
	bspscene convert "$ATRIUM/maps/atrium.bsp" out/atrium.gltf &
	program=$!
	until ls out/.bspscene-*-"$program"-*.tmp >/dev/null 2>&1; do
		kill -0 $program
		sleep 0.05
	done
}
# Counts temporary files.
temporaries() { find out -name ".bspscene-*.tmp" | wc -l; }

begin
kill -KILL $program
wait $program 2>/dev/null || true
temporaries
begin
temporaries
name=$(ls out/.bspscene-*)
place=${name#out/.bspscene-}
place=${place%%-*}
dead=$(python3 -c 'import subprocess; done = subprocess.Popen("true"); done.wait(); print(done.pid)')
touch "out/.bspscene-$place-$dead-0.tmp.bak" "out/.bspscene-00000000-$dead-0.tmp" "out/.bspscene-$place-$dead-x.tmp"
mkdir "out/.bspscene-$place-$dead-1.tmp"
ln -s nowhere "out/.bspscene-$place-$dead-2.tmp"
touch "out/.bspscene-$place-$dead-3.tmp"
bspscene convert "$ATRIUM/maps/atrium.bsp" out/other.glb
find out -mindepth 1 | sed "s/$place/PLACE/; s/$dead/DEAD/; s/-$program-/-RUNNING-/" | sort
kill -TERM $program
wait $program 2>/dev/null || true
find out -name "*-$program-*"
