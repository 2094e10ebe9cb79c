/* load_stages.c - see load_stages.h. How long a stage takes depends on the map more than on anything else, so what is
 * told of the progress follows what the map has: the shares are microseconds for each of them, measured on maps of
 * OpenArena, Nexuiz, LibreQuake, Quake II and Half-Life (tests/bench/bench_progress.c). */
#include "load_stages.h"

#include "stages/models/model_materials.h"

/* What costs time. */
typedef enum amount {
	FACES, LIT_FACES, ENTITIES, EMBEDDED_TEXTURES, TEXTURE_FILES, LIGHTMAP_FILES, AMOUNT_COUNT
} amount;

/* In the order of stages.h. Words are those of bspscene_progress_fn. */
static const struct {
	const char *word;
	bool (*run)(bspi_build *build);
	float costs[AMOUNT_COUNT];         /* microseconds for each */
} stages[] = {
	{ "geometry", bspi_build_entities, { [FACES] = 0.1f } },
	{ "geometry", bspi_find_models, { [ENTITIES] = 8 } },
	{ "textures", bspi_apply_render_modes, { 0 } },
	{ "textures", bspi_add_decals, { 0 } },
	{ "textures", bspi_build_materials, { [EMBEDDED_TEXTURES] = 200, [TEXTURE_FILES] = 1000 } },
	{ "lightmaps", bspi_prepare_lighting, { [LIT_FACES] = 1, [LIGHTMAP_FILES] = 8000 } },
	{ "geometry", bspi_build_displacements, { 0 } },
	{ "geometry", bspi_find_skybox, { 0 } },
	{ "geometry", bspi_place_decals, { 0 } },
	{ "geometry", bspi_build_plan, { [FACES] = 0.4f } },
	{ "lightmaps", bspi_build_lightmaps, { [LIT_FACES] = 3.5f } },
	{ "geometry", bspi_build_meshes, { [FACES] = 1.8f } },
	{ "lightmaps", bspi_describe_stored_light, { 0 } },
	{ "geometry", bspi_build_collision, { 0 } },
	{ "geometry", bspi_build_model_meshes, { 0 } },
	{ "geometry", bspi_build_nodes, { [FACES] = 0.1f } },
	{ "geometry", bspi_build_world, { [FACES] = 0.3f } },
	{ "geometry", bspi_build_placed, { [FACES] = 0.5f } },
	{ "geometry", bspi_light_models, { [ENTITIES] = 2 } },
};
enum { STAGE_COUNT = sizeof stages / sizeof *stages };

/* Largest number of lightmap pictures that is believed. */
#define MOST_LIGHTMAP_FILES 256

static void count_textures(const bspi_build *build, double amounts[AMOUNT_COUNT])
{
	amounts[EMBEDDED_TEXTURES] = amounts[TEXTURE_FILES] = 0;
	const bspscene_load_options *options = &build->ctx->options;
	bool opened = options->open_file && options->textures == BSPSCENE_TEXTURES_LOAD;
	for (uint32_t i = 0; i < build->map->textures_count; i++) {
		bool embedded = build->map->textures[i].miptex.size;
		amounts[embedded || !opened ? EMBEDDED_TEXTURES : TEXTURE_FILES] += 1;
	}
	amounts[TEXTURE_FILES] += bspi_scripts_as_textures(build) + bspi_count_model_materials(build);
}

static void count_faces(const bspi_build *build, double amounts[AMOUNT_COUNT])
{
	const bspi_map *map = build->map;
	int32_t last_page = -1;
	amounts[FACES] = map->faces_count;
	if (build->ctx->options.lightmap_encoding == BSPSCENE_LIGHTMAP_NONE) return;
	for (uint32_t i = 0; i < map->faces_count; i++) {
		if (map->faces[i].lightmap[0] > last_page) last_page = map->faces[i].lightmap[0];
	}
	amounts[LIT_FACES] = map->faces_count;
	/* Pages that are not in the map are pictures beside it. */
	if (map->lighting.size || map->rules.light_storage != BSPI_STORAGE_PAGES || !build->ctx->options.open_file) return;
	amounts[LIGHTMAP_FILES] = last_page < MOST_LIGHTMAP_FILES ? last_page + 1 : MOST_LIGHTMAP_FILES;
}

static double cost_of(int stage, const double amounts[AMOUNT_COUNT])
{
	double cost = 1;                   /* so that nothing is divided by 0 */
	for (int i = 0; i < AMOUNT_COUNT; i++) cost += (double)stages[stage].costs[i] * amounts[i];
	return cost;
}

/* What models need is known once they are found, so each stage has its share of what is still to be done. */
bool bspi_run_stages(bspi_build *build)
{
	bspi_ctx *ctx = build->ctx;
	double amounts[AMOUNT_COUNT] = { 0 }, from = BSPI_SHARE_CHECKED;
	count_faces(build, amounts);
	for (int i = 0; i < STAGE_COUNT; i++) {
		double left = 0;
		count_textures(build, amounts);
		amounts[ENTITIES] = build->scene->entity_count;
		for (int k = i; k < STAGE_COUNT; k++) left += cost_of(k, amounts);
		double to = i + 1 < STAGE_COUNT ? from + (1 - from) * (cost_of(i, amounts) / left) : 1;
		bspi_fraction_part(&ctx->fraction, from, to);
		from = to;
		BSPI_TRY(bspi_progress(ctx, stages[i].word, 0, 1));
		BSPI_TRY(stages[i].run(build));
		bspi_arena_reset(&ctx->stage);
	}
	return true;
}
