# Files have single faults: a map of the Quake games, its light, WAD, palette or textures. For each fault, one line
# names the file, the lump, the record and the offset. The rest of the map loads.

# fresh GAME: copies a game directory of the fixtures, with only one map.
fresh() {
	rm -rf "$1"
	cp -r "$FIXTURES/atrium/$1" .
	chmod -R u+w "$1"
	rm -f "$1/maps/atrium_bspx.bsp"
}

# number FILE OFFSET: prints the 32-bit number at the offset.
number() {
	python3 -c 'import struct, sys
print(struct.unpack_from("<i", open(sys.argv[1], "rb").read(), int(sys.argv[2]))[0])' "$@"
}

# patch FILE AT BYTES...: writes values into a file. AT is one of three: an offset in the file; LUMP:RECORD:SIZE:FIELD
# (number of the lump, number and size of the record, offset in the record); or size:LUMP for a lump's size in the
# directory. A value is a byte, or w:NUMBER for 32 bits.
patch() {
	python3 - "$@" <<'PYTHON'
import struct, sys
path, at, values = sys.argv[1], sys.argv[2], sys.argv[3:]
data = bytearray(open(path, "rb").read())
directory = 8 if data[:4] == b"IBSP" else 4
if at.startswith("size:"):
    at = directory + 8 * int(at[5:]) + 4
elif ":" in at:
    lump, record, size, field = map(int, at.split(":"))
    at = struct.unpack_from("<i", data, directory + 8 * lump)[0] + record * size + field
at = int(at)
for value in values:
    new = struct.pack("<I", int(value[2:], 0) & 0xffffffff) if value.startswith("w:") else bytes([int(value)])
    data[at:at + len(new)] = new
    at += len(new)
open(path, "wb").write(data)
PYTHON
}

# shown GAME: prints the output of `info`. The map must load in spite of its fault.
shown() {
	expect 0 bspscene info "$1"/maps/*.bsp >info.txt
	grep -q '^  triangles  1' info.txt || cat info.txt
}

# broken GAME FILE AT VALUE...: patches this file in a fresh copy of the game, and shows the map.
broken() {
	fresh "$1"
	echo "$1: $2 at $3" >&2
	patch "$1/$2" "$3" "$4" ${5:+"$5"} ${6:+"$6"} ${7:+"$7"}
	shown "$1"
}

# The lump's size is not a multiple of 20 bytes, the size of a plane.
fresh quake
planes=$(number quake/maps/atrium.bsp 16)
texture=$(number quake/maps/atrium.bsp $(($(number quake/maps/atrium.bsp 20) + 8)))
broken quake maps/atrium.bsp size:1 w:$((planes - 3))
# Four indices are bad: a face's texinfo, a face's plane, an edge's vertex, and a surfedge that has no positive
# counterpart.
broken quake maps/atrium.bsp 7:5:20:10 255 255
broken quake maps/atrium.bsp 7:6:20:0 255 255
broken quake maps/atrium.bsp 12:100:4:0 255 255
broken quake maps/atrium.bsp 13:100:4:0 w:0x80000000
# The offset of a face's light lies after the end of the lump, or before its beginning.
broken quake maps/atrium.bsp 7:7:20:16 w:0x7ffffff0
broken quake maps/atrium.bsp 7:7:20:16 w:-5
# The first texture's offset lies after the end of the file. In other cases its size is impossible, or 0.
broken quake maps/atrium.bsp 2:0:0:8 w:0x7ffffff0
broken quake maps/atrium.bsp 2:0:0:$((texture + 16)) w:0x7fffffff
broken quake maps/atrium.bsp 2:0:0:$((texture + 16)) w:0
broken quake maps/atrium.bsp 2:0:0:$((texture + 24)) w:0x7fffffff
# The .lit has another version, or belongs to another map; the palette is too short.
broken quake maps/atrium.lit 4 w:7
fresh quake
head -c 1000 "$FIXTURES/atrium/quake/maps/atrium.lit" >quake/maps/atrium.lit
shown quake
fresh quake
head -c 700 "$FIXTURES/atrium/quake/gfx/palette.lmp" >quake/gfx/palette.lmp
shown quake

# If two entries of a WAD have the same offset, both are read. Entries outside of the file count as missing. A broken
# directory is an error.
wad_directory=$(number "$FIXTURES/atrium/goldsrc/sample.wad" 8)
broken goldsrc sample.wad $((wad_directory + 32)) w:12
broken goldsrc sample.wad $((wad_directory + 32)) w:0x7ffffff0
broken goldsrc sample.wad 4 w:0x7fffffff
broken goldsrc sample.wad 8 w:0x7fffffff
broken goldsrc sample.wad 0 0 0 0 0

# The chain of an animated texture may lead back to another texture than the first one. Sky faces with style 0 and
# without light, as q2map writes them, are not an error.
broken quake2_q2map maps/atrium.bsp 5:0:76:72 w:1
broken quake2_q2map maps/atrium.bsp 5:1:76:72 w:1
broken quake2_q2map maps/atrium.bsp 5:2:76:72 w:0x7fffffff
# Pictures are broken. The picture of the palette has too many columns, or rows of 0 bytes. A texture has an impossible
# size, has its data after the end of the file, or is truncated.
broken quake2_q2map pics/colormap.pcx 8 255 255 255 255
broken quake2_q2map pics/colormap.pcx 66 0 0
broken quake2_q2map textures/sample/brick.wal 32 w:0x7fffffff w:0x7fffffff
broken quake2_q2map textures/sample/brick.wal 40 w:0x7ffffff0
fresh quake2_q2map
head -c 60 "$FIXTURES/atrium/quake2_q2map/textures/sample/brick.wal" >quake2_q2map/textures/sample/brick.wal
shown quake2_q2map

# These files are not maps.
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n' >pointer.bsp
printf "IDSQ\012\000\000\000rest of it" >model.bsp
for file in pointer.bsp model.bsp; do
	expect 1 bspscene convert "$file" out.glb
done
ls -A
