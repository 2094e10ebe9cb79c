# A picture of 200 KiB that unpacks to 256 MiB is replaced with a warning, and the map is still converted and drawn.
# With a higher memory limit it is shown.
cp -R "$ATRIUM" game
rm game/textures/sample/brick.*
python3 - game/textures/sample/brick.png <<'PYTHON'
import struct, sys, zlib

def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

packer = zlib.compressobj(9)
row = b"\0" + b"\x80\x60\x40" * 8192
pixels = b"".join([packer.compress(row) for _ in range(8192)] + [packer.flush()])
header = struct.pack(">IIBBBBB", 8192, 8192, 8, 2, 0, 0, 0)
with open(sys.argv[1], "wb") as file:
    file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b""))
PYTHON
for name in atrium.glb atrium.obj; do
	expect 0 bspscene convert game/maps/atrium.bsp $name 2>said
	grep "brick" said
done
ls atrium.glb atrium.obj
expect 0 bspscene convert game/maps/atrium.bsp large.gltf --lighting lightmap --memory-limit 2000
cmp large_textures_sample_brick.png game/textures/sample/brick.png
