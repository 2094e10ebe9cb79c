# SHA512 is filled in when the release is made: packaging/README.md.
vcpkg_download_distfile(archive
	URLS "https://example.org/bspscene/bspscene-${VERSION}.tar.gz"
	FILENAME "bspscene-${VERSION}.tar.gz"
	SHA512 0)
vcpkg_extract_source_archive(source ARCHIVE "${archive}")

# bspscene includes <stb/...>; this registry has stb's headers without a folder.
file(GLOB stb_headers "${CURRENT_INSTALLED_DIR}/include/stb_*.h")
file(COPY ${stb_headers} DESTINATION "${CURRENT_BUILDTREES_DIR}/stb/stb")

vcpkg_check_features(OUT_FEATURE_OPTIONS features
	FEATURES
		render BSPSCENE_RENDER
		tools BSPSCENE_CLI)
vcpkg_find_acquire_program(PKGCONFIG)
vcpkg_cmake_configure(
	SOURCE_PATH "${source}"
	OPTIONS ${features} "-DPKG_CONFIG_EXECUTABLE=${PKGCONFIG}" "-DSTB_INCLUDE_DIR=${CURRENT_BUILDTREES_DIR}/stb"
		-DBSPSCENE_TESTS=OFF -DBSPSCENE_ASSIMP=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/bspscene)
vcpkg_fixup_pkgconfig()
if("tools" IN_LIST FEATURES)
	vcpkg_copy_tools(TOOL_NAMES bspscene AUTO_CLEAN)
endif()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${source}/LICENSE" "${source}/native/licenses/librequake.txt")
