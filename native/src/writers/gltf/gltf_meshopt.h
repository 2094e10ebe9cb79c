/* gltf_meshopt.h - the functions of meshoptimizer that are used. The library needs libstdc++, and loading the symbols
 * of libstdc++ takes half of the start-up time of a short command. So a shared meshoptimizer is loaded only when
 * something is compressed. */
#ifndef BSPI_GLTF_MESHOPT_H
#define BSPI_GLTF_MESHOPT_H

#include <meshoptimizer.h>

#include "base/loaded.h"

#if MESHOPTIMIZER_VERSION >= 230
	#define BSPI_MESHOPT_ENCODER(FUNCTION) FUNCTION(meshopt_encodeVertexBufferLevel)
#else
	#define BSPI_MESHOPT_ENCODER(FUNCTION) FUNCTION(meshopt_encodeVertexBuffer)
#endif

#define BSPI_MESHOPT_FUNCTIONS(FUNCTION) \
	FUNCTION(meshopt_encodeIndexBuffer) \
	FUNCTION(meshopt_encodeIndexBufferBound) \
	BSPI_MESHOPT_ENCODER(FUNCTION) \
	FUNCTION(meshopt_encodeVertexBufferBound) \
	FUNCTION(meshopt_optimizeVertexCache) \
	FUNCTION(meshopt_optimizeVertexFetchRemap)

typedef struct bspi_gltf_codec { BSPI_MESHOPT_FUNCTIONS(BSPI_FUNCTION_POINTER) } bspi_gltf_codec;

#endif
