# shellcheck shell=bash
# Sourced by test: fetches the game OpenArena (GPL-2+) from the distribution's packages and unpacks it into
# build/openarena: its maps, and what an engine needs to run them.

OPENARENA_PACKAGES=(openarena-data openarena-081-maps openarena-081-textures openarena-081-misc openarena-081-players
	openarena-081-players-mature openarena-085-data openarena-088-data openarena-oacmp1 openarena)

# Unpacks the game and prints its directory. Fails if a package cannot be fetched.
fetch_openarena() {
	unpack_packages "$PWD/build/openarena" "${OPENARENA_PACKAGES[@]}" || return 1
	echo "$PWD/build/openarena/usr/share/games/openarena/baseoa"
}
