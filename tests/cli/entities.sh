# `entities` prints all keys and values in the file's order, also as JSON.
bspscene entities "$ATRIUM/maps/atrium.bsp" | tee entities.txt
bspscene entities "$ATRIUM/maps/atrium.bsp" --json >entities.json
python3 - <<'PYTHON'
import json
text = []
for line in open("entities.txt", encoding="utf-8"):
    if line == "{\n":
        text.append([])
    elif line != "}\n":
        text[-1].append(line.rstrip("\n").strip('"').split('" "'))
assert [entity["pairs"] for entity in json.load(open("entities.json", encoding="utf-8"))] == text
raw = open(__import__("os").environ["FIXTURES"] + "/atrium/quake3/maps/atrium.bsp", "rb").read()
lump = raw[int.from_bytes(raw[8:12], "little"):][:int.from_bytes(raw[12:16], "little")].rstrip(b"\0").decode()
assert open("entities.txt", encoding="utf-8").read().split() == lump.split()
PYTHON
