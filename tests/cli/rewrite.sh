# Entities are written into a map: unchanged entities give the same bytes. Changes are printed and written, and nothing
# else changes. Invalid entities are refused in one line, and nothing is written.
MAP=$ATRIUM/maps/atrium.bsp
bspscene entities "$MAP" >same.ent
bspscene entities "$MAP" --json >same.json
for form in ent json; do
	bspscene rewrite "$MAP" same.bsp --entities same.$form --force | sed 's/.*\(no entity changed\)/\1/'
	cmp "$MAP" same.bsp
done
sed -e 's/"wait" "2"/"wait" "12345"/' -e 's/"message" "[^"]*"/"message" "Rewritten"/' same.ent >new.ent
printf '{\n"classname" "info_null"\n"origin" "1 2 3"\n}\n' >>new.ent
bspscene rewrite "$MAP" new.bsp --entities new.ent --dry-run | sed 's/^.*atrium.bsp/atrium.bsp/'
[ ! -e new.bsp ]
bspscene rewrite "$MAP" new.bsp --entities - --quiet --json <new.ent | python3 -c '
import json, sys
for change in json.load(sys.stdin):
    print(change["kind"], change["classname"], [key["key"] for key in change["keys"]])'
bspscene entities new.bsp | cmp - new.ent
bspscene diff "$MAP" new.bsp --game "$ATRIUM" --quiet
bspscene rewrite new.bsp back.bsp --entities same.json >/dev/null
cmp "$MAP" back.bsp

# The output may be only the text of the entities.
bspscene rewrite "$FIXTURES/atrium/quake/maps/atrium.bsp" quake.ent --entities new.ent --quiet >/dev/null
grep -c Rewritten quake.ent
expect 1 bspscene rewrite "$MAP" atrium_l_0.lmp --entities new.ent

# Refused input leaves files as they are.
cp new.bsp kept.bsp
expect 1 bspscene rewrite "$MAP" new.bsp --entities new.ent
expect 1 bspscene rewrite "$MAP" other.bsp --entities absent.ent
expect 2 bspscene rewrite "$MAP" other.bsp
expect 2 bspscene rewrite "$MAP" other.png --entities new.ent
expect 2 bspscene rewrite new.bsp new.bsp --entities new.ent --force
expect 1 bspscene rewrite "$MAP" new.ent --entities new.ent --force
for text in '{ "classname" "light" }' '[{"pairs": [["classname", "worldspawn"], ["a", "\""]]}]' '[' \
	'[{"pairs": [["classname", "worldspawn"]]}, {"pairs": [["model", "*999"]]}]' '{ "classname" "worldspawn'; do
	printf '%s' "$text" >bad.ent
	expect 1 bspscene rewrite "$MAP" other.bsp --entities bad.ent
done
# Titanfall's entities are in files next to the map.
printf '{ "classname" "worldspawn" }' >alone.ent
expect 1 bspscene rewrite "$FIXTURES/respawn/maps/room.bsp" other.bsp --entities alone.ent
[ ! -e other.bsp ]
cmp new.bsp kept.bsp
