# Sourced by test: unpacks packages of the distribution for tests, without installing them.

# unpack_packages DIRECTORY PACKAGE...: unpacks the packages that are missing in the directory. Fails if one of them
# cannot be fetched.
unpack_packages() {
	local root=$1 package
	mkdir -p "$root/debs"
	for package in "${@:2}"; do
		[ -e "$root/$package.unpacked" ] && continue
		(cd "$root/debs" && apt-get -q -o APT::Sandbox::User=root download "$package" >&2) || return 1
		dpkg -x "$root/debs/$package"_*.deb "$root" || return 1
		rm -f "$root/debs/$package"_*.deb
		touch "$root/$package.unpacked"
	done
}
