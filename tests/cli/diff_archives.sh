# `diff` compares two maps that are chosen by --map or FILE:MAP, or all maps of two archives. For archives it lists
# which maps were removed, added, renamed, moved and changed.
python3 - <<'PYTHON'
import os, struct, zipfile
data = open(os.environ["FIXTURES"] + "/atrium/quake3/maps/atrium.bsp", "rb").read()
def changed(lump, change):
    copy = bytearray(data)
    offset, size = struct.unpack_from("<ii", copy, 8 + 8 * lump)
    copy[offset:offset + size] = change(copy[offset:offset + size])
    return bytes(copy)
def titled(letter):
    return changed(0, lambda text: text.replace(b"(CC0)", b"(CC" + letter + b")"))
def archive(name, maps):
    with zipfile.ZipFile(name, "w") as out:
        for path, content in maps.items():
            out.writestr(path, content)
dark = changed(14, lambda luxels: bytes(luxel // 2 for luxel in luxels))
archive("old.pk3", {"maps/same.bsp": data, "maps/gone.bsp": titled(b"1"), "maps/first.bsp": titled(b"2"),
                    "maps/lit.bsp": data, "maps/flat.bsp": titled(b"3"), "maps/broken.bsp": data})
archive("new.pk3", {"maps/Same.bsp": data, "maps/added.bsp": titled(b"4"), "maps/second.bsp": titled(b"2"),
                    "maps/lit.bsp": dark, "flat.bsp": titled(b"3"), "maps/broken.bsp": data[:99]})
archive("one.pk3", {"maps/one.bsp": dark})
# If two maps of an archive have the same file name, each is paired with the map of equal bytes, in whatever order they
# come.
archive("folders.pk3", {"a/x.bsp": dark, "b/x.bsp": data})
archive("swapped.pk3", {"c/x.bsp": data, "d/x.bsp": dark})
open("with:colon.bsp", "wb").write(data)
PYTHON
expect 1 bspscene diff old.pk3 new.pk3 --quiet
expect 1 bspscene diff old.pk3 new.pk3 --quiet --json >maps.json 2>/dev/null
python3 - <<'PYTHON'
import json
maps = json.load(open("maps.json"))["maps"]
lit, = maps["changed"]
assert lit["a"] == "maps/lit.bsp" and lit["light"]["luxels"]["changed"] > 0
print({key: value for key, value in maps.items() if key not in ("changed", "unread")})
PYTHON
bspscene diff folders.pk3 swapped.pk3 --quiet
for sides in "old.pk3 new.pk3 --map same" "old.pk3 new.pk3 --map first --map second" "old.pk3:lit new.pk3:lit" \
	"old.pk3 one.pk3 --map same --map one" "old.pk3:same one.pk3" "with:colon.bsp old.pk3:same"; do
	echo "$sides:"
	# shellcheck disable=SC2086
	bspscene diff $sides --quiet | sed -n 1,4p
done
expect 1 bspscene diff old.pk3:nothing new.pk3:lit
expect 2 bspscene diff old.pk3 with:colon.bsp
expect 2 bspscene diff old.pk3 new.pk3 --map same --map same --map same
expect 2 bspscene diff old.pk3 new.pk3 --picture no.png
# These maps come from two compilers. If the layouts of a face's luxels differ, the light is compared at the face's
# corners. Light directions are compared separately.
for other in atrium_patchmeta atrium_deluxe; do
	bspscene diff "$ATRIUM/maps/atrium.bsp" "$ATRIUM/maps/$other.bsp" --quiet | sed -n 5,12p
done
bspscene diff "$FIXTURES/atrium/quake/maps/atrium.bsp" "$ATRIUM/maps/atrium.bsp" --quiet | tail -n 3
