# Light colors in a file next to the map are used wherever the map is: in a folder without a game, and in a zip with or
# without folders.
SOURCE=$FIXTURES/atrium/quake/maps
mkdir flat other
cp "$SOURCE/atrium.bsp" "$SOURCE/atrium.lit" flat/
cp "$SOURCE/atrium.bsp" other/
python3 - "$SOURCE" <<'PYTHON'
import sys, zipfile
for archive, folder in (("root.zip", ""), ("deep.zip", "Release 1/Files/")):
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as opened:
        opened.write(sys.argv[1] + "/atrium.bsp", folder + "Atrium.bsp")
        opened.write(sys.argv[1] + "/atrium.lit", folder + "atrium.LIT")
        opened.writestr(folder + "another.lit", "of no map")
PYTHON
bspscene bake "$SOURCE/atrium.bsp" wanted
for place in flat/atrium.bsp root.zip deep.zip; do
	bspscene bake $place found
	cmp wanted/atlas_0.png found/atlas_0.png
	rm -r found
done
(cd flat && bspscene bake atrium.bsp ../found)
cmp wanted/atlas_0.png found/atlas_0.png
bspscene bake other/atrium.bsp gray
cmp -s wanted/atlas_0.png gray/atlas_0.png && echo "a map without colors has some"
bspscene list root.zip
