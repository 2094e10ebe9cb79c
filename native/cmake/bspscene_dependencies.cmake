# The libraries bspscene is built on: bspscene_dependencies to link, bspscene_include_dirs,
# bspscene_features (definitions for optional ones), and the same for pkg-config. bspscene-config.cmake.in
# finds them again for static linking.
find_package(PNG REQUIRED)
find_package(ZLIB REQUIRED)
find_package(LibLZMA REQUIRED)
find_package(PkgConfig REQUIRED)
# Debian's CMake files of jansson do not work unless its tools are installed; pkg-config does.
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET GLOBAL jansson)
pkg_check_modules(TURBOJPEG REQUIRED IMPORTED_TARGET GLOBAL libturbojpeg)
find_path(STB_INCLUDE_DIR stb/stb_rect_pack.h REQUIRED)
mark_as_advanced(STB_INCLUDE_DIR)

set(bspscene_dependencies
	PNG::PNG ZLIB::ZLIB LibLZMA::LibLZMA PkgConfig::JANSSON PkgConfig::TURBOJPEG)
if(NOT WIN32)
	list(APPEND bspscene_dependencies m)
endif()
set(bspscene_pc_requires libpng zlib liblzma jansson libturbojpeg)
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

# Most of Source's textures are blocks of DXT; without libsquish those are left out. It has no pkg-config or CMake file,
# and its interface is C++, but only its shared library knows that.
option(BSPSCENE_SQUISH "Decode DXT textures, when libsquish is found" ON)
if(BSPSCENE_SQUISH)
	find_library(SQUISH_LIBRARY squish)
	find_path(SQUISH_INCLUDE_DIR squish.h)
	mark_as_advanced(SQUISH_LIBRARY SQUISH_INCLUDE_DIR)
	include(CheckLanguage)
	check_language(CXX)
	if(CMAKE_CXX_COMPILER AND SQUISH_LIBRARY AND SQUISH_INCLUDE_DIR)
		enable_language(CXX)
		list(APPEND bspscene_dependencies squish)
		list(APPEND bspscene_features BSPI_HAVE_SQUISH)
		list(APPEND bspscene_include_dirs ${SQUISH_INCLUDE_DIR})
		list(APPEND bspscene_pc_libs -lsquish)
	else()
		message(STATUS "libsquish or a C++ compiler not found: DXT textures cannot be decoded")
	endif()
endif()

# Download servers keep maps of Source's and GoldSrc's games as .bsp.bz2. It has no pkg-config file everywhere.
option(BSPSCENE_BZIP2 "Read maps that are packed by bzip2, when libbz2 is found" ON)
if(BSPSCENE_BZIP2)
	find_package(BZip2 QUIET)
	if(BZIP2_FOUND)
		list(APPEND bspscene_dependencies bz2)
		list(APPEND bspscene_features BSPI_HAVE_BZIP2)
		list(APPEND bspscene_include_dirs ${BZIP2_INCLUDE_DIRS})
		list(APPEND bspscene_pc_libs -lbz2)
	else()
		message(STATUS "libbz2 not found: maps that are packed by bzip2 cannot be read")
	endif()
endif()

# Strata's textures may be compressed by zstd.
option(BSPSCENE_ZSTD "Read textures that are compressed by zstd, when libzstd is found" ON)
if(BSPSCENE_ZSTD)
	pkg_check_modules(ZSTD QUIET libzstd>=1.4)
	if(ZSTD_FOUND)
		list(APPEND bspscene_dependencies zstd)
		list(APPEND bspscene_features BSPI_HAVE_ZSTD)
		list(APPEND bspscene_include_dirs ${ZSTD_INCLUDE_DIRS})
		list(APPEND bspscene_pc_requires libzstd)
	else()
		message(STATUS "libzstd not found: textures that are compressed by zstd cannot be decoded")
	endif()
endif()
