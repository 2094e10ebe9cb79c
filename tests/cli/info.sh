# The facts of a map, for people and as the JSON object that programs rely on.
bspscene info "$ATRIUM/maps/atrium.bsp"
bspscene info "$ATRIUM/maps/atrium.bsp" --json >info.json
cat info.json
python3 -c 'import json; json.load(open("info.json"))'
# A name that is not UTF-8 does not break the JSON.
name=$(printf 'caf\351.bsp')
cp "$ATRIUM/maps/atrium.bsp" "$name"
bspscene info "$name" --json --quiet | python3 -c 'import json, sys; print(json.load(sys.stdin)["file"])'
