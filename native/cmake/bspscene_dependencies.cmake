# The libraries bspscene is built on: bspscene_dependencies to link, bspscene_include_dirs, bspscene_features (definitions
# for optional ones), and the same for pkg-config. bspscene-config.cmake.in finds them again for static linking.
find_package(PNG REQUIRED)
find_package(LibLZMA REQUIRED)
find_package(PkgConfig REQUIRED)
# Debian's CMake files of libzip and jansson do not work unless their tools are installed; pkg-config does.
pkg_check_modules(LIBZIP REQUIRED IMPORTED_TARGET GLOBAL libzip)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET GLOBAL jansson)
pkg_check_modules(TURBOJPEG REQUIRED IMPORTED_TARGET GLOBAL libturbojpeg)
find_path(STB_INCLUDE_DIR stb/stb_rect_pack.h REQUIRED)
mark_as_advanced(STB_INCLUDE_DIR)

set(bspscene_dependencies
	PNG::PNG LibLZMA::LibLZMA PkgConfig::LIBZIP PkgConfig::JANSSON PkgConfig::TURBOJPEG)
if(NOT WIN32)
	list(APPEND bspscene_dependencies m)
endif()
set(bspscene_pc_requires libpng liblzma libzip jansson libturbojpeg)
set(bspscene_pc_libs -lm)
set(bspscene_features "")

# Reading PNG needs libpng in any case; writing it can do without.
option(BSPSCENE_LIBPNG "Write PNG with libpng; otherwise with stb_image_write: slower, larger files" ON)
if(NOT BSPSCENE_LIBPNG)
	list(APPEND bspscene_features BSPI_NO_LIBPNG)
endif()

# The C interface to EXR came with OpenEXR 3.1; without it HDR pages cannot be written. It has no pkg-config file of its
# own, and Debian's CMake files for it name libraries that are not installed.
option(BSPSCENE_EXR "Write HDR lightmap pages as EXR, when OpenEXR 3.1 or newer is found" ON)
set(bspscene_include_dirs ${STB_INCLUDE_DIR})
if(BSPSCENE_EXR)
	pkg_check_modules(OPENEXR QUIET OpenEXR>=3.1)
	find_library(OPENEXRCORE_LIBRARY OpenEXRCore HINTS ${OPENEXR_LIBRARY_DIRS})
	mark_as_advanced(OPENEXRCORE_LIBRARY)
	if(OPENEXR_FOUND AND OPENEXRCORE_LIBRARY)
		list(APPEND bspscene_dependencies OpenEXRCore)
		list(APPEND bspscene_features BSPI_HAVE_EXR)
		list(APPEND bspscene_include_dirs ${OPENEXR_INCLUDE_DIRS})
		list(APPEND bspscene_pc_libs -lOpenEXRCore)
	else()
		message(STATUS "OpenEXR 3.1 or newer not found: HDR lightmap pages cannot be written")
	endif()
endif()
