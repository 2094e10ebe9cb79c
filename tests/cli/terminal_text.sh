# Texts of a map, names in an archive and file names cannot control a terminal. Control characters (C0, DEL and C1,
# where U+009B means ESC [), line separators and bidirectional marks are shown as "?". In JSON they are escaped.
python3 - <<'PYTHON'
import os, zipfile
data = open(os.environ["FIXTURES"] + "/atrium/quake3/maps/atrium.bsp", "rb").read()
evil = "\x9b2J\x7f\u202e\u2066\u2028\u061c\x1b[31m\x85".encode()
for old in (b"textures/sample/brick\0", b"textures/sample/metal\0"):
    start = data.index(old)
    name_size = 64
    data = data[:start] + (b"t/" + evil + b"\0").ljust(name_size, b"\0") + data[start + name_size:]
# The new value is as long as the old one, so that no other lump moves.
at = data.index(b'"message" "') + len(b'"message" "')
end = data.index(b'"', at)
value = "\x9b\u202e".encode() + b"\x9d\x7f"
assert end - at >= len(value)
data = data[:at] + value.ljust(end - at, b".") + data[end:]
os.makedirs("game/maps")
open("game/maps/a\x1b[2J\n\u202eb.bsp", "wb").write(data)
with zipfile.ZipFile("maps.pk3", "w") as archive:
    archive.writestr("maps/\x9b31m\u202ecba\u2028.bsp", data)
    archive.writestr("maps/plain.bsp", data)
PYTHON
map=$(echo game/maps/*.bsp)
expect 2 bspscene convert "$map" "x.$(printf '\033[2J\302\233')"
bspscene list maps.pk3
bspscene info "$map" >info.txt
bspscene info "$map" --json >info.json 2>/dev/null
bspscene entities "$map" --json >entities.json 2>/dev/null
bspscene info "game/maps/no$(printf '\033\302\205')such.bsp" || true
# entities prints exactly what the game reads, except on a terminal.
bspscene entities "$map" >entities.txt 2>/dev/null
python3 - "$map" <<'PYTHON'
import json, os, subprocess, sys, unicodedata

def obeyed(text):
    return [c for c in text if unicodedata.category(c) in ("Cc", "Zl", "Zp") and c not in "\n" or
            unicodedata.bidirectional(c) in ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")]

for name in ("info.txt", "info.json", "entities.json"):
    text = open(name, encoding="utf-8", newline="").read()
    print(name, "obeyed:", [hex(ord(c)) for c in obeyed(text)])
print("file:", ascii(json.load(open("info.json"))["file"]))
values = [value for entity in json.load(open("entities.json")) for key, value in entity["pairs"] if key == "message"]
print("message:", ascii(values[0][:4]))
print("raw:", "\x9b\u202e".encode() in open("entities.txt", "rb").read())
leader, follower = os.openpty()
program = subprocess.Popen(["bspscene", "entities", sys.argv[1]], stdout=follower, stderr=subprocess.DEVNULL)
os.close(follower)
shown = b""
try:
    while True:
        part = os.read(leader, 65536)
        if not part:
            break
        shown += part
except OSError:
    pass
program.wait()
text = shown.decode("utf-8").replace("\r\n", "\n").replace("\t", " ")
print("terminal obeyed:", [hex(ord(c)) for c in obeyed(text)], "shown:", '"??\ufffd?.' in text)
PYTHON
