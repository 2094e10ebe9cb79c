/* luxels.c - decides how a surface is lit and by which luxels, and computes its page uvs after the luxels are
 * packed. */
#include "stages/light/light.h"

#include <math.h>

#define LARGEST_SIDE 1024              /* largest side, in luxels, of a block whose size is stated in the file */

/* ---- Luxel coordinates ------------------------------------------------------------------------------------ */

/* Clamps to 0..most. The comparison is written so that NaN becomes 0. */
static float clamp(float value, float most)
{
	return value > 0 ? (value < most ? value : most) : 0;
}

/* Finds, for one axis of a page with `side` luxels, which luxels bilinear filtering can read for texture coordinates
 * from `min` to `max` (0..1). It reads no luxels beyond the edges of the page. */
static void find_range(float min, float max, uint32_t side, int32_t *first, uint32_t *count)
{
	float size = (float)side;
	float low = floorf(clamp(min, 1) * size - 0.5f), high = ceilf(clamp(max, 1) * size - 0.5f);
	low = clamp(low, size - 1);
	high = clamp(high, size - 1);
	*first = (int32_t)low;
	*count = high > low ? (uint32_t)(high - low) + 1 : 1;
}

static bool find_stated_footprint(const bspi_map_page *page, const bspi_face_light *face, bspi_luxel_box *out)
{
	int64_t x = face->x, y = face->y, width = face->width, height = face->height;
	if (x < 0 || y < 0 || width <= 0 || height <= 0) return false;
	if (x + width > page->width || y + height > page->height) return false;
	if (out) *out = (bspi_luxel_box){ (int32_t)x, (int32_t)y, (uint32_t)width, (uint32_t)height };
	return true;
}

bool bspi_find_footprint(const bspi_build *build, const bspi_face *face, bspi_luxel_box *out)
{
	const bspi_face_light *lit = bspi_light_of(build, face);
	const bspi_map_page *page = bspi_find_page(build->light, lit->pages[0]);
	if (!page) return false;
	if (face->kind == BSPI_FACE_TERRAIN) return find_stated_footprint(page, lit, out);
	if (face->vertex_count < 1) return false;
	if (!out) return true;
	float min[2] = { INFINITY, INFINITY }, max[2] = { -INFINITY, -INFINITY };
	for (int32_t i = 0; i < face->vertex_count; i++) {
		const float *uv = bspi_lead_uv(build, (size_t)(face->first_vertex + i));
		for (int k = 0; k < 2; k++) {
			float at = uv[k];
			min[k] = at < min[k] ? at : min[k];
			max[k] = at > max[k] ? at : max[k];
		}
	}
	find_range(min[0], max[0], page->width, &out->x, &out->width);
	find_range(min[1], max[1], page->height, &out->y, &out->height);
	return true;
}

/* ---- How a face is lit ------------------------------------------------------------------------------------ */

/* Decides how a face is lit, in formats that store whole lightmap pages. `box` (may be NULL) receives the rectangle of
 * luxels. If something is wrong with the light, *fault says what. */
static bspscene_lighting light_by_page(const bspi_build *build, const bspi_face *face, bspi_luxel_box *box,
                                       const char **fault)
{
	const bspi_light *light = build->light;
	int32_t number = bspi_light_of(build, face)->pages[0];
	if (!bspi_may_have_page(face) || (face->soup && build->map->rules.soups_by_vertex)) return BSPSCENE_LIGHTING_VERTEX;
	if (number == BSPI_PAGE_NONE || number == BSPI_PAGE_WHITE) return BSPSCENE_LIGHTING_FULLBRIGHT;
	if (number < 0) return BSPSCENE_LIGHTING_VERTEX;
	if (bspi_find_footprint(build, face, box)) return BSPSCENE_LIGHTING_LIGHTMAP;
	if (!light->external) {
		*fault = bspi_find_page(light, number) ? "its rectangle is not on its lightmap page"
		                                       : "its lightmap page does not exist";
	}
	return BSPSCENE_LIGHTING_VERTEX;
}

static bspscene_lighting light_by_block(const bspi_build *build, const bspi_face *face, bspi_luxel_box *box,
                                        const char **fault)
{
	const bspi_map *map = build->map;
	const bspi_light *light = build->light;
	bspscene_lighting unlit = map->rules.unlit_is_black ? BSPSCENE_LIGHTING_BLACK : BSPSCENE_LIGHTING_FULLBRIGHT;
	if (face->vertex_lit) return BSPSCENE_LIGHTING_VERTEX;
	if (!light->blocks.size) return BSPSCENE_LIGHTING_FULLBRIGHT;
	if (face->light_offset < 0 || face->styles[0] == BSPI_NO_STYLE) return unlit;
	const bspi_face_light *lit = bspi_light_of(build, face);
	int32_t width = lit->width, height = lit->height;
	if (width < 1 || height < 1 || width > LARGEST_SIDE || height > LARGEST_SIDE) {
		*fault = "its number of luxels is not valid";
		return unlit;
	}
	bspi_bytes bytes;
	uint64_t size = (uint64_t)width * (uint64_t)height * bspi_block_count(face) * light->luxel_size;
	if (!bspi_slice(light->blocks, (uint64_t)bspi_block_offset(map, light, face), size, &bytes)) {
		*fault = "its luxels are past the end of the light data";
		return unlit;
	}
	if (box) *box = (bspi_luxel_box){ lit->x, lit->y, (uint32_t)width, (uint32_t)height };
	return BSPSCENE_LIGHTING_LIGHTMAP;
}

static bspscene_lighting find_light(const bspi_build *build, const bspi_face *face, bspi_luxel_box *box,
                                    const char **fault)
{
	switch (build->map->rules.light_storage) {
	case BSPI_STORAGE_PAGES: return light_by_page(build, face, box, fault);
	case BSPI_STORAGE_BLOCKS: return light_by_block(build, face, box, fault);
	case BSPI_STORAGE_NONE: break;
	}
	return build->map->draw_vertices_count ? BSPSCENE_LIGHTING_VERTEX : BSPSCENE_LIGHTING_FULLBRIGHT;
}

bool bspi_find_luxels(const bspi_build *build, const bspi_face *face, bspi_luxel_box *out)
{
	const char *fault = NULL;
	return find_light(build, face, out, &fault) == BSPSCENE_LIGHTING_LIGHTMAP;
}

bool bspi_face_has_luxels(const bspi_build *build, const bspi_face *face)
{
	if (build->light->lit) return build->light->lit[face - build->map->faces];
	return bspi_find_luxels(build, face, NULL);
}

bool bspi_measure_luxels(bspi_build *build, bspi_surface *surface)
{
	const bspi_face *face = &build->map->faces[surface->face];
	bspi_luxel_box box = { 0, 0, 0, 0 };
	const char *fault = NULL;
	surface->lighting = find_light(build, face, &box, &fault);
	surface->page = BSPSCENE_NO_INDEX;
	surface->source_page = BSPSCENE_NO_INDEX;
	surface->luxel_width = surface->luxel_height = 0;
	if (fault) {
		bspi_location location = bspi_record_location(build->map, BSPI_ARRAY_faces, surface->face);
		return bspi_warn(build->ctx, BSPSCENE_WARNING_LIGHTMAP, location, "shown without its lightmap: %s", fault);
	}
	if (surface->lighting != BSPSCENE_LIGHTING_LIGHTMAP) return true;
	bool pages = build->map->rules.light_storage == BSPI_STORAGE_PAGES;
	if (build->ctx->options.lightmap_encoding == BSPSCENE_LIGHTMAP_ENCODING_NONE) {
		surface->lighting = pages ? BSPSCENE_LIGHTING_VERTEX : BSPSCENE_LIGHTING_FULLBRIGHT;
		return true;
	}
	if (pages) surface->source_page = (uint32_t)bspi_light_of(build, face)->pages[0];
	surface->luxel_x = box.x;
	surface->luxel_y = box.y;
	surface->luxel_width = box.width;
	surface->luxel_height = box.height;
	return true;
}

/* ---- Page uvs --------------------------------------------------------------------------------------------- */

/* Converts a luxel coordinate of the rectangle to a coordinate of the page. Rounding may move coordinates out of the
 * rectangle, so they are clamped to half a luxel outside of it, where filtering reads only the gutter. NaN becomes the
 * edge. */
static inline float put_on_page(double luxel, double side, double at, double page_side)
{
	double most = side + 0.5;
	double inside = luxel > -0.5 ? (luxel < most ? luxel : most) : -0.5;
	return (float)((at + inside) / page_side);
}

bspi_page_place bspi_find_page_place(const bspi_build *build, const bspi_surface *surface)
{
	if (surface->page == BSPSCENE_NO_INDEX) return (bspi_page_place){ .lit = false };
	const bspi_face *face = &build->map->faces[surface->face];
	const bspi_page_size *page = &build->light->atlas.pages[surface->page];
	bspi_page_place out = {
		.lit = true, .sides = { surface->luxel_width, surface->luxel_height },
		.at = { surface->page_x, surface->page_y }, .page_sides = { page->width, page->height },
	};
	bspi_luxel_grid grid;
	if (surface->source_page != BSPSCENE_NO_INDEX) {
		const bspi_map_page *stored = bspi_find_page(build->light, (int32_t)surface->source_page);
		out.scale[0] = stored->width;
		out.scale[1] = stored->height;
		out.first[0] = surface->luxel_x;
		out.first[1] = surface->luxel_y;
	} else if (face->kind == BSPI_FACE_DISPLACEMENT) {
		out.scale[0] = out.scale[1] = 1;
		out.first[0] = out.first[1] = -0.5;
	} else if (bspi_find_grid(build->map, face, &grid)) {
		out.projected = true;
		bspi_widen_vectors((const float (*)[4])grid.vectors, out.vectors);
		out.texels_per_luxel = (double)grid.texels_per_luxel;
		out.first[0] = surface->luxel_x;
		out.first[1] = surface->luxel_y;
	} else {
		out.first[0] = out.first[1] = -0.5;
	}
	return out;
}

/* See stages.h. Luxel coordinates are relative to the surface's rectangle; centers of luxels are at n + 0.5. */
void bspi_page_uv(const bspi_page_place *place, const float position[3], const float stored[2], float out[2])
{
	out[0] = out[1] = 0;
	for (int k = 0; k < 2 && place->lit; k++) {
		double luxel = (double)stored[k] * place->scale[k] - place->first[k];
		if (place->projected) {
			double texel = bspi_project_texel(place->vectors[k], position);
			luxel = texel / place->texels_per_luxel - place->first[k] + 0.5;
		}
		out[k] = put_on_page(luxel, place->sides[k], place->at[k], place->page_sides[k]);
	}
}
