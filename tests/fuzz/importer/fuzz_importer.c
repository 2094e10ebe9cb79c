/* fuzz_importer.c - the input is a map or a pk3; its last two bytes choose the importer's properties and Assimp's
 * post-processing steps. The result is a scene that Assimp finds valid, or an error with a message. */
#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <stdlib.h>
#include <string.h>

#include <bspscene/bspscene_assimp.h>

#include "support/bspt.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const unsigned steps[] = {
		aiProcess_Triangulate, aiProcess_GenNormals, aiProcess_JoinIdenticalVertices, aiProcess_PreTransformVertices,
		aiProcess_FlipUVs, aiProcess_MakeLeftHanded, aiProcess_SortByPType,
	};
	if (size < 2) return 0;
	unsigned chosen = aiProcess_ValidateDataStructure;
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		if (data[size - 1] >> i & 1) chosen |= steps[i];
	}
	bspscene_assimp_options options;
	bspscene_assimp_options_init(&options);
	static const char *const textures[] = {
		"IMPORT_BSP_TEXTURES=embedded", "IMPORT_BSP_TEXTURES=texels", "IMPORT_BSP_TEXTURES=paths",
		"IMPORT_BSP_TEXTURES=none",
	};
	static const char *const lightings[] = {
		"IMPORT_BSP_LIGHTING=lightmap", "IMPORT_BSP_LIGHTING=vertex", "IMPORT_BSP_LIGHTING=baked",
		"IMPORT_BSP_LIGHTING=none",
	};
	/* "cube" and "panorama" are the slowest choices, so each is used for only a quarter of the inputs. */
	static const char *const skies[] = {
		"IMPORT_BSP_SKY=none", "IMPORT_BSP_SKY=none", "IMPORT_BSP_SKY=cube", "IMPORT_BSP_SKY=panorama",
	};
	const uint8_t choice = data[size - 2];
	const char *const properties[] = {
		"IMPORT_BSP_MEMORY_MIB=128", textures[choice >> 1 & 3], lightings[choice >> 3 & 3], skies[choice >> 6],
		choice & 32 ? "IMPORT_BSP_INCLUDE=all" : "IMPORT_BSP_BAKED_SIZE=256", NULL,
	};
	options.properties = properties;
	options.hint = choice & 1 ? "pk3" : "bsp";
	const struct aiScene *scene = bspscene_assimp_import_memory(data, size - 2, chosen, &options);
	if (!scene && !*bspscene_assimp_error()) abort();
	aiReleaseImport(scene);
	return 0;
}
