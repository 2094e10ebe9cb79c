# Sourced by test: the maps of OpenArena (GPL-2+) from the distribution's packages, unpacked into build/openarena.

OPENARENA_PACKAGES=(openarena-data openarena-081-maps openarena-081-textures openarena-081-misc openarena-081-players
	openarena-081-players-mature openarena-085-data openarena-088-data openarena-oacmp1)

# Prints the game directory. Fails when some package cannot be had.
fetch_openarena() {
	local root=$PWD/build/openarena package
	mkdir -p "$root/debs"
	for package in "${OPENARENA_PACKAGES[@]}"; do
		[ -e "$root/$package.unpacked" ] && continue
		(cd "$root/debs" && apt-get -q -o APT::Sandbox::User=root download "$package" >&2) || return 1
		dpkg -x "$root/debs/$package"_*.deb "$root" || return 1
		rm -f "$root/debs/$package"_*.deb
		touch "$root/$package.unpacked"
	done
	echo "$root/usr/share/games/openarena/baseoa"
}
