/* light_stages.c - shader stages that show stored luxels -> light styles of the faces that use them.
 *
 * q3map2 cannot store light styles in a Quake III map. It gives such a surface a shader of its own, with a stage for
 * each style that shows $lightmap, or the page as a picture (maps/<map>/lm_0001.tga), at another place of the page;
 * lightmaps of unusual sizes are pictures too (lightmaps_ydnar.cpp StoreSurfaceLightmaps). Here the faces get the slots
 * that Raven's formats have in the file, and the stages become plain light of their style. */
#include "materials/materials.h"

#include <math.h>

#include "base/text.h"
#include "images/images.h"
#include "io/io.h"

#define LARGEST_PAGE 4096u
#define LARGEST_OFFSET 16.0f           /* pages are 1 wide */
#define LARGEST_REUSE 16u              /* faces do not share vertices in real maps: how often all may be visited */

typedef struct page_reader {
	bspi_materials *materials;
	bspi_picture_page *pages; uint32_t count, capacity;
	int32_t *numbers;                  /* by light stage: the page's number, BSPI_PAGE_NONE: there is none */
} page_reader;

static bool decode(page_reader *r, const char *name, const bspi_sibling *file)
{
	bspi_ctx *ctx = r->materials->ctx;
	bspi_image_info info = bspi_image_probe(file->bytes);
	bspscene_pixels pixels = { 0, 0, NULL };
	bspscene_error error = { .message = "" };
	bool fits = info.width <= LARGEST_PAGE && info.height <= LARGEST_PAGE;
	if (!fits || !bspi_bytes_decode_within(&ctx->budget, info.format, file->bytes, &pixels, &error)) {
		const char *why = fits ? error.message : "too large";
		if (ctx->budget.refused) return bspi_fail_memory(ctx);
		return bspi_warn(ctx, BSPSCENE_WARNING_IMAGE_BAD, BSPI_LUMP("lightmaps"), "%s: %s", name, why);
	}
	size_t count = (size_t)pixels.width * pixels.height;
	uint8_t *rgb = bspi_push(ctx, &ctx->scratch, uint8_t, count * 3);
	for (size_t i = 0; rgb && i < count; i++) memcpy(rgb + 3 * i, pixels.data + 4 * i, 3);
	bspi_picture_page page = { pixels.width, pixels.height, rgb, 1, file->path, file->bytes };
	bspi_pixels_give(&ctx->budget, &pixels);
	BSPI_TRY(rgb && bspi_reserve(ctx, (void **)&r->pages, r->count, &r->capacity, sizeof page));
	r->pages[r->count++] = page;
	return true;
}

/* The picture of light stage `index`, read once for all stages that show it. */
static bool find_page(page_reader *r, uint32_t index)
{
	static const char *const endings[] = { ".tga", ".jpg", ".png" };
	const bspi_materials *m = r->materials;
	const char *name = m->light_stages[index].picture;
	bspi_sibling file;
	for (uint32_t i = 0; i < index; i++) {
		if (!m->light_stages[i].picture || !bspi_text_equal(m->light_stages[i].picture, name)) continue;
		r->numbers[index] = r->numbers[i];
		return true;
	}
	uint32_t number = r->count;
	bool found = false;
	for (size_t i = 0; i < sizeof endings / sizeof *endings && !found; i++) {
		int stem = (int)(strlen(name) - strlen(strrchr(name, '.')));
		const char *path = bspi_text_format(m->ctx, &m->ctx->scratch, "%.*s%s", stem, name, endings[i]);
		BSPI_TRY(path);
		found = bspi_open_sibling(m->ctx, &m->ctx->scratch, path, BSPSCENE_FILE_LIGHTMAP, &file);
		if (m->ctx->error.status) return false;
	}
	if (!found) return bspi_warn(m->ctx, BSPSCENE_WARNING_FILE_MISSING, BSPI_LUMP("lightmaps"), "%s", name);
	BSPI_TRY(decode(r, name, &file));
	if (r->count > number) r->numbers[index] = BSPI_FIRST_PICTURE_PAGE + (int32_t)number;
	return true;
}

static bool read_pages(page_reader *r, bspi_map *map)
{
	const bspi_materials *m = r->materials;
	r->numbers = bspi_push(m->ctx, &m->ctx->scratch, int32_t, m->light_stage_count);
	BSPI_TRY(r->numbers);
	for (uint32_t i = 0; i < m->light_stage_count; i++) {
		r->numbers[i] = BSPI_PAGE_NONE;
		if (m->light_stages[i].picture) BSPI_TRY(find_page(r, i));
	}
	map->picture_pages = r->pages;
	map->picture_page_count = r->count;
	return true;
}

static void move_uvs(const bspi_map *map, const bspi_face *face, uint32_t slot, const float offset[2])
{
	for (int32_t i = 0; i < face->vertex_count; i++) {
		const float *stored = map->draw_vertices[face->first_vertex + i].lightmap;
		float *out = map->draw_vertex_styles[face->first_vertex + i].lightmap[slot - 1];
		for (int k = 0; k < 2; k++) out[k] = stored[k] + offset[k];
	}
}

/* The stages are in ascending order, so those of one material are a run. */
static uint32_t first_light_stage(const bspi_materials *m, uint32_t stage)
{
	uint32_t low = 0, high = m->light_stage_count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (m->light_stages[middle].stage < stage) low = middle + 1;
		else high = middle;
	}
	return low;
}

static void place_on_face(const page_reader *r, const bspi_map *map, bspi_face *face, const bspscene_material *material)
{
	const bspi_materials *m = r->materials;
	int32_t own = face->lightmap[0];
	uint32_t slot = 0;
	for (uint32_t i = first_light_stage(m, material->first_stage); i < m->light_stage_count; i++) {
		const bspi_light_stage *stage = &m->light_stages[i];
		int32_t page = stage->picture ? r->numbers[i] : own;
		bool sane = fabsf(stage->offset[0]) <= LARGEST_OFFSET && fabsf(stage->offset[1]) <= LARGEST_OFFSET;
		if (stage->stage - material->first_stage >= material->stage_count) break;
		if (page < 0 || !sane) continue;
		if (!stage->style) {
			face->lightmap[0] = page;
			face->styles[0] = 0;
		} else if (slot + 1 < BSPI_MAX_STYLES) {
			slot++;
			face->lightmap[slot] = page;
			face->styles[slot] = (uint8_t)stage->style;
			move_uvs(map, face, slot, stage->offset);
		}
	}
	if (slot && face->styles[0] == 255) face->styles[0] = 0;
}

static bool make_style_vertices(bspi_ctx *ctx, bspi_map *map)
{
	if (map->draw_vertex_styles_count) return true;
	map->draw_vertex_styles = bspi_push(ctx, &ctx->scratch, bspi_draw_vertex_styles, map->draw_vertices_count);
	BSPI_TRY(map->draw_vertex_styles);
	map->draw_vertex_styles_count = map->draw_vertices_count;
	return true;
}

bool bspi_place_light_stages(bspi_materials *m, bspi_map *map, const bspscene_material *all)
{
	page_reader reader = { .materials = m };
	uint64_t visits = (uint64_t)map->draw_vertices_count * LARGEST_REUSE;
	if (!m->light_stage_count || m->ctx->options.lightmap_encoding == BSPSCENE_LIGHTMAP_NONE) return true;
	BSPI_TRY(read_pages(&reader, map) && make_style_vertices(m->ctx, map));
	for (uint32_t i = 0; i < map->faces_count; i++) {
		bspi_face *face = &map->faces[i];
		if (face->kind != BSPI_FACE_TRIANGLES && face->kind != BSPI_FACE_PATCH) continue;
		const bspscene_material *material = &all[map->textures[face->texture].material];
		uint32_t first = first_light_stage(m, material->first_stage);
		if (first == m->light_stage_count) continue;
		if (m->light_stages[first].stage - material->first_stage >= material->stage_count) continue;
		if ((uint64_t)face->vertex_count * BSPI_MAX_STYLES > visits) {
			return bspi_warn(m->ctx, BSPSCENE_WARNING_LIMIT, BSPI_LUMP("faces"),
			                 "share too many vertices: some light styles are left out");
		}
		visits -= (uint64_t)face->vertex_count * BSPI_MAX_STYLES;
		place_on_face(&reader, map, face, material);
	}
	return true;
}
