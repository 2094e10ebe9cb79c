# Sourced by test: fetches the game UFO: Alien Invasion (GPL-2+ and free art) from the distribution's packages and
# unpacks it into build/ufoai. It has 1 GB, of which the maps are 390 MB.

UFOAI_PACKAGES=(ufoai-maps ufoai-data ufoai-textures)

# Unpacks the game and prints its directory. Fails if a package cannot be fetched.
fetch_ufoai() {
	unpack_packages "$PWD/build/ufoai" "${UFOAI_PACKAGES[@]}" || return 1
	echo "$PWD/build/ufoai/usr/share/games/ufoai/base"
}
