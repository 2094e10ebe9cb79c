# `extract` copies images byte for byte, to the paths that they have in the game.
bspscene extract "$ATRIUM/maps/atrium.bsp" out
(cd out && find . -type f | sort) | tee files.txt
while read -r file; do cmp "out/$file" "$ATRIUM/$file"; done <files.txt

# Images inside the map become PNG files, which are the same for any number of threads.
for threads in 1 2 3 8; do
	bspscene extract "$FIXTURES/atrium/quake/maps/atrium.bsp" "inside$threads" --threads "$threads"
	diff -r inside1 "inside$threads"
done

# A map without visible faces has no images, which is not an error.
python3 - "$ATRIUM/maps/atrium.bsp" bare.bsp <<'PYTHON'
import struct, sys

MODELS, MODEL, FACE_COUNT = 7, 40, 28
with open(sys.argv[1], "rb") as file:
    data = bytearray(file.read())
start, size = struct.unpack_from("<2i", data, 8 + 8 * MODELS)
for model in range(start, start + size, MODEL):
    struct.pack_into("<i", data, model + FACE_COUNT, 0)
with open(sys.argv[2], "wb") as file:
    file.write(data)
PYTHON
bspscene extract bare.bsp bare --quiet
# Images inside the map can become TGA and BMP, for old tools.
bspscene extract "$FIXTURES/atrium/quake/maps/atrium.bsp" old --picture-format bmp
find old -name '*.png' | sort
find old -name '*.bmp' | sort | head -2
