# The dependencies, configured as their own build systems would for a machine that has only C11 and the C library.
bundle_source(zlib "zlib-*")
bundle_source(deflate "libdeflate-*")
bundle_source(png "libpng1.6-*")
bundle_source(jansson "jansson-*")
bundle_source(jpeg "libjpeg-turbo-*")
bundle_source(xz "xz-utils-*")
bundle_source(stb "libstb-*")

# Files that the dependencies' own builds would generate.
configure_file(${png}/scripts/pnglibconf.h.prebuilt ${bundle_made}/pnglibconf.h COPYONLY)
set(COPYRIGHT_YEAR 1991-2023)
configure_file(${jpeg}/jversion.h.in ${bundle_made}/jversion.h @ONLY)
file(CREATE_LINK ${stb} ${bundle_made}/stb SYMBOLIC)

bundle_names(s ${zlib} adler32 compress crc32 deflate inffast inflate inftrees trees uncompr zutil)
bundle_part(zlib ${s})
if(EMSCRIPTEN)
	# A program that generates tables during the build; it has one thread.
	target_compile_definitions(zlib PRIVATE DYNAMIC_CRC_TABLE)
endif()

bundle_names(s ${deflate}/lib adler32 crc32 deflate_compress deflate_decompress utils zlib_compress zlib_decompress
	arm/cpu_features x86/cpu_features)
bundle_part(deflate ${s})
target_include_directories(deflate PRIVATE ${deflate})

bundle_names(s ${png} png pngerror pngget pngmem pngpread pngread pngrio pngrtran pngrutil pngset pngtrans pngwio
	pngwrite pngwtran pngwutil)
bundle_part(png ${s})
target_compile_definitions(png PRIVATE PNG_ARM_NEON_OPT=0 PNG_INTEL_SSE_OPT=0)
if(APPLE)
	# zlib and libpng check TARGET_OS_MAC to detect Mac OS 9, but clang 18 and newer define it on macOS.
	target_compile_options(zlib PRIVATE -fno-define-target-os-macros)
	target_compile_options(png PRIVATE -fno-define-target-os-macros)
endif()

file(GLOB s ${jansson}/src/*.c)
bundle_part(jansson ${s})
target_compile_definitions(jansson PRIVATE HAVE_CONFIG_H)

# Without assembly, because most JPEG files are written unchanged.
bundle_names(s ${jpeg} jcapimin jcapistd jccoefct jccolor jcdctmgr jchuff jcicc jcinit jcmainct jcmarker jcmaster
	jcomapi jcparam jcphuff jcprepct jcsample jctrans jdapimin jdapistd jdatadst jdatasrc jdcoefct jdcolor jddctmgr
	jdhuff jdicc jdinput jdmainct jdmarker jdmaster jdmerge jdphuff jdpostct jdsample jdtrans jerror jfdctflt jfdctfst
	jfdctint jidctflt jidctfst jidctint jidctred jquant1 jquant2 jutils jmemmgr jmemnobs jaricom jcarith jdarith
	turbojpeg transupp jdatadst-tj jdatasrc-tj rdbmp rdppm wrbmp wrppm jsimd_none)
bundle_part(jpeg ${s})
target_compile_definitions(jpeg PRIVATE BMP_SUPPORTED PPM_SUPPORTED)
target_include_directories(jpeg PRIVATE ${jpeg})
if(EMSCRIPTEN)
	# Uses a processor instruction instead of two tables of 64 KB.
	target_compile_definitions(jpeg PRIVATE USE_CLZ_INTRINSIC)
	# Scaled decoding, fast transforms, decoding to a palette and progressive encoding are not used. Calls of their
	# functions are replaced by calls of the usual functions, and the linker drops the code that nothing calls.
	set(names "")
	foreach(name 1x1 2x2 3x3 4x4 5x5 6x6 7x7 9x9 10x10 11x11 12x12 13x13 14x14 15x15 16x16 ifast float)
		list(APPEND names jpeg_idct_${name}=jpeg_idct_islow)
	endforeach()
	set_source_files_properties(${jpeg}/jddctmgr.c PROPERTIES COMPILE_DEFINITIONS "${names}")
	set(names jinit_merged_upsampler jinit_1pass_quantizer jinit_2pass_quantizer)
	list(TRANSFORM names APPEND =jinit_upsampler)
	set_source_files_properties(${jpeg}/jdmaster.c PROPERTIES COMPILE_DEFINITIONS "${names}")
	set_source_files_properties(${jpeg}/jcdctmgr.c PROPERTIES COMPILE_DEFINITIONS jpeg_fdct_ifast=jpeg_fdct_islow)
	set_source_files_properties(${jpeg}/jcinit.c PROPERTIES COMPILE_DEFINITIONS
		jinit_phuff_encoder=jinit_huff_encoder)
endif()

set(lzma ${xz}/src/liblzma)
file(GLOB s ${lzma}/common/*.c ${lzma}/lz/*.c ${lzma}/lzma/*.c ${lzma}/rangecoder/*.c ${lzma}/delta/*.c)
set(crcs check/crc32_fast check/crc32_table check/crc64_fast check/crc64_table)
if(EMSCRIPTEN)
	set(crcs check/crc32_small check/crc64_small)
	list(FILTER s EXCLUDE REGEX fastpos_table)
endif()
bundle_names(more ${lzma} ${crcs} check/check check/sha256 simple/simple_coder simple/simple_decoder simple/x86)
list(FILTER s EXCLUDE REGEX "tablegen|_mt\\.c|cputhreads|physmem|outqueue|microlzma")
bundle_part(lzma ${s} ${more})
target_compile_definitions(lzma PRIVATE HAVE_CONFIG_H TUKLIB_SYMBOL_PREFIX=lzma_ LZMA_API_STATIC)
target_include_directories(lzma PRIVATE ${lzma}/api ${lzma}/common ${lzma}/check ${lzma}/lz ${lzma}/rangecoder
	${lzma}/lzma ${lzma}/delta ${lzma}/simple ${xz}/src/common)
if(EMSCRIPTEN)
	target_compile_definitions(lzma PRIVATE HAVE_SMALL)
endif()

set(bundle_include_dirs ${bundle_config}/jansson ${bundle_made} ${jansson}/src ${deflate} ${png} ${jpeg} ${lzma}/api
	${zlib})
set(bundle_features LZMA_API_STATIC)
