/* load_stages.c - see load_stages.h. The time of a stage depends mostly on the map. So progress is estimated from
 * quantities of the map and the costs in base/costs.h. */
#include "load_stages.h"

#include "base/costs.h"
#include "stages/models/model_materials.h"

#define HAS(result) (1u << BSPI_MAKES_##result)

/* The stages in their order. A row has the word for progress messages, the function, the results that it reads, the
 * results that it makes, and its costs. */
const bspi_stage bspi_stages[] = {
	{ "geometry", bspi_build_entities,
	  0,
	  HAS(ENTITIES), { [BSPI_FACES] = BSPI_ENTITIES_FACE } },
	{ "geometry", bspi_find_models,
	  HAS(ENTITIES),
	  HAS(MODELS), { [BSPI_ENTITIES] = BSPI_FIND_MODELS_ENTITY } },
	{ "textures", bspi_apply_render_modes,
	  HAS(ENTITIES),
	  HAS(FACE_TEXTURES), { 0 } },
	{ "textures", bspi_add_decals,
	  HAS(ENTITIES) | HAS(FACE_TEXTURES),
	  HAS(DECALS), { 0 } },
	{ "textures", bspi_build_materials,
	  HAS(ENTITIES) | HAS(MODELS) | HAS(FACE_TEXTURES) | HAS(DECALS),
	  HAS(MATERIALS), { [BSPI_EMBEDDED_TEXTURES] = BSPI_EMBEDDED_TEXTURE, [BSPI_TEXTURE_FILES] = BSPI_TEXTURE_FILE } },
	{ "lightmaps", bspi_prepare_lighting,
	  HAS(ENTITIES) | HAS(MATERIALS),
	  HAS(LIGHT), { [BSPI_LIT_FACES] = BSPI_PREPARE_LIGHT_FACE, [BSPI_LIGHTMAP_FILES] = BSPI_LIGHTMAP_FILE } },
	{ "geometry", bspi_build_displacements,
	  0,
	  HAS(DISPLACEMENTS), { 0 } },
	{ "geometry", bspi_find_skybox,
	  HAS(ENTITIES),
	  HAS(SKYBOX), { 0 } },
	{ "geometry", bspi_place_decals,
	  HAS(ENTITIES) | HAS(FACE_TEXTURES) | HAS(DECALS) | HAS(MATERIALS) | HAS(DISPLACEMENTS),
	  HAS(DECAL_FACES), { 0 } },
	{ "geometry", bspi_build_plan,
	  HAS(FACE_TEXTURES) | HAS(MATERIALS) | HAS(LIGHT) | HAS(DISPLACEMENTS) | HAS(SKYBOX) | HAS(DECAL_FACES),
	  HAS(SURFACES), { [BSPI_FACES] = BSPI_PLAN_FACE } },
	{ "lightmaps", bspi_build_lightmaps,
	  HAS(LIGHT) | HAS(SURFACES),
	  HAS(PAGES), { [BSPI_LIT_FACES] = BSPI_LIGHTMAP_FACE } },
	{ "geometry", bspi_build_meshes,
	  HAS(FACE_TEXTURES) | HAS(DECALS) | HAS(MATERIALS) | HAS(LIGHT) | HAS(DISPLACEMENTS) | HAS(SURFACES) | HAS(PAGES),
	  HAS(MESHES), { [BSPI_FACES] = BSPI_MESH_FACE } },
	{ "lightmaps", bspi_describe_stored_light,
	  HAS(LIGHT) | HAS(PAGES) | HAS(MESHES),
	  HAS(STORED_LIGHT), { 0 } },
	{ "geometry", bspi_build_collision,
	  HAS(ENTITIES) | HAS(MATERIALS) | HAS(MESHES),
	  HAS(COLLISION), { 0 } },
	{ "geometry", bspi_build_model_meshes,
	  HAS(MODELS) | HAS(MATERIALS) | HAS(PAGES) | HAS(MESHES) | HAS(COLLISION),
	  HAS(MODEL_MESHES), { 0 } },
	{ "geometry", bspi_build_nodes,
	  HAS(ENTITIES) | HAS(MODELS) | HAS(FACE_TEXTURES) | HAS(MATERIALS) | HAS(SKYBOX) | HAS(SURFACES) | HAS(PAGES) |
	  HAS(MESHES) | HAS(COLLISION) | HAS(MODEL_MESHES),
	  HAS(NODES), { [BSPI_FACES] = BSPI_NODES_FACE } },
	{ "geometry", bspi_build_world,
	  HAS(ENTITIES) | HAS(FACE_TEXTURES) | HAS(MATERIALS) | HAS(LIGHT) | HAS(NODES),
	  HAS(WORLD), { [BSPI_FACES] = BSPI_WORLD_FACE } },
	{ "geometry", bspi_build_placed,
	  HAS(MATERIALS) | HAS(PAGES),
	  HAS(PLACED), { [BSPI_FACES] = BSPI_PLACED_FACE } },
	{ "geometry", bspi_light_models,
	  HAS(MODELS) | HAS(MATERIALS) | HAS(PAGES) | HAS(MODEL_MESHES) | HAS(NODES) | HAS(WORLD) | HAS(PLACED),
	  HAS(MODEL_LIGHT), { [BSPI_ENTITIES] = BSPI_LIGHT_MODELS_ENTITY } },
	{ "geometry", bspi_shade_fallbacks,
	  HAS(MATERIALS) | HAS(PAGES) | HAS(MESHES) | HAS(MODEL_MESHES) | HAS(MODEL_LIGHT),
	  HAS(SHADING), { 0 } },
};
enum { STAGE_COUNT = sizeof bspi_stages / sizeof *bspi_stages };
const uint32_t bspi_stage_count = STAGE_COUNT;

/* The most lightmap pictures that are counted for the estimate of progress. */
#define MOST_LIGHTMAP_FILES 256

static void count_textures(const bspi_build *build, double amounts[BSPI_AMOUNT_COUNT])
{
	amounts[BSPI_EMBEDDED_TEXTURES] = amounts[BSPI_TEXTURE_FILES] = 0;
	const bspscene_load_options *options = &build->ctx->options;
	bool opened = options->open_file && options->textures == BSPSCENE_TEXTURES_LOAD;
	for (uint32_t i = 0; i < bspi_texture_total(build); i++) {
		bool embedded = bspi_texture_at(build, i)->miptex.size;
		amounts[embedded || !opened ? BSPI_EMBEDDED_TEXTURES : BSPI_TEXTURE_FILES] += 1;
	}
	amounts[BSPI_TEXTURE_FILES] += bspi_scripts_as_textures(build) + bspi_count_model_materials(build);
}

static void count_faces(const bspi_build *build, double amounts[BSPI_AMOUNT_COUNT])
{
	const bspi_map *map = build->map;
	int32_t last_page = -1;
	amounts[BSPI_FACES] = map->faces_count;
	if (build->ctx->options.lightmap_encoding == BSPSCENE_LIGHTMAP_ENCODING_NONE) return;
	for (uint32_t i = 0; i < map->faces_count; i++) {
		if (map->faces[i].lightmap[0] > last_page) last_page = map->faces[i].lightmap[0];
	}
	amounts[BSPI_LIT_FACES] = map->faces_count;
	/* Lightmap pages that are not in the map are picture files next to it. */
	if (map->lighting.size || map->rules.light_storage != BSPI_STORAGE_PAGES || !build->ctx->options.open_file) return;
	amounts[BSPI_LIGHTMAP_FILES] = last_page < MOST_LIGHTMAP_FILES ? last_page + 1 : MOST_LIGHTMAP_FILES;
}

static double cost_of(int stage, const double amounts[BSPI_AMOUNT_COUNT])
{
	double cost = 1;                   /* not 0, because the caller divides by a sum of costs */
	for (int i = 0; i < BSPI_AMOUNT_COUNT; i++) cost += (double)bspi_stages[stage].costs[i] * amounts[i];
	return cost;
}

/* Runs the stages. How many models there are is known only after the stage that finds them. So each stage gets its
 * share of the work that is left. */
bool bspi_run_stages(bspi_build *build)
{
	bspi_ctx *ctx = build->ctx;
	double amounts[BSPI_AMOUNT_COUNT] = { 0 }, from = BSPI_SHARE_CHECKED;
	count_faces(build, amounts);
	for (int i = 0; i < STAGE_COUNT; i++) {
		double left = 0;
		count_textures(build, amounts);
		amounts[BSPI_ENTITIES] = build->scene->entity_count;
		for (int k = i; k < STAGE_COUNT; k++) left += cost_of(k, amounts);
		double to = i + 1 < STAGE_COUNT ? from + (1 - from) * (cost_of(i, amounts) / left) : 1;
		bspi_fraction_part(&ctx->fraction, from, to);
		from = to;
		BSPI_TRY(bspi_progress(ctx, bspi_stages[i].word, 0, 1));
		BSPI_TRY(bspi_stages[i].run(build));
		bspi_arena_rewind(&ctx->stage);
	}
	return true;
}
