# Sourced by test: UFO: Alien Invasion (GPL-2+ and free art) from the distribution's packages, unpacked into
# build/ufoai. It is 1 GB, of which the maps are 390 MB.

UFOAI_PACKAGES=(ufoai-maps ufoai-data ufoai-textures)

# Prints the game directory. Fails if a package cannot be fetched.
fetch_ufoai() {
	unpack_packages "$PWD/build/ufoai" "${UFOAI_PACKAGES[@]}" || return 1
	echo "$PWD/build/ufoai/usr/share/games/ufoai/base"
}
