/* test_c_host.c - a program in C that uses only bspscene_assimp.h and libassimp's C functions: test_c_host MAP. */
#include <assimp/cexport.h>
#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <bspscene/bspscene_assimp.h>
#include <stdio.h>
#include <string.h>

#define CHECK(condition) \
	do { \
		if (condition) break; \
		fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #condition, bspscene_assimp_error()); \
		return 1; \
	} while (0)

static int check_scene(const struct aiScene *scene)
{
	struct aiMemoryInfo memory;
	struct aiScene *copy = NULL;
	CHECK(scene->mNumMeshes > 5 && scene->mNumLights > 3 && scene->mNumTextures > 5);
	aiGetMemoryRequirements(scene, &memory);
	CHECK(memory.total > 10000);
	CHECK(aiApplyPostProcessing(scene, aiProcess_ValidateDataStructure | aiProcess_OptimizeMeshes) == scene);
	aiCopyScene(scene, &copy);
	CHECK(copy && copy->mNumMeshes == scene->mNumMeshes);
	aiFreeScene(copy);
	const struct aiExportDataBlob *blob = aiExportSceneToBlob(scene, "assbin", 0);
	CHECK(blob && blob->size > 10000);
	aiReleaseExportBlob(blob);
	return 0;
}

int main(int argc, char **argv)
{
	static const char *const properties[] = { "IMPORT_BSP_PATCH_ERROR=1.5", NULL };
	bspscene_assimp_options options;
	if (argc != 2) return 2;
	const struct aiScene *scene = bspscene_assimp_import_file(argv[1], aiProcess_ValidateDataStructure, NULL);
	CHECK(scene && !bspscene_assimp_error()[0]);
	int failed = check_scene(scene);
	aiReleaseImport(scene);
	if (failed) return failed;

	bspscene_assimp_options_init(&options);
	options.properties = properties;
	scene = bspscene_assimp_import_file(argv[1], 0, &options);
	CHECK(scene);
	aiReleaseImport(scene);

	CHECK(!bspscene_assimp_import_file("no/such/map.bsp", 0, NULL));
	CHECK(strstr(bspscene_assimp_error(), "no/such/map.bsp"));
	CHECK(!bspscene_assimp_import_memory("IBSP", 4, 0, NULL) && strstr(bspscene_assimp_error(), "BSP: "));
	options.struct_size = 1;
	CHECK(!bspscene_assimp_import_file(argv[1], 0, &options) && strstr(bspscene_assimp_error(), "struct_size"));
	printf("ok\n");
	return 0;
}
