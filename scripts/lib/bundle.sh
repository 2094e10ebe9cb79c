# shellcheck shell=bash
# Sourced by package: the sources and the compilers of scripts/bundle, in build/bundle.

ZIG_VERSION=0.17.1
ZIG_SHA256=ea6cc5d87b033cf0aedfbc8f9549a908cae6c50ac31f1698188fa48a74524b54

BUNDLE_APT=$PWD/build/bundle/apt

# Apt with source packages and lists of its own, so that nothing of this system changes.
source_apt() {
	local keys=/usr/share/keyrings/debian-archive-keyring.gpg root=$BUNDLE_APT
	mkdir -p "$root/lists/partial" "$root/archives/partial"
	echo "deb-src [signed-by=$keys] http://deb.debian.org/debian bookworm main" >"$root/sources.list"
	apt-get -q -o APT::Sandbox::User=root -o Acquire::Retries=1 -o Acquire::Languages=none \
		-o "Dir::Etc::sourcelist=$root/sources.list" -o Dir::Etc::sourceparts=/dev/null \
		-o "Dir::State::Lists=$root/lists" -o "Dir::Cache=$root" "$@"
}

# fetch_sources: all of sources.txt into build/bundle/sources, checked before they are unpacked.
fetch_sources() {
	local pins=$PWD/scripts/bundle/sources.txt folder=$PWD/build/bundle/sources packages file
	if [ -e "$folder/unpacked" ] && cmp -s "$folder/unpacked" "$pins"; then return; fi
	rm -rf "$folder"
	mkdir -p "$folder"
	mapfile -t packages < <(grep -v '^#' "$pins" | grep '=')
	source_apt update
	(
		cd "$folder" || exit 1
		source_apt source --download-only "${packages[@]}"
		grep -E '^[0-9a-f]{64}  ' "$pins" | sha256sum --check --quiet
		for file in *.dsc; do dpkg-source --no-check -x "$file" >unpacking.log; done
	)
	cp "$pins" "$folder/unpacked"
}

# fetch_zig: the compiler for Linux and macOS from PyPI, by checksum. Prints its path.
fetch_zig() {
	local folder=$PWD/build/bundle/zig-$ZIG_VERSION
	if [ ! -e "$folder/ready" ]; then
		rm -rf "$folder"
		python3 -m venv "$folder"
		echo "ziglang==$ZIG_VERSION --hash=sha256:$ZIG_SHA256" >"$folder/requirements.txt"
		"$folder/bin/pip" -q install --disable-pip-version-check --require-hashes -r "$folder/requirements.txt" >&2
		touch "$folder/ready"
	fi
	echo "$folder"/lib/python3*/site-packages/ziglang/zig
}

# toolchain PLATFORM: the options that configure the bundle for it.
toolchain() {
	local folder=$PWD/scripts/bundle/toolchains target
	case $1 in
		windows-x64)
			echo "--toolchain $folder/mingw.cmake"
			return
			;;
		linux-x64) target=x86_64-linux-gnu.2.17 ;;
		linux-arm64) target=aarch64-linux-gnu.2.17 ;;
		*) return 1 ;;
	esac
	echo "--toolchain $folder/zig.cmake -DBUNDLE_TARGET=$target -DZIG=$(fetch_zig)"
}

# build_platform PLATFORM: into out/stage/PLATFORM, with bin, lib and include.
build_platform() {
	local build=build/bundle/$1 options
	options=$(toolchain "$1") || return 1
	# shellcheck disable=SC2086 # a list of options
	cmake -S scripts/bundle -B "$build" -G Ninja $options -DBUNDLE_SOURCES="$PWD/build/bundle/sources" \
		-DCMAKE_INSTALL_PREFIX="$PWD/out/stage/$1" >/dev/null
	cmake --build "$build"
	rm -rf "out/stage/$1"
	cmake --install "$build" >/dev/null
}
