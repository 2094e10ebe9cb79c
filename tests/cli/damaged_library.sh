# The Assimp importer may be installed but fail to load, because memory is short or its file is damaged. The error then
# names the library. If it is not installed, the error says that the output's extension is unknown.
program=$(readlink -f "$(command -v bspscene)")
library=$(ldd "$program" | sed -n 's/.*libbspscene\.so[.0-9]* => \([^ ]*\).*/\1/p')
if [ -z "$library" ] || ! grep -q libbspscene_assimp.so "$program"; then
	echo "Assimp is linked, or not there"
	exit 77
fi
mkdir -p own/bin own/lib
cp "$program" own/bin/bspscene
ln -s "$library" own/lib/
version=${library##*.so}
touch "own/lib/libbspscene_assimp.so$version"
expect 1 own/bin/bspscene convert "$ATRIUM/maps/atrium.bsp" a.dae
ls
