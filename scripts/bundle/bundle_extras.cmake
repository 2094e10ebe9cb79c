# Optional dependencies. bundle_features tells the sources which of them are there.
bundle_source(bzip2 "bzip2-*")
bundle_source(zstd "libzstd-*")
bundle_source(exr "openexr-*")
bundle_source(imath "imath-*")
bundle_source(meshopt "meshoptimizer-*")
bundle_source(webp "libwebp-*")

bundle_names(s ${bzip2} blocksort bzlib compress crctable decompress huffman randtable)
bundle_part(bzip2 ${s})
# On Windows its header declares functions imported from a DLL unless it is told that the library is static.
target_compile_definitions(bzip2 PRIVATE $<$<BOOL:${WIN32}>:BZ_EXPORT>)

file(GLOB s ${zstd}/lib/common/*.c ${zstd}/lib/decompress/*.c)
bundle_part(zstd ${s})
target_compile_definitions(zstd PRIVATE ZSTD_DISABLE_ASM ZSTDLIB_VISIBLE= ZSTDERRORLIB_VISIBLE=)
if(EMSCRIPTEN)
	# One of several algorithms with the same result is enough.
	target_compile_definitions(zstd PRIVATE HUF_FORCE_DECOMPRESS_X1 ZSTD_FORCE_DECOMPRESS_SEQUENCES_SHORT
		ZSTD_NO_INLINE)
endif()

# The web module has no OpenEXR, because it would be a fifth of the module, and only HDR pages need it.
if(NOT EMSCRIPTEN)
	file(GLOB s ${exr}/src/lib/OpenEXRCore/*.c)
	bundle_part(exr ${s})
	target_include_directories(exr PRIVATE ${exr}/src/lib/OpenEXRCore ${imath}/src/Imath)
	list(APPEND bundle_include_dirs ${bundle_config}/exr ${exr}/src/lib/OpenEXRCore)
	list(APPEND bundle_features BSPI_HAVE_EXR)
endif()

file(GLOB s ${meshopt}/src/*.cpp)
bundle_part(meshopt ${s})

file(GLOB s ${webp}/src/enc/*.c ${webp}/src/dsp/*.c ${webp}/src/utils/*.c ${webp}/src/dec/*.c ${webp}/src/mux/*.c
	${webp}/sharpyuv/*.c)
list(FILTER s EXCLUDE REGEX "_(mips32|mips_dsp_r2|msa)\\.c$")
bundle_part(webp ${s})
target_compile_definitions(webp PRIVATE WEBP_EXTERN=extern SHARPYUV_EXTERN=extern)
target_include_directories(webp PRIVATE ${webp} ${webp}/src)

list(APPEND bundle_include_dirs ${bzip2} ${zstd}/lib ${meshopt}/src ${webp}/src)
list(APPEND bundle_features BSPI_HAVE_ZSTD BSPI_HAVE_BZIP2 BSPI_HAVE_MESHOPT BSPI_HAVE_WEBP
	$<$<BOOL:${WIN32}>:BZ_EXPORT>)
