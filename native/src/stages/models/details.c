/* details.c - makes one mesh of all grass sprites that Source's compiler scattered over the map: upright images from
 * one sheet, each with the light that the compiler stored for it. In the game, some sprites turn to the viewer. Here
 * they keep their stored angles, because there are too many sprites to turn each of them. This file also reads the
 * stored light of detail props with models. */
#include "stages/models/models.h"

#include "base/text.h"
#include "base/vec.h"
#include "images/display.h"
#include "materials/vmt/vmt.h"

/* A cross has two images at right angles, a triangle three at 60 degrees. Each image has four corners. */
enum { MOST_PICTURES = 3, CORNERS = 4 };

static uint32_t picture_count(bspscene_detail_prop_kind kind)
{
	switch (kind) {
	case BSPSCENE_DETAIL_PROP_SPRITE: return 1;
	case BSPSCENE_DETAIL_PROP_CROSS: return 2;
	case BSPSCENE_DETAIL_PROP_TRIANGLE: return 3;
	default: return 0;
	}
}

/* Adds one image. `size` and `uv` are left, top, right, bottom. Right is -Y before rotation (the SDK's
 * detailobjectsystem.cpp). */
static bool add_picture(bspi_model_reader *reader, const bspi_detail_prop *prop, uint32_t number, float turned)
{
	static const uint8_t sides[CORNERS][2] = { { 0, 1 }, { 0, 3 }, { 2, 3 }, { 2, 1 } };
	const bspi_model_section *section = &reader->sections[0];
	uint32_t first = section->vertex_count;
	float place[12];
	bspi_transform_angles(place, prop->origin, prop->angles[0], prop->angles[1] + turned, prop->angles[2]);
	for (int i = 0; i < CORNERS; i++) {
		const uint8_t x = sides[i][0], y = sides[i][1];
		const float corner[3] = { 0, -prop->size[x] * prop->scale, prop->size[y] * prop->scale };
		bspi_model_vertex vertex = { .normal = { place[2], place[6], place[10] }, .number = number };
		bspi_transform_point(vertex.position, place, corner);
		vertex.uv[0] = prop->uv[x];
		vertex.uv[1] = prop->uv[y];
		BSPI_TRY(bspi_add_vertex(reader, &vertex));
	}
	return bspi_add_triangle(reader, first, first + 1, first + 2) &&
	       bspi_add_triangle(reader, first, first + 2, first + 3);
}

static bool add_pictures(bspi_model_reader *reader, const bspi_map *map)
{
	const float half_turn = 180;
	for (uint32_t i = 0; i < map->detail_props_count; i++) {
		uint32_t count = picture_count(map->detail_props[i].kind);
		for (uint32_t k = 0; k < count; k++) {
			if (reader->vertex_count + CORNERS > BSPI_MODEL_MAX_VERTICES) return true;
			float turned = half_turn * (float)k / (float)count;
			BSPI_TRY(add_picture(reader, &map->detail_props[i], i, turned));
		}
	}
	return true;
}

static bool any_picture(const bspi_map *map)
{
	uint32_t i = 0;
	while (i < map->detail_props_count && !picture_count(map->detail_props[i].kind)) i++;
	return i < map->detail_props_count;
}

/* Finds the sheet with all sprites: the material that worldspawn's detailmaterial names, or the game's default. *name
 * is NULL if the file of that material is missing. */
static bool find_sheet(bspi_build *build, const char **name)
{
	const char *value = bspi_world_value(build, "detailmaterial");
	char path[BSPI_PATH_SIZE];
	bspi_vmt vmt;
	bool found = false;
	*name = NULL;
	if (!bspi_text_path(value && *value ? value : "detail/detailsprites", true, path, sizeof path)) return true;
	BSPI_TRY(bspi_open_vmt(build->ctx, path, &vmt, &found));
	if (!found) {
		return bspi_warn(build->ctx, BSPSCENE_WARNING_FILE_MISSING, BSPI_LUMP("models"),
		                 "%s was not found: detail props that are pictures are left out", path);
	}
	*name = bspi_text_format(build->ctx, &build->ctx->result, "%s", path);
	return *name != NULL;
}

bool bspi_make_details(bspi_build *build, bspi_prop_model *out, const char **sheet)
{
	bspi_ctx *ctx = build->ctx;
	bspi_model_reader reader = { .ctx = ctx, .path = "details", .file = BSPI_NO_BYTES };
	*sheet = NULL;
	if (!any_picture(build->map)) return true;
	BSPI_TRY(find_sheet(build, sheet));
	if (!*sheet) return true;
	bspi_model_material *material = bspi_push(ctx, &ctx->scratch, bspi_model_material, 1);
	BSPI_TRY(material);
	*material = (bspi_model_material) {
		.name = *sheet,
		.flags = BSPI_MODEL_LIT | BSPI_MODEL_TWO_SIDED,
		.pixels = BSPI_NO_BYTES,
		.palette = BSPI_NO_BYTES,
	};
	reader.model.lit = true;
	reader.model.number_count = build->map->detail_props_count;
	return bspi_begin_section(&reader, 0) && add_pictures(&reader, build->map) &&
	       bspi_set_materials(&reader, material, 1) && bspi_check_model(&reader, out);
}

/* Encodes the stored linear light of a detail prop as a vertex color. The color is white if the map has no light. */
static void encode_light(const bspi_build *build, uint32_t detail, float gain, uint8_t out[4])
{
	static const float full[3] = { 1, 1, 1 };
	const float *linear = build->map->full_bright ? full : build->map->detail_props[detail].light;
	for (int k = 0; k < 3; k++) {
		float display = (float)pow(fmaxf(linear[k], 0), 1 / 2.2) / gain;
		out[k] = (uint8_t)(fminf(display, 1) * 255 + 0.5f);
	}
	out[3] = 255;
}

void bspi_light_details(const bspi_build *build, const bspi_prop_model *details)
{
	float gain = bspi_color_intensity(build->scene);
	uint8_t *light = (uint8_t *)details->light;
	for (size_t i = 0; i < details->vertex_count; i++) {
		encode_light(build, details->numbers[i], gain, light + 4 * i);
	}
}

bool bspi_color_detail(bspi_build *build, uint32_t detail, uint32_t mesh, const uint8_t **colors)
{
	size_t count = build->scene->meshes[mesh]->vertex_count;
	*colors = NULL;
	if (build->ctx->options.lightmap_encoding == BSPSCENE_LIGHTMAP_ENCODING_NONE) return true;
	uint8_t *out = bspi_push_unset(build->ctx, &build->ctx->result, count, 4);
	BSPI_TRY(out);
	encode_light(build, detail, bspi_color_intensity(build->scene), out);
	for (size_t i = 1; i < count; i++) memcpy(out + 4 * i, out, 4);
	*colors = out;
	return true;
}
