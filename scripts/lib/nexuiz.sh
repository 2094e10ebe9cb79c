# Sourced by test: fetches the game Nexuiz (GPL-2+) from the distribution's packages and unpacks it into build/nexuiz.
# Its textures have 450 MB.

NEXUIZ_PACKAGES=(nexuiz-data nexuiz-textures)

# Unpacks the game and prints its directory. Fails if a package cannot be fetched.
fetch_nexuiz() {
	unpack_packages "$PWD/build/nexuiz" "${NEXUIZ_PACKAGES[@]}" || return 1
	echo "$PWD/build/nexuiz/usr/share/games/nexuiz/data"
}
