# A bar on a terminal for work that takes long, and none anywhere else.
bspscene render "$ATRIUM/maps/atrium.bsp" picture.png --size 64x48 2>errors.txt || {
	cat errors.txt
	echo "skipped: this build has no renderer"
	exit 77
}
python3 - <<'PYTHON'
import os, pty, re, time

def run(*options):
    """What a terminal shows, and how long it took."""
    shown, started = b"", time.monotonic()
    program, terminal = pty.fork()
    if program == 0:
        os.execvp("bspscene", ["bspscene", "render", os.environ["FIXTURES"] + "/atrium/quake3/maps/atrium.bsp",
                               "picture.png", "--size", "640x480", *options])
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

shown, seconds = run()
bars = re.findall(r"\r\[=* *\] +(\d+) % [a-z]+ *", shown)
assert bars or seconds < 0.6, shown
assert len(bars) <= seconds / 0.1 + 1, (len(bars), seconds)
assert [int(part) for part in bars] == sorted(int(part) for part in bars), shown
assert not bars or re.search(r"\r +\r$", shown), shown[-100:]
shown, seconds = run("--quiet")
assert shown == "", shown
PYTHON
bspscene render "$ATRIUM/maps/atrium.bsp" picture.png --size 640x480
