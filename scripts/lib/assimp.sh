# shellcheck shell=bash
# Sourced by test: fetches versions of Assimp other than the installed one. Debian's packages are unpacked into
# build/assimp, a wheel into build/assimp_wheel. Those of Assimp's own test models that are free are unpacked into
# build/assimp_models.

ASSIMP_SUITES=(trixie sid)

# unpack_suite SUITE DIRECTORY: unpacks the Assimp of a Debian release with all libraries that it needs, including the C
# library. Apt is told that no package is installed, so that it fetches all dependencies. It uses separate directories,
# so that this system does not change.
unpack_suite() {
	local suite=$1 root=$2 options package
	rm -rf "$root"
	mkdir -p "$root/apt/lists/partial" "$root/apt/archives/partial" || return 1
	: >"$root/apt/status"
	scripts/lib/apt_sources.py deb "$suite" >"$root/apt/sources.sources" || return 1
	options=(-q -o APT::Sandbox::User=root -o Acquire::Retries=1 -o Acquire::Languages=none
		-o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false
		-o "Dir::Etc::sourcelist=$root/apt/sources.sources" -o Dir::Etc::sourceparts=/dev/null
		-o "Dir::State::status=$root/apt/status" -o "Dir::State::Lists=$root/apt/lists" -o "Dir::Cache=$root/apt")
	apt-get "${options[@]}" -o APT::Update::Error-Mode=any update >&2 || return 1
	apt-get "${options[@]}" -y --no-install-recommends --download-only install libassimp-dev assimp-utils >&2 ||
		return 1
	for package in "$root"/apt/archives/*.deb; do dpkg -x "$package" "$root" || return 1; done
	rm -rf "$root/apt"
}

# Unpacks the further versions and prints their directories, separated by colons. Fails if none can be fetched.
fetch_assimp() {
	local suite root found=
	for suite in "${ASSIMP_SUITES[@]}"; do
		root=$PWD/build/assimp/$suite
		if [ ! -e "$root/unpacked" ]; then
			if ! unpack_suite "$suite" "$root"; then
				rm -rf "$root"
				continue
			fi
			touch "$root/unpacked"
		fi
		found=$found${found:+:}$root
	done
	[ -n "$found" ] && echo "$found"
}

# Unpacks a wheel of Assimp 6 with its headers and prints its directory. Fails if it cannot be fetched.
fetch_assimp_wheel() {
	local root=$PWD/build/assimp_wheel
	if ! compgen -G "$root/*.prefix" >/dev/null; then
		rm -rf "$root"
		python3 -m venv "$root/tools" && "$root/tools/bin/pip" download -q --disable-pip-version-check --no-deps \
			--only-binary :all: -d "$root" cmeel-assimp==6.0.5 >&2 || return 1
		python3 -m zipfile -e "$root"/*.whl "$root" && chmod +x "$root"/*.prefix/bin/* || return 1
	fi
	echo "$root"
}

# Unpacks the models and prints their directory, which has a folder for each format. Fails if the package cannot be
# fetched.
fetch_assimp_models() {
	unpack_packages "$PWD/build/assimp_models" assimp-testmodels || return 1
	echo "$PWD/build/assimp_models/usr/share/assimp/models"
}
