# A view of one color is not the picture of a map: `render` and `process` draw from the next player start, or from above
# if all starts show nothing. If a map has lightmaps that are black, `info` says that it is dark on purpose.
cat >facts.py <<'PYTHON'
import struct, sys
data, at, texts = open(sys.argv[1], "rb").read(), 8, {}
while at < len(data):
    size, name = struct.unpack(">I4s", data[at:at + 8])
    if name == b"iTXt":
        keyword, text = data[at + 8:at + 8 + size].decode().split("\0\0\0\0\0")
        texts[keyword] = text
    at += 12 + size
print(texts["Description"], texts["Camera"], sep="; ")
PYTHON
# Makes two maps without an intermission camera. In one, the first player start lies outside of the map; in the other,
# all starts do.
bspscene entities "$ATRIUM/maps/atrium.bsp" >all.ent
python3 - <<'PYTHON'
import pathlib, re
entities = re.findall(r"\{.*?\}", pathlib.Path("all.ent").read_text(), re.S)
kept = [text for text in entities if "info_player_intermission" not in text]
starts = [text for text in kept if "info_player" in text]
def moved(text): return re.sub(r'"origin" "[^"]*"', '"origin" "0 0 90000"', text)
for name, count in (("first", 1), ("every", len(starts))):
    away = starts[:count]
    pathlib.Path(name + ".ent").write_text("\n".join(moved(text) if text in away else text for text in kept) + "\n")
PYTHON
for which in first every; do
	bspscene rewrite "$ATRIUM/maps/atrium.bsp" $which.bsp --entities $which.ent --quiet >changes
	bspscene render $which.bsp $which.png --size 32x24 --samples 1 --quiet --game "$ATRIUM"
	python3 facts.py $which.png
done
mkdir maps
mv first.bsp every.bsp maps/
bspscene catalog maps --quiet >maps.jsonl 2>/dev/null
bspscene process store --catalog maps.jsonl --game "$ATRIUM" --steps pictures \
	 --pictures start=32x24 --quiet >report 2>&1
for place in store/*/*/start.png; do python3 facts.py "$place"; done | sort
# Makes the light black in all luxels.
python3 - "$FIXTURES/atrium/quake/maps/atrium.bsp" <<'PYTHON'
import pathlib, struct, sys
LIGHTING = 8
data = bytearray(pathlib.Path(sys.argv[1]).read_bytes())
at, size = struct.unpack_from("<II", data, 4 + 8 * LIGHTING)
data[at:at + size] = bytes(size)
pathlib.Path("dark.bsp").write_bytes(data)
PYTHON
bspscene info "$FIXTURES/atrium/quake/maps/atrium.bsp" --quiet | grep '^  light ' || echo "the map itself is lit"
bspscene info dark.bsp --quiet | grep '^  light '
# Quake shows stored light 2.06 times as bright. Light that is shown below 8 of 255 counts as dark, so the stored value
# 3 is dark, but 4 is not.
for byte in 3 4; do
	python3 - "$FIXTURES/atrium/quake/maps/atrium.bsp" $byte <<'PYTHON'
import pathlib, struct, sys
LIGHTING = 8
data = bytearray(pathlib.Path(sys.argv[1]).read_bytes())
at, size = struct.unpack_from("<II", data, 4 + 8 * LIGHTING)
data[at:at + size] = bytes([int(sys.argv[2])]) * size
pathlib.Path("dim.bsp").write_bytes(data)
PYTHON
	bspscene info dim.bsp --quiet | grep '^  light ' || echo "light of $byte is seen"
done
