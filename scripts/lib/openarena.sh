# shellcheck shell=bash
# Sourced by test: OpenArena (GPL-2+), its maps and what an engine needs to run them, from the distribution's packages,
# unpacked into build/openarena.

OPENARENA_PACKAGES=(openarena-data openarena-081-maps openarena-081-textures openarena-081-misc openarena-081-players
	openarena-081-players-mature openarena-085-data openarena-088-data openarena-oacmp1 openarena)

# Prints the game directory. Fails if a package cannot be fetched.
fetch_openarena() {
	unpack_packages "$PWD/build/openarena" "${OPENARENA_PACKAGES[@]}" || return 1
	echo "$PWD/build/openarena/usr/share/games/openarena/baseoa"
}
