# Finds the libraries that bspscene uses. Sets bspscene_dependencies (targets to link), bspscene_include_dirs,
# bspscene_features (definitions for optional libraries) and bspscene_pc_libs (linker options for the .pc file).
# bspscene-config.cmake.in finds the libraries again for static linking.
find_package(PNG REQUIRED)
find_package(ZLIB REQUIRED)
find_package(LibLZMA REQUIRED)
find_package(PkgConfig REQUIRED)
# Uses pkg-config, because Debian's CMake files of jansson work only if the tools of jansson are installed.
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET GLOBAL jansson)
pkg_check_modules(TURBOJPEG REQUIRED IMPORTED_TARGET GLOBAL libturbojpeg)
pkg_check_modules(LIBDEFLATE REQUIRED IMPORTED_TARGET GLOBAL libdeflate>=1.8)
find_path(STB_INCLUDE_DIR stb/stb_rect_pack.h REQUIRED)
mark_as_advanced(STB_INCLUDE_DIR)

set(bspscene_dependencies
	PNG::PNG ZLIB::ZLIB LibLZMA::LibLZMA PkgConfig::JANSSON PkgConfig::TURBOJPEG PkgConfig::LIBDEFLATE)
if(NOT WIN32)
	list(APPEND bspscene_dependencies m)
endif()
# Linker options for the .pc file. If the .pc file named these libraries in "Requires", pkg-config would need their .pc
# files, even to link the shared library.
set(bspscene_pc_libs -lpng -lz -llzma -ljansson -lturbojpeg -ldeflate -lm)
set(bspscene_features "")

option(BSPSCENE_THREADS "Work in several threads, where the caller allows it" ON)
if(NOT WIN32)
	if(BSPSCENE_THREADS)
		set(THREADS_PREFER_PTHREAD_FLAG ON)
		find_package(Threads QUIET)
	endif()
	if(BSPSCENE_THREADS AND Threads_FOUND)
		list(APPEND bspscene_dependencies Threads::Threads)
		list(APPEND bspscene_pc_libs -pthread)
	else()
		list(APPEND bspscene_features BSPI_NO_THREADS)
	endif()
endif()

set(bspscene_include_dirs ${STB_INCLUDE_DIR})

# Sets the variable to the SONAME by which the loader finds a shared library. Empty: the library is not shared, or the
# system does not use ELF.
function(bspscene_find_soname variable library)
	set(${variable} "" PARENT_SCOPE)
	if(UNIX AND NOT APPLE AND CMAKE_READELF)
		execute_process(COMMAND ${CMAKE_READELF} -d ${library} OUTPUT_VARIABLE dynamic ERROR_QUIET)
		if(dynamic MATCHES "\\(SONAME\\)[^[]*\\[([^]]+)\\]")
			set(${variable} ${CMAKE_MATCH_1} PARENT_SCOPE)
		endif()
	endif()
endfunction()

# bspscene_optional(NAME LIBRARY OPTION option [MODULE module] [HEADER header] [LAZY] WITHOUT what): adds an optional
# library. If the option is true and the library, its pkg-config module and its header are found, the library is linked
# and BSPI_HAVE_<NAME> is defined. <LIBRARY>_LIBRARY and <LIBRARY>_INCLUDE_DIR, in capitals, hold their paths. LAZY: a
# shared library is not linked but loaded on demand by the name BSPI_LAZY_<NAME>. Builds of fuzzers always link it,
# because they run where only linked libraries exist.
function(bspscene_optional name library)
	cmake_parse_arguments(wanted "LAZY" "OPTION;MODULE;HEADER;WITHOUT" "" ${ARGN})
	if(NOT ${wanted_OPTION})
		return()
	endif()
	string(TOUPPER ${library} prefix)
	set(needed ${prefix}_LIBRARY)
	if(wanted_MODULE)
		pkg_check_modules(${prefix} QUIET ${wanted_MODULE})
		list(APPEND needed ${prefix}_FOUND)
	endif()
	find_library(${prefix}_LIBRARY ${library} HINTS ${${prefix}_LIBRARY_DIRS})
	if(wanted_HEADER)
		find_path(${prefix}_INCLUDE_DIR ${wanted_HEADER})
		list(APPEND needed ${prefix}_INCLUDE_DIR)
	endif()
	mark_as_advanced(${prefix}_LIBRARY ${prefix}_INCLUDE_DIR)
	foreach(variable IN LISTS needed)
		if(NOT ${variable})
			message(STATUS "${library} not found: ${wanted_WITHOUT}")
			return()
		endif()
	endforeach()
	list(APPEND bspscene_features BSPI_HAVE_${name})
	list(APPEND bspscene_include_dirs ${${prefix}_INCLUDE_DIRS} ${${prefix}_INCLUDE_DIR})
	set(linked ${library})
	if(wanted_LAZY AND NOT BSPSCENE_FUZZ)
		bspscene_find_soname(soname ${${prefix}_LIBRARY})
		if(soname)
			list(APPEND bspscene_features BSPI_LAZY_${name}="${soname}")
			set(linked ${CMAKE_DL_LIBS})
		endif()
	endif()
	list(APPEND bspscene_dependencies ${linked})
	list(TRANSFORM linked PREPEND -l)
	list(APPEND bspscene_pc_libs ${linked})
	foreach(result dependencies features include_dirs pc_libs)
		set(bspscene_${result} ${bspscene_${result}} PARENT_SCOPE)
	endforeach()
endfunction()

# The C interface to EXR exists since OpenEXR 3.1. Without it HDR pages cannot be written. It has no pkg-config file,
# and Debian's CMake files for it name libraries that are not installed.
option(BSPSCENE_EXR "Write HDR lightmap pages as EXR, when OpenEXR 3.1 or newer is found" ON)
bspscene_optional(EXR OpenEXRCore OPTION BSPSCENE_EXR MODULE OpenEXR>=3.1
	WITHOUT "HDR lightmap pages cannot be written (OpenEXR 3.1 or newer)")

# Download servers of Source and GoldSrc games keep maps as .bsp.bz2. Not every system has a pkg-config file of libbz2.
option(BSPSCENE_BZIP2 "Read maps that are packed by bzip2, when libbz2 is found" ON)
bspscene_optional(BZIP2 bz2 OPTION BSPSCENE_BZIP2 HEADER bzlib.h WITHOUT "maps that are packed by bzip2 cannot be read")

# Strata Source may compress textures and maps with zstd.
option(BSPSCENE_ZSTD "Read textures and maps that are compressed by zstd, when libzstd is found" ON)
bspscene_optional(ZSTD zstd OPTION BSPSCENE_ZSTD MODULE libzstd>=1.4
	WITHOUT "textures and maps that are compressed by zstd cannot be read")

# Collections of maps are kept as 7z, RAR and tar too.
option(BSPSCENE_LIBARCHIVE "Read 7z, RAR and tar archives, when libarchive is found" ON)
bspscene_optional(LIBARCHIVE archive OPTION BSPSCENE_LIBARCHIVE MODULE libarchive>=3.5 LAZY
	WITHOUT "7z, RAR and tar archives cannot be read")

# For compressed glTF: meshoptimizer, which has no pkg-config file, compresses geometry, and libwebp compresses
# pictures.
option(BSPSCENE_COMPRESS "Write compressed glTF, when meshoptimizer and libwebp are found" ON)
bspscene_optional(MESHOPT meshoptimizer OPTION BSPSCENE_COMPRESS HEADER meshoptimizer.h LAZY
	WITHOUT "glTF cannot be compressed")
bspscene_optional(WEBP webp OPTION BSPSCENE_COMPRESS MODULE libwebp>=1.0
	WITHOUT "glTF cannot be compressed, and textures in WebP cannot be read")
