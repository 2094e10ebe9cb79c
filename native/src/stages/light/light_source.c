/* light_source.c - chooses the map's light and finds where it is. It runs before plan.c, which must know how each
 * surface is lit. */
#include "stages/light/light.h"

/* True if the map's HDR light is used. It is used if the caller asks for it or for HDR pages, or if the ordinary
 * (LDR) light is missing or gray. For raw pages gray LDR light is used too, because all engines read the LDR
 * bytes. */
static bool wants_hdr(const bspi_build *build)
{
	const bspi_map *map = build->map;
	const bspscene_load_options *options = &build->ctx->options;
	if (!map->lighting_hdr.size) return false;
	if (options->light_range != BSPSCENE_LIGHT_RANGE_AUTO) return options->light_range == BSPSCENE_LIGHT_RANGE_HDR;
	bool raw = options->lightmap_encoding == BSPSCENE_LIGHTMAP_ENCODING_RAW;
	bool has_colors = map->lighting.size && (build->light->encoding != BSPI_LIGHT_GRAY8 || raw);
	return options->lightmap_encoding == BSPSCENE_LIGHTMAP_ENCODING_HDR || !has_colors;
}

/* Finds the element of map->light_stores for the light that was chosen. Fails if the caller asked for HDR light or
 * for ordinary (LDR) light, and the map does not have it. */
static bool find_store(bspi_build *build)
{
	const bspi_map *map = build->map;
	bspi_light *light = build->light;
	bspscene_light_range choice = build->ctx->options.light_range;
	for (uint32_t i = 0; i < map->light_store_count; i++) {
		if (map->light_stores[i].luxels.data == light->blocks.data) light->store = &map->light_stores[i];
	}
	bool is_hdr = light->store && light->store->hdr;
	BSPI_CHECK(build->ctx, choice == BSPSCENE_LIGHT_RANGE_AUTO || is_hdr == (choice == BSPSCENE_LIGHT_RANGE_HDR),
	           BSPSCENE_ERROR_BAD_OPTIONS, BSPI_NOWHERE, "the map has no light for %s displays",
	           is_hdr ? "ordinary" : "HDR");
	return true;
}

static bool find_blocks(bspi_build *build)
{
	const bspi_map *map = build->map;
	bspi_light *light = build->light;
	light->blocks = map->lighting;
	light->encoding = map->rules.light_encoding;
	if (wants_hdr(build)) {
		light->blocks = map->lighting_hdr;
		light->encoding = map->hdr_encoding;
	}
	if (light->encoding == BSPI_LIGHT_NONE) light->blocks = BSPI_NO_BYTES;
	light->luxel_size = bspi_luxel_size(light->encoding);
	return !light->blocks.size || (find_store(build) && bspi_measure_blocks(build));
}

/* Marks faces that have luxels in `blocks`. */
static bool find_lit(bspi_build *build)
{
	const bspi_map *map = build->map;
	if (!build->light->blocks.size) return true;
	bool *lit = bspi_push_unset(build->ctx, &build->ctx->scratch, map->faces_count, sizeof *lit);
	BSPI_TRY(lit);
	for (uint32_t i = 0; i < map->faces_count; i++) lit[i] = bspi_face_has_luxels(build, &map->faces[i]);
	build->light->lit = lit;
	return true;
}

/* Returns the number of stored pages that can be read. In maps with blocks, returns the number of faces that have
 * blocks. */
static uint32_t count_stored(const bspi_build *build)
{
	const bspi_light *light = build->light;
	uint32_t count = 0;
	for (uint32_t i = 0; i < light->page_count; i++) count += light->pages[i].rgb != NULL;
	for (uint32_t i = 0; i < build->map->faces_count && light->lit; i++) count += light->lit[i];
	return count + light->picture_count;
}

static bool find_light(bspi_build *build)
{
	switch (build->map->rules.light_storage) {
	case BSPI_STORAGE_BLOCKS: return find_blocks(build);
	case BSPI_STORAGE_PAGES: return bspi_find_map_pages(build) && bspi_relate_slots(build);
	case BSPI_STORAGE_NONE: break;
	}
	return true;
}

/* Fills in the light of all faces, from the file or from shaders. */
static bool list_faces(bspi_build *build)
{
	const bspi_map *map = build->map;
	const bspi_shader_light *shaders = build->shader_light;
	bspi_face_light *faces = bspi_push_unset(build->ctx, &build->ctx->scratch, map->faces_count, sizeof *faces);
	BSPI_TRY(faces);
	for (uint32_t i = 0; i < map->faces_count; i++) {
		const bspi_face *face = &map->faces[i];
		bool shown = shaders && shaders->faces;
		faces[i] = (bspi_face_light){
			.x = face->lightmap_x[0], .y = face->lightmap_y[0],
			.width = face->lightmap_width, .height = face->lightmap_height,
		};
		memcpy(faces[i].pages, shown ? shaders->faces[i].pages : face->lightmap, sizeof faces[i].pages);
		memcpy(faces[i].styles, shown ? shaders->faces[i].styles : face->styles, sizeof faces[i].styles);
	}
	build->light->faces = faces;
	return true;
}

static bool list_uvs(bspi_build *build)
{
	const bspi_map *map = build->map;
	const bspi_shader_light *shaders = build->shader_light;
	bool shown = shaders && shaders->uvs;
	if (map->rules.light_storage != BSPI_STORAGE_PAGES || (!shown && !map->draw_vertex_styles_count)) return true;
	float (*uvs)[BSPI_MAX_STYLES][2] = bspi_push_unset(build->ctx, &build->ctx->scratch, map->draw_vertices_count,
	                                                   sizeof *uvs);
	BSPI_TRY(uvs);
	for (uint32_t i = 0; i < map->draw_vertices_count; i++) {
		if (shown) memcpy(uvs[i], shaders->uvs[i], sizeof uvs[i]);
		else bspi_copy_slot_uvs(map, i, uvs[i]);
	}
	build->light->uvs = uvs;
	return true;
}

bool bspi_prepare_lighting(bspi_build *build)
{
	const bspi_rules *rules = &build->map->rules;
	bspi_light *light = bspi_push(build->ctx, &build->ctx->scratch, bspi_light, 1);
	BSPI_TRY(light);
	build->light = light;
	bool raw = build->ctx->options.lightmap_encoding == BSPSCENE_LIGHTMAP_ENCODING_RAW;
	bspi_init_encoder(&light->vertices, rules, BSPI_LIGHT_RGB8, rules->overbright,
	                  raw ? BSPSCENE_LIGHTMAP_ENCODING_RAW : BSPSCENE_LIGHTMAP_ENCODING_DISPLAY);
	light->encoding = BSPI_LIGHT_RGB8;
	light->blocks = BSPI_NO_BYTES;
	BSPI_TRY(list_faces(build) && list_uvs(build) && find_light(build) && find_lit(build));
	build->parts->counts.map_lightmaps = count_stored(build);
	return true;
}
