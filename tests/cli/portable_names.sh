# Extracted files have names that Windows accepts. There, "com1.tga" is a device, and "dot. " as a folder and '*' have
# special meanings. Names that only begin with the name of a device do not change.
python3 - <<'PYTHON'
import os, zipfile
atrium = os.environ["FIXTURES"] + "/atrium/quake3/"
data = open(atrium + "maps/atrium.bsp", "rb").read()
picture = open(atrium + "textures/sample/brick.tga", "rb").read()
names = {"brick": "sample/COM1", "metal": "prn.x/lpt9", "floor": "sample/a*b?", "panel": "conx/com",
         "screen": "dot. /x"}
with zipfile.ZipFile("carried.pk3", "w") as archive:
    for old, new in names.items():
        old, name = b"textures/sample/" + old.encode() + b"\0", b"textures/" + new.encode() + b"\0"
        assert old in data
        data = data.replace(old.ljust(64, b"\0"), name.ljust(64, b"\0"))
        archive.writestr("textures/" + new + ".tga", picture)
    archive.writestr("maps/atrium.bsp", data)
PYTHON
bspscene extract carried.pk3 out
find out -type f | LC_ALL=C sort
cmp out/textures/sample/COM1_.tga "$ATRIUM/textures/sample/brick.tga"

# Two pictures may have the same name (the layers of a sky), or names that some systems do not distinguish. They become
# separate files.
python3 - <<'PYTHON'
import os
ALIKE = {b"floor": b"#WATER", b"glass": b"sky1_2", b"metal": "\u00d6l".encode(), b"trigger": "\u00f6L".encode()}
data = bytearray(open(os.environ["FIXTURES"] + "/atrium/quake/maps/atrium.bsp", "rb").read())
start = int.from_bytes(data[4 + 8 * 2:][:4], "little")
for i in range(int.from_bytes(data[start:][:4], "little")):
    at = start + int.from_bytes(data[start + 4 + 4 * i:][:4], "little", signed=True)
    name = bytes(data[at:at + 16]).split(b"\0")[0]
    new = ALIKE.get(name)
    if new:
        data[at:at + 16] = new.ljust(16, b"\0")
open("alike.bsp", "wb").write(data)
PYTHON
bspscene extract alike.bsp alike --game "$FIXTURES/atrium/quake"
find alike -type f | LC_ALL=C sort
! cmp -s alike/sky1.png alike/sky1_2.png

# Names that differ only in the case of letters become different files on every system. The letters here are those of
# Latin-1, Greek and Cyrillic that have two bytes; Python has Unicode's tables of them.
cat >letters.py <<'PYTHON'
SCRIPTS = ((0xC0, 0xDE), (0x391, 0x3A9), (0x400, 0x42F))
letters = [chr(code) for first, last in SCRIPTS for code in range(first, last + 1) if chr(code).isupper()]
texts = ["".join(letters[at:at + 7]) for at in range(0, len(letters), 7)]
PAIRS = ((b"floor", b"glass"), (b"metal", b"trigger"), (b"brick", b"panel"))
PYTHON
python3 - <<'PYTHON'
import os
from letters import PAIRS, letters, texts
assert len(letters) > 95
original = open(os.environ["FIXTURES"] + "/atrium/quake/maps/atrium.bsp", "rb").read()
for number in range(0, len(texts), len(PAIRS)):
    new = {}
    for (upper, lower), text in zip(PAIRS, texts[number:]):
        new[upper], new[lower] = text.encode(), text.lower().encode()
    data = bytearray(original)
    start = int.from_bytes(data[4 + 8 * 2:][:4], "little")
    for i in range(int.from_bytes(data[start:][:4], "little")):
        at = start + int.from_bytes(data[start + 4 + 4 * i:][:4], "little", signed=True)
        name = new.get(bytes(data[at:at + 16]).split(b"\0")[0])
        if name:
            data[at:at + 16] = name.ljust(16, b"\0")
    open(f"letters{number}.bsp", "wb").write(data)
PYTHON
for map in letters*.bsp; do
	bspscene extract "$map" "${map%.bsp}" --game "$FIXTURES/atrium/quake" --quiet >/dev/null
done
python3 - <<'PYTHON'
from pathlib import Path
from letters import texts
names = [path.name for path in Path().glob("letters*/*.png")]
for text in texts:
    files = [name for name in names if name.lower().startswith(text.lower())]
    assert len(files) >= 2 and len({name.lower() for name in files}) == len(files), files
print(len(texts), "pairs")
PYTHON
