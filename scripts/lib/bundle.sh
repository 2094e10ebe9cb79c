# shellcheck shell=bash
# Sourced by package: fetches the sources and compilers that scripts/bundle needs into build/bundle.

ZIG_VERSION=0.17.1
ZIG_SHA256=ea6cc5d87b033cf0aedfbc8f9549a908cae6c50ac31f1698188fa48a74524b54

BUNDLE_APT=$PWD/build/bundle/apt
BUNDLE_APT_SOURCES=$PWD/scripts/lib/apt_sources.py

# Runs apt-get with source packages of this system's mirror and with separate directories, so that this system does not
# change.
source_apt() {
	local root=$BUNDLE_APT
	mkdir -p "$root/lists/partial" "$root/archives/partial"
	"$BUNDLE_APT_SOURCES" deb-src bookworm >"$root/sources.sources" || return 1
	apt-get -q -o APT::Sandbox::User=root -o Acquire::Retries=1 -o Acquire::Languages=none \
		-o "Dir::Etc::sourcelist=$root/sources.sources" -o Dir::Etc::sourceparts=/dev/null \
		-o "Dir::State::Lists=$root/lists" -o "Dir::Cache=$root" "$@"
}

# unpack_upstream PACKAGE=VERSION: unpacks the archive of the authors into the folder that dpkg-source would make,
# without Debian's changes.
unpack_upstream() {
	local name=${1%%=*} version=${1#*=}
	version=${version#*:}
	version=${version%-*}
	mkdir "$name-$version" || return 1
	tar -xf "$name"_"$version".orig.tar.* -C "$name-$version" --strip-components=1
}

# fetch_list PINS FOLDER: fetches the source packages of a list and checks them before unpacking. If the list has no
# .dsc of a package, only the authors' archive is fetched. Stops at the first error, even if the caller runs it where
# `set -e` has no effect.
fetch_list() {
	local pins=$PWD/$1 folder=$PWD/$2 packages=() upstream=() package file
	if [ -e "$folder/unpacked" ] && cmp -s "$folder/unpacked" "$pins"; then return; fi
	rm -rf "$folder"
	mkdir -p "$folder" || return 1
	while read -r package; do
		if grep -qF "  ${package%%=*}_${package##*[=:]}.dsc" "$pins"; then
			packages+=("$package")
		else
			upstream+=("$package")
		fi
	done < <(grep -v '^#' "$pins" | grep '=')
	source_apt update || return 1
	(
		cd "$folder" || exit 1
		source_apt source --download-only "${packages[@]}" || exit 1
		if [ ${#upstream[@]} != 0 ]; then
			source_apt source --download-only --tar-only "${upstream[@]}" || exit 1
		fi
		grep -E '^[0-9a-f]{64}  ' "$pins" | sha256sum --check --quiet || exit 1
		for file in *.dsc; do dpkg-source --no-check -x "$file" >unpacking.log || exit 1; done
		for package in "${upstream[@]}"; do unpack_upstream "$package" || exit 1; done
	) || return 1
	cp "$pins" "$folder/unpacked"
}

# fetch_sources fetches the sources of the products into build/bundle/sources. fetch_test_sources fetches further
# sources, for tests.
fetch_sources() { fetch_list scripts/bundle/sources.txt build/bundle/sources; }
fetch_test_sources() { fetch_list scripts/bundle/test_sources.txt build/bundle/test-sources; }

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

# toolchain TARGET: prints the CMake options for a target. It is a platform, one processor of macos, or a machine of
# scripts/test-machines.
toolchain() {
	local folder=$PWD/scripts/bundle/toolchains target launcher=()
	if command -v ccache >/dev/null; then
		launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
	fi
	case $1 in
		windows-x64)
			echo "--toolchain $folder/mingw.cmake ${launcher[*]}"
			return
			;;
		web)
			echo "--toolchain /usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake ${launcher[*]}"
			return
			;;
		linux-s390x | linux-i686)
			echo "--toolchain $folder/debian.cmake -DBUNDLE_MACHINE=${1#linux-} ${launcher[*]}"
			return
			;;
		linux-x64) target=x86_64-linux-gnu.2.17 ;;
		linux-arm64) target=aarch64-linux-gnu.2.17 ;;
		macos-x64) target=x86_64-macos.11.0 ;;
		macos-arm64) target=aarch64-macos.11.0 ;;
		*)
			echo "No such platform: $1" >&2
			return 1
			;;
	esac
	# The compiler cache is not used, because zig has its own cache.
	echo "--toolchain $folder/zig.cmake -DBUNDLE_TARGET=$target -DZIG=$(fetch_zig)"
}

# configure_bundle TARGET OPTION...: configures build/bundle/TARGET.
configure_bundle() {
	local options
	options=$(toolchain "$1") || return 1
	# shellcheck disable=SC2086 # a list of options
	cmake -S scripts/bundle -B "build/bundle/$1" -G Ninja $options \
		-DBUNDLE_SOURCES="$PWD/build/bundle/sources" -DBUNDLE_TEST_SOURCES="$PWD/build/bundle/test-sources" \
		"${@:2}" >/dev/null
}

# stage TARGET FOLDER: builds the target and installs it into FOLDER: bin, lib and include.
stage() {
	configure_bundle "$1" "-DCMAKE_INSTALL_PREFIX=$PWD/$2"
	cmake --build "build/bundle/$1"
	rm -rf "$2"
	cmake --install "build/bundle/$1" >/dev/null
}

# join_macos STAGE: joins the files for both macOS processors to universal files. zig has the declarations of the
# system's functions and signs the files for arm64. No Mac has run the result.
join_macos() {
	local file halves=(build/bundle/macos-arm64/stage build/bundle/macos-x64/stage)
	rm -rf "$1"
	mkdir -p "${1%/*}"
	cp -r "${halves[0]}" "$1"
	for file in bin/bspscene "lib/$(basename "$(readlink -f "${halves[0]}/lib/libbspscene.dylib")")"; do
		llvm-strip-14 -x "${halves[0]}/$file" "${halves[1]}/$file"
		llvm-lipo-14 -create "${halves[0]}/$file" "${halves[1]}/$file" -output "$1/$file"
	done
	python3 scripts/lib/check_macho.py "$1/bin/bspscene" "$1/lib/libbspscene.dylib"
}

# stage_documents: builds a program for this machine that writes manual pages and completions to build/bundle/documents.
stage_documents() {
	local platform=linux-x64
	if [ -d build/bundle/documents ]; then return; fi
	if [ "$(uname -m)" = aarch64 ]; then platform=linux-arm64; fi
	configure_bundle "$platform" -DBUNDLE_DOCUMENTS=ON
	cmake --build "build/bundle/$platform" --target bspscene_manual
	cmake --install "build/bundle/$platform" --component documents --prefix build/bundle/documents >/dev/null
}

# build_platform PLATFORM: builds out/stage/PLATFORM: bin, lib, include and share.
build_platform() {
	local half
	if [ "$1" = macos ]; then
		for half in macos-arm64 macos-x64; do stage "$half" "build/bundle/$half/stage"; done
		join_macos out/stage/macos
	else
		stage "$1" "out/stage/$1"
	fi
	# The Windows product has no manual pages and completions, because Windows has no programs that read them.
	if [ "$1" = windows-x64 ]; then return; fi
	stage_documents
	cp -r build/bundle/documents/share "out/stage/$1"
}
