# Maps that a game assembles from tiles are listed, described, converted and drawn; another seed gives another map.
# Commands that do not support them say so.
game=$FIXTURES/ufoai
bspscene list "$game"
bspscene list "$game/maps/yard.ump"
bspscene info "$game" --map yard.ump/garden
bspscene info "$game/maps/yard.ump" --map plot
bspscene entities "$game" --map yard.ump/plot | grep origin
bspscene convert "$game" one.glb --map garden --seed 1 --quiet
bspscene convert "$game" same.glb --map garden --seed 1 --quiet
bspscene convert "$game" other.glb --map garden --seed 2 --quiet
cmp one.glb same.glb
! cmp -s one.glb other.glb
bspscene entities "$game" --map garden --seed 1 >one.ent
bspscene entities "$game" --map garden --seed 2 >other.ent
! cmp -s one.ent other.ent
expect 2 bspscene info "$game/maps/yard.ump"
expect 1 bspscene info "$game" --map yard.ump/street
expect 1 bspscene rewrite "$game" x.bsp --map yard.ump/plot --entities one.ent
bspscene bake "$game" atlas --map yard.ump/plot --every-style --lightmap-encoding raw --quiet
expect 1 bspscene relight "$game" atlas x.bsp --map yard.ump/plot
printf 'base no/\ntile +a { 3 3 0 0 0 0 +a 0 0 0 0 }\nassembly none { size "1 1" +a "1 1" }\n' >none.ump
expect 1 bspscene info none.ump --map none
