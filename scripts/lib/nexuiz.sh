# Sourced by test: Nexuiz (GPL-2+) from the distribution's packages, unpacked into build/nexuiz. 450 MB of it are
# textures.

NEXUIZ_PACKAGES=(nexuiz-data nexuiz-textures)

# Prints the game directory. Fails if a package cannot be fetched.
fetch_nexuiz() {
	unpack_packages "$PWD/build/nexuiz" "${NEXUIZ_PACKAGES[@]}" || return 1
	echo "$PWD/build/nexuiz/usr/share/games/nexuiz/data"
}
