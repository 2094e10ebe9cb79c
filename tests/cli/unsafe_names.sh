# Names in maps and archives never lead outside of OUTDIR.
mkdir -p game/maps game/x
cp "$ATRIUM/textures/sample/brick.tga" game/x/evil.tga
cp "$ATRIUM/textures/sample/brick.tga" evil.tga
python3 - <<'PYTHON'
import os
data = open(os.environ["FIXTURES"] + "/atrium/quake3/maps/atrium.bsp", "rb").read()
for old, new in ((b"textures/sample/brick\0", b"textures/../../evil\0"),
                 (b"textures/sample/metal\0", b"/../../../../../evil\0"),
                 (b"textures/sample/floor\0", b"..\\..\\evil\0")):
    assert old in data
    data = data.replace(old, new.ljust(len(old), b"\0"))
open("game/maps/atrium.bsp", "wb").write(data)
PYTHON
bspscene extract game/maps/atrium.bsp out/deep
find . -type f | sort

python3 - <<'PYTHON'
import os, zipfile
atrium = os.environ["FIXTURES"] + "/atrium/quake3/"
with zipfile.ZipFile("evil.pk3", "w") as archive:
    archive.write(atrium + "maps/atrium.bsp", "maps/atrium.bsp")
    for name in ("../above.tga", "/root.tga", "textures/../../above.tga", "textures\\..\\..\\above.tga",
                 "c:/drive.tga"):
        archive.writestr(name, open(atrium + "textures/sample/brick.tga", "rb").read())
    archive.writestr("textures/sample/brick.tga", open(atrium + "textures/sample/brick.tga", "rb").read())
PYTHON
bspscene extract evil.pk3 out/deep --quiet
find . -newer evil.pk3 -type f | sort
