# Functions that the scripts share. They run with sh -eu in an empty directory; see run.py.
ATRIUM=$FIXTURES/atrium/quake3

# expect STATUS COMMAND...: prints a line if the command ends with another status.
expect() {
	wanted=$1
	shift
	status=0
	"$@" || status=$?
	[ "$status" = "$wanted" ] || echo "ended with $status instead of $wanted: $*"
}

# without_override COMMAND...: runs the command so that permissions apply even to root.
without_override() {
	if [ "$(id -u)" = 0 ]; then
		setpriv --inh-caps=-all --bounding-set=-dac_override,-dac_read_search "$@"
	else
		"$@"
	fi
}

# make_archive FILE.pk3 PATH...: makes a zip of files below $ATRIUM.
make_archive() {
	python3 - "$ATRIUM" "$@" <<'PYTHON'
import sys, zipfile
with zipfile.ZipFile(sys.argv[2], "w", zipfile.ZIP_DEFLATED) as archive:
    for name in sys.argv[3:]:
        archive.write(sys.argv[1] + "/" + name, name)
PYTHON
}
