# If permissions forbid reading a file or directory, a message names it. If output cannot be written, nothing is left
# behind.
if ! without_override true 2>/dev/null; then
	echo "skipped: setpriv cannot drop root's rights here"
	exit 77
fi
mkdir -p game/maps locked
cp "$ATRIUM/maps/atrium.bsp" game/maps/atrium.bsp
chmod 0 game/maps/atrium.bsp
expect 1 without_override bspscene info game/maps/atrium.bsp
chmod 644 game/maps/atrium.bsp
chmod 0 locked
expect 1 without_override bspscene list locked
expect 1 without_override bspscene info locked
expect 1 without_override bspscene convert "$ATRIUM/maps/atrium.bsp" out.glb --game locked
expect 1 without_override bspscene convert game/maps/atrium.bsp locked/atrium.glb
expect 1 without_override bspscene bake game/maps/atrium.bsp locked/atlas
chmod 500 locked
expect 1 without_override bspscene convert game/maps/atrium.bsp locked/atrium.glb
chmod 700 locked
ls -A locked
