# Compressed maps of a download server are listed, described and converted. A note mentions maps in subfolders.
mkdir -p server/maps
python3 - "$ATRIUM/maps/atrium.bsp" <<'PYTHON'
import bz2, gzip, lzma, sys
data = open(sys.argv[1], "rb").read()
open("server/maps/a.bsp.bz2", "wb").write(bz2.compress(data))
open("server/maps/b.bsp.gz", "wb").write(gzip.compress(data))
open("server/maps/c.bsp.xz", "wb").write(lzma.compress(data))
PYTHON
bspscene list server
bspscene info server --map b --quiet | head -n 1
bspscene convert server out.glb --map c --quiet
ls out.glb
bspscene catalog server
bspscene catalog server --quiet
bspscene catalog --recursive server | sed 's/.*"name": *"\([^"]*\)".*/\1/'
# This pk3 has only models.
python3 - <<'PYTHON'
import zipfile
with zipfile.ZipFile("m.pk3", "w") as archive:
    archive.writestr("models/sample/obelisk.md3", b"IDP3\17\0\0\0")
    archive.writestr("models/sample/obelisk.ase", b"*3DSMAX_ASCIIEXPORT")
PYTHON
bspscene list m.pk3
