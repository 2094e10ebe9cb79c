# The name of a map may contain a control character, be too long, or lead outside of the archive. Such maps cannot be
# selected. A message says how many there are.
python3 - "$ATRIUM/maps/atrium.bsp" <<'PYTHON'
import sys, zipfile
with zipfile.ZipFile("some.pk3", "w", zipfile.ZIP_DEFLATED) as archive:
    archive.write(sys.argv[1], "maps/atrium.bsp")
    archive.write(sys.argv[1], "maps/a\x1b[31mb.bsp")
    archive.write(sys.argv[1], "../b.bsp")
    archive.write(sys.argv[1], f"maps/{'c' * 300}.bsp")
    archive.writestr("maps/", "")
PYTHON
bspscene list some.pk3
