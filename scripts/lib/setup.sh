# shellcheck disable=SC2034 # the lists are used by the scripts that source this file
# shellcheck shell=bash
# Sourced by other scripts: has functions that print what happens, install missing packages on Debian and Ubuntu, and
# configure builds.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

# Packages for building, and then those that enable optional parts and that not every distribution has.
BUILD_PACKAGES=(gcc g++ libc6-dev cmake ninja-build pkg-config
	libpng-dev zlib1g-dev liblzma-dev libjansson-dev libturbojpeg0-dev libdeflate-dev libstb-dev)
BUILD_EXTRAS=(libbz2-dev libzstd-dev libopenexr-dev libembree-dev libassimp-dev
	libmeshoptimizer-dev libwebp-dev libsqlite3-dev libarchive-dev)

say() { printf '\n== %s\n' "$*"; }

# Runs a command as root.
as_root() {
	if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

apt_get() { as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o Dpkg::Use-Pty=0 "$@" >>build/packages.log 2>&1; }

is_installed() {
	[ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# Tells whether a program is installed that often does not come from the distribution. The distribution's package of it
# could conflict with the installed one.
has_program() {
	case $1 in
		nodejs) command -v node ;;
		npm | chromium | cmake | python3) command -v "$1" ;;
		ninja-build) command -v ninja ;;
		*) false ;;
	esac >/dev/null
}

# missing PACKAGE...: prints the packages that are not installed.
missing() {
	local package
	for package in "$@"; do is_installed "$package" || has_program "$package" || echo "$package"; done
}

# available PACKAGE...: prints the packages that the distribution has.
available() {
	local package
	for package in "$@"; do
		if [[ $(apt-cache policy "$package" 2>/dev/null) =~ Candidate:\ [^\(] ]]; then echo "$package"; fi
	done
}

# install_packages PACKAGE... [--optional PACKAGE...]: does nothing if all are installed. BSPSCENE_NO_INSTALL=1 skips
# it.
install_packages() {
	local needed=() optional=() lacking wanted package
	while [ $# -gt 0 ] && [ "$1" != --optional ]; do needed+=("$1"); shift; done
	[ $# -gt 0 ] && shift
	optional=("$@")
	if [ -n "${BSPSCENE_NO_INSTALL:-}" ]; then return; fi
	if ! command -v apt-get >/dev/null; then
		echo "No apt-get here: install what corresponds to these Debian packages, then run again with"
		echo "BSPSCENE_NO_INSTALL=1:"
		echo "  ${needed[*]} ${optional[*]}"
		exit 1
	fi
	lacking=$(missing "${needed[@]}")
	wanted=$(missing "${optional[@]}")
	if [ -z "$lacking$wanted" ]; then
		echo "All packages are installed."
		return
	fi
	if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
		if [ -z "$lacking" ]; then return; fi
		echo "Not root and no sudo: have these packages installed, then run again:"
		echo "  ${lacking//$'\n'/ }"
		exit 1
	fi
	mkdir -p build
	echo "This takes a minute or two; the log is build/packages.log."
	apt_get update || echo "Not all package lists could be updated; going on with the others."
	install_now() {
		if [ $# = 0 ]; then return; fi
		echo "Installing $*"
		apt_get -y install --no-install-recommends "$@"
	}
	# shellcheck disable=SC2046,SC2086 # lists of names
	if ! install_now $lacking; then
		tail -n 20 build/packages.log
		exit 1
	fi
	# Installs each package separately, so that one that cannot be installed does not block the others.
	# shellcheck disable=SC2086 # a list of names
	for package in $(available $wanted); do
		install_now "$package" || echo "$package could not be installed; what needs it is left out."
	done
}

# With ccache, files that any checkout or test has compiled before are taken from the cache.
if command -v ccache >/dev/null; then
	export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
	export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
fi

# configure DIRECTORY OPTION...: configures a build directory.
configure() {
	local directory=$1
	shift
	cmake -S . -B "$directory" -G Ninja "$@"
}
