# A progress bar appears on a terminal for long work, and never elsewhere.
bspscene render "$ATRIUM/maps/atrium.bsp" picture.png --size 64x48 2>errors.txt || {
	cat errors.txt
	echo "skipped: this build has no renderer"
	exit 77
}
python3 - <<'PYTHON'
import os, pty, re, time

def run(*command):
    """What a terminal shows, and how long it took."""
    shown, started = b"", time.monotonic()
    program, terminal = pty.fork()
    if program == 0:
        os.execvp("bspscene", ["bspscene", command[0], os.environ["FIXTURES"] + "/atrium/quake3/maps/atrium.bsp",
                               *command[1:]])
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:
            break
        if not part:
            break
        shown += part
    assert os.waitpid(program, 0)[1] == 0
    return shown.decode(), time.monotonic() - started

render = "render", "picture.png", "--size", "640x480"
# The load and the work after it share one bar, which never goes back.
for command in render, ("convert", "atrium.glb"), ("bake", "atlas"):
    shown, seconds = run(*command)
    bars = re.findall(r"\r\[=* *\] +(\d+) % [a-z]+ *", shown)
    assert bars or seconds < 0.9, (command, shown)
    assert len(bars) <= seconds / 0.1 + 1, (command, len(bars), seconds)
    assert [int(part) for part in bars] == sorted(int(part) for part in bars), (command, shown)
    assert not bars or int(bars[-1]) <= 100 and re.search(r"\r +\r$", shown), (command, shown[-100:])
shown, seconds = run(*render, "--quiet")
assert shown == "", shown
PYTHON
bspscene render "$ATRIUM/maps/atrium.bsp" picture.png --size 640x480
