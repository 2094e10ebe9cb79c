/* light_passes.c - converts shader stages that show stored luxels. They become light styles of the faces that use the
 * shader.
 *
 * Quake III maps cannot store light styles. So q3map2 gives a surface with styles a shader of its own. For each style,
 * this shader has a stage that shows $lightmap, or that shows the page as a picture (maps/<map>/lm_0001.tga), with an
 * offset on the page. Lightmaps of unusual sizes are pictures too (lightmaps_ydnar.cpp StoreSurfaceLightmaps). This
 * code gives the faces the same style slots that faces of Raven's formats have in the file. The stages become ordinary
 * light of their style. */
#include "materials/materials.h"

#include <math.h>

#include "base/text.h"
#include "images/images.h"
#include "io/io.h"

#define LARGEST_PAGE 4096u
#define LARGEST_OFFSET 16.0f           /* stages that move lightmap uvs farther are ignored; 1 is a whole page */
#define LARGEST_REUSE 16u /* how many uvs may be written per draw vertex; in real maps, faces do not share vertices */

typedef struct page_reader {
	bspi_materials *materials;
	bspi_picture_page *pages; uint32_t count, capacity;
	int32_t *numbers;                  /* for each light stage: the number of its page, or BSPI_PAGE_NONE */
} page_reader;

static bool decode(page_reader *r, const char *name, const bspi_sibling *file)
{
	bspi_ctx *ctx = r->materials->ctx;
	bspi_image_info info = bspi_image_probe(file->bytes);
	bspscene_pixels pixels = { 0 };
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

/* Reads the picture of light stage `index`. If an earlier stage shows the same picture, uses that one. */
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
	if (!found) return bspi_warn(m->ctx, BSPSCENE_WARNING_FILE_MISSING, BSPI_LUMP("lightmaps"),
	                             "%s was not found: the light of shaders that name it is missing", name);
	BSPI_TRY(decode(r, name, &file));
	if (r->count > number) r->numbers[index] = BSPI_FIRST_PICTURE_PAGE + (int32_t)number;
	return true;
}

static bool read_pages(page_reader *r)
{
	const bspi_materials *m = r->materials;
	r->numbers = bspi_push(m->ctx, &m->ctx->scratch, int32_t, m->light_stage_count);
	BSPI_TRY(r->numbers);
	for (uint32_t i = 0; i < m->light_stage_count; i++) {
		r->numbers[i] = BSPI_PAGE_NONE;
		if (m->light_stages[i].picture) BSPI_TRY(find_page(r, i));
	}
	return true;
}

static void move_uvs(const bspi_shader_light *light, const bspi_face *face, uint32_t slot, const float offset[2])
{
	for (int32_t i = 0; i < face->vertex_count; i++) {
		float (*uvs)[2] = light->uvs[face->first_vertex + i];
		for (int k = 0; k < 2; k++) uvs[slot][k] = uvs[0][k] + offset[k];
	}
}

/* Returns the index of the first light stage that is not before `stage`. Light stages are sorted, so those of a
 * material follow each other. */
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

static void place_on_face(const page_reader *r, uint32_t index, const bspscene_material *material,
                          const bspi_shader_light *light)
{
	const bspi_materials *m = r->materials;
	const bspi_face *face = &m->map->faces[index];
	bspi_face_pages *out = &light->faces[index];
	int32_t own = out->pages[0];
	uint32_t slot = 0;
	for (uint32_t i = first_light_stage(m, material->first_pass); i < m->light_stage_count; i++) {
		const bspi_light_pass *stage = &m->light_stages[i];
		int32_t page = stage->picture ? r->numbers[i] : own;
		bool sane = fabsf(stage->offset[0]) <= LARGEST_OFFSET && fabsf(stage->offset[1]) <= LARGEST_OFFSET;
		if (stage->stage - material->first_pass >= material->pass_count) break;
		if (page < 0 || !sane) continue;
		if (!stage->style) {
			out->pages[0] = page;
			out->styles[0] = 0;
		} else if (slot + 1 < BSPI_MAX_STYLES) {
			slot++;
			out->pages[slot] = page;
			out->styles[slot] = (uint8_t)stage->style;
			move_uvs(light, face, slot, stage->offset);
		}
	}
	if (slot && out->styles[0] == 255) out->styles[0] = 0;
}

/* Allocates pages, styles and uvs for all faces. Copies the map's own values into them. */
static bool make_slots(const bspi_materials *m, bspi_shader_light *out)
{
	bspi_ctx *ctx = m->ctx;
	const bspi_map *map = m->map;
	out->faces = bspi_push(ctx, &ctx->scratch, bspi_face_pages, map->faces_count);
	out->uvs = bspi_push_zeroed(ctx, &ctx->scratch, map->draw_vertices_count, sizeof *out->uvs);
	BSPI_TRY(out->faces && out->uvs);
	for (uint32_t i = 0; i < map->faces_count; i++) {
		memcpy(out->faces[i].pages, map->faces[i].lightmap, sizeof out->faces[i].pages);
		memcpy(out->faces[i].styles, map->faces[i].styles, sizeof out->faces[i].styles);
	}
	for (uint32_t i = 0; i < map->draw_vertices_count; i++) bspi_copy_slot_uvs(map, i, out->uvs[i]);
	return true;
}

bool bspi_place_light_passes(bspi_materials *m, const bspscene_material *all, bspi_shader_light *out)
{
	const bspi_map *map = m->map;
	page_reader reader = { .materials = m };
	uint64_t visits = (uint64_t)map->draw_vertices_count * LARGEST_REUSE;
	if (!m->light_stage_count || m->ctx->options.lightmap_encoding == BSPSCENE_LIGHTMAP_ENCODING_NONE) return true;
	BSPI_TRY(read_pages(&reader) && make_slots(m, out));
	out->pictures = reader.pages;
	out->picture_count = reader.count;
	for (uint32_t i = 0; i < map->faces_count; i++) {
		const bspi_face *face = &map->faces[i];
		if (face->kind != BSPI_FACE_TRIANGLES && face->kind != BSPI_FACE_PATCH) continue;
		const bspscene_material *material = &all[m->texture_materials[bspi_shown_texture(m, i)]];
		uint32_t first = first_light_stage(m, material->first_pass);
		if (first == m->light_stage_count) continue;
		if (m->light_stages[first].stage - material->first_pass >= material->pass_count) continue;
		if ((uint64_t)face->vertex_count * BSPI_MAX_STYLES > visits) {
			return bspi_warn(m->ctx, BSPSCENE_WARNING_LIMIT, BSPI_LUMP("faces"),
			                 "faces share too many vertices: some light styles are left out");
		}
		visits -= (uint64_t)face->vertex_count * BSPI_MAX_STYLES;
		place_on_face(&reader, i, material, out);
	}
	return true;
}
