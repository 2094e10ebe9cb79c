/* add_styles.c - adds the light of all styles into one set of pages and one set of vertex colors, so that they hold the
 * light that the game shows at one moment. drawing/add_light.h tells whether a game adds display values or linear
 * light; pages in the other encoding are converted before and after. A sum of bytes is clamped to 255, as in Quake
 * gl_rlight.c and its descendants. */
#include "baking/baking.h"

#include <math.h>
#include <string.h>

#include "base/page_luxels.h"
#include "drawing/add_light.h"
#include "images/images.h"

#define LARGEST_HALF 65504.0f

/* PART: a page is tested for black in pieces of this many numbers. BLOCK: this many numbers are added up before the
 * next ones, so that they stay in the cache. */
#define PART 64u
#define BLOCK 4032u                    /* a multiple of 3, because each luxel has three numbers */

enum { KIND_COUNT = BSPSCENE_LIGHTMAP_SET_BUMP_2 + 1, NO_STYLE = 255, STYLE_COUNT = 256 };

/* ---- Pages ------------------------------------------------------------------------------------------------ */

/* Returns the factor by which the light of `set` is multiplied before it is added to that of `first`. */
static float share_of(const bspscene_scene *scene, const bspscene_lightmap_set *set,
                      const bspscene_lightmap_set *first, const float *brightness)
{
	bool same = first->intensity <= 0 || set->intensity == first->intensity;
	float ratio = same ? 1 : set->intensity / first->intensity;
	return bspi_style_factor(scene->linear_luxels, ratio, brightness[set->style & 0xff]);
}

static void add_bytes(float *sum, const uint8_t *bytes, size_t count, float share, bool linear)
{
	for (size_t i = 0; !linear && i < count; i++) sum[i] += (float)bytes[i] * share;
	for (size_t i = 0; linear && i < count; i++) sum[i] += bspi_page_linear((float)bytes[i] / 255) * share;
}

static void add_halves(float *sum, const uint16_t *halves, size_t count, float share, bool linear)
{
	for (size_t i = 0; i < count; i++) {
		float light = fmaxf(bspi_half_to_float(halves[i]), 0);
		sum[i] += (linear ? light : bspi_page_display(light)) * share;
	}
}

/* Adds `count` numbers of a page, from number `first` on, to `sum`. Most of a style's page is black, so black parts are
 * skipped. */
static void add_block(float *sum, const bspscene_lightmap_page *page, size_t first, size_t count, float share,
                      bool linear)
{
	static const uint8_t black[PART * sizeof(uint16_t)];
	bool halves = page->format != BSPSCENE_LIGHTMAP_PAGE_RGB8;
	size_t size = halves ? sizeof(uint16_t) : 1, part;
	const uint8_t *data = (const uint8_t *)page->data + first * size;
	for (size_t i = 0; i < count; i += part) {
		part = count - i < PART ? count - i : PART;
		if (!memcmp(data + i * size, black, part * size)) continue;
		if (halves) add_halves(sum + i, (const uint16_t *)page->data + first + i, part, share, linear);
		else add_bytes(sum + i, data + i, part, share, linear);
	}
}

/* Does what add_block does, for a sparse page. The numbers must be those of whole luxels. */
static void add_sparse(float *sum, const bspscene_lightmap_page *page, size_t first, size_t count, float share,
                       bool linear)
{
	const bool halves = page->format != BSPSCENE_LIGHTMAP_PAGE_RGB8;
	uint16_t values[BSPSCENE_LIGHTMAP_BLOCK * 3];
	for (size_t luxel = first / 3, end = (first + count) / 3, run; luxel < end; luxel += run, sum += 3 * run) {
		const uint32_t x = (uint32_t)(luxel % page->width), y = (uint32_t)(luxel / page->width);
		run = BSPSCENE_LIGHTMAP_BLOCK - x % BSPSCENE_LIGHTMAP_BLOCK;
		if (run > page->width - x) run = page->width - x;
		if (run > end - luxel) run = end - luxel;
		const uint8_t *stored = bspi_block_luxel(page->blocks, x, y);
		if (!stored) continue;
		bspi_expand_luxels(page->blocks, stored, (uint32_t)run, bspi_luxel_bytes(page->format), (uint8_t *)values);
		if (halves) add_halves(sum, values, 3 * run, share, linear);
		else add_bytes(sum, (const uint8_t *)values, 3 * run, share, linear);
	}
}

static uint8_t byte_of(float sum, bool linear)
{
	float byte = linear ? 255 * bspi_page_display(sum) : sum;
	return (uint8_t)((byte < 255 ? byte : 255) + 0.5f);
}

static void store_block(const float *sum, bspscene_lightmap_page_format format, bool linear, void *out, size_t first,
                        size_t count)
{
	uint8_t *bytes = out;
	uint16_t *halves = out;
	for (size_t i = 0; i < count; i++) {
		if (format == BSPSCENE_LIGHTMAP_PAGE_RGB8) {
			bytes[first + i] = byte_of(sum[i], linear);
			continue;
		}
		float light = linear ? sum[i] : bspi_page_linear(sum[i]);
		halves[first + i] = bspi_half_from_float(fminf(light, LARGEST_HALF));
	}
}

/* Returns page `number` of a set if it has the kind of the first set, else NULL. */
static const bspscene_lightmap_page *page_of(const bspscene_lightmap_set *set, const bspscene_lightmap_set *first,
                                             uint32_t number)
{
	return set->kind == first->kind && bspi_page_has_light(&set->pages[number]) ? &set->pages[number] : NULL;
}

/* Adds up page `number` of all sets that have the kind of `first`. If only one set has light and it needs no change,
 * the page shares the caller's data. */
static bool compose_page(bspi_ctx *ctx, const bspscene_scene *scene, const bspscene_lightmap_set *first,
                         uint32_t number, const float *brightness, bspscene_lightmap_page *out)
{
	size_t count = 3 * (size_t)out->width * out->height;
	bool linear = scene->linear_luxels;
	uint32_t lit = 0;
	const bspscene_lightmap_page *alone = NULL;
	for (uint32_t i = 0; i < scene->lightmap_set_count; i++) {
		const bspscene_lightmap_set *set = &scene->lightmap_sets[i];
		const bspscene_lightmap_page *page = page_of(set, first, number);
		if (page) alone = lit++ || share_of(scene, set, first, brightness) != 1 ? NULL : page;
	}
	out->data = alone ? alone->data : NULL;
	out->blocks = NULL;
	if (!lit || out->data) return true;
	void *data =
		bspi_push_unset(ctx, &ctx->result, count, out->format == BSPSCENE_LIGHTMAP_PAGE_RGB8 ? 1 : sizeof(uint16_t));
	BSPI_TRY(data);
	out->data = data;
	if (alone) {
		bspscene_lightmap_page_read(alone, 0, 0, alone->width, alone->height, data);
		return true;
	}
	for (size_t at = 0; at < count; at += BLOCK) {
		size_t part = count - at < BLOCK ? count - at : BLOCK;
		float sum[BLOCK] = { 0 };
		for (uint32_t i = 0; i < scene->lightmap_set_count; i++) {
			const bspscene_lightmap_set *set = &scene->lightmap_sets[i];
			const bspscene_lightmap_page *page = page_of(set, first, number);
			if (!page) continue;
			(page->data ? add_block : add_sparse)(sum, page, at, part, share_of(scene, set, first, brightness), linear);
		}
		store_block(sum, out->format, linear, data, at, part);
	}
	return true;
}

static bool compose_set(bspi_ctx *ctx, const bspscene_scene *scene, const bspscene_lightmap_set *first,
                        const float *brightness, bspscene_lightmap_set *out)
{
	bspscene_lightmap_page *pages = bspi_push(ctx, &ctx->result, bspscene_lightmap_page, scene->lightmap_page_count);
	BSPI_TRY(pages);
	*out = *first;
	out->pages = pages;
	for (uint32_t i = 0; i < scene->lightmap_page_count; i++) {
		pages[i] = first->pages[i];
		BSPI_TRY(compose_page(ctx, scene, first, i, brightness, &pages[i]));
		BSPI_TRY(bspi_progress(ctx, "light", i + 1, scene->lightmap_page_count));
	}
	return true;
}

static bool add_pages(bspi_ctx *ctx, bspscene_scene *scene, const float *brightness)
{
	if (!scene->lightmap_set_count) return true;
	bspscene_lightmap_set *sets = bspi_push(ctx, &ctx->result, bspscene_lightmap_set, scene->lightmap_set_count);
	BSPI_TRY(sets);
	uint32_t count = 0;
	bool done[KIND_COUNT] = { false };
	for (uint32_t i = 0; i < scene->lightmap_set_count; i++) {
		const bspscene_lightmap_set *set = &scene->lightmap_sets[i];
		/* Directions cannot be added. Those of the first style are used, because nearly all light has this style. */
		if (done[set->kind]) continue;
		done[set->kind] = true;
		bspi_fraction_part(&ctx->fraction, bspi_share_done(i, scene->lightmap_set_count),
		                   bspi_share_done(i + 1, scene->lightmap_set_count));
		sets[count] = *set;
		if (set->kind != BSPSCENE_LIGHTMAP_SET_DIRECTION) {
			BSPI_TRY(compose_set(ctx, scene, set, brightness, &sets[count]));
		}
		sets[count++].style = 0;
	}
	scene->lightmap_sets = sets;
	scene->lightmap_set_count = count;
	return true;
}

/* Sets the style of all faces to that of the summed pages. */
static bool rename_styles(bspi_ctx *ctx, bspscene_scene *scene)
{
	bspscene_face *faces = bspi_push(ctx, &ctx->result, bspscene_face, scene->face_count);
	BSPI_TRY(faces);
	if (scene->face_count) memcpy(faces, scene->faces, scene->face_count * sizeof *faces);
	for (uint32_t i = 0; i < scene->face_count; i++) {
		if (faces[i].lightmap_page == BSPSCENE_NO_INDEX) continue;
		memset(faces[i].styles, NO_STYLE, sizeof faces[i].styles);
		faces[i].styles[0] = 0;
	}
	scene->faces = faces;
	return true;
}

/* Stores the factors in scene->added_styles, so that callers know them. Does nothing if they are stored already, or if
 * the pages have only style 0 and its factor is 1. */
static bool note_styles(bspi_ctx *ctx, bspscene_scene *scene, const float *brightness)
{
	bool changed = false;
	for (uint32_t i = 0; i < scene->lightmap_set_count; i++) {
		changed = changed || scene->lightmap_sets[i].style || brightness[0] != 1;
	}
	if (!changed || scene->added_styles) return true;
	float *copy = bspi_push(ctx, &ctx->result, float, STYLE_COUNT);
	BSPI_TRY(copy);
	memcpy(copy, brightness, STYLE_COUNT * sizeof *copy);
	scene->added_styles = copy;
	return true;
}

bool bspi_add_page_styles(bspi_ctx *ctx, bspscene_scene *scene, const float *brightness)
{
	BSPI_TRY(note_styles(ctx, scene, brightness));
	return add_pages(ctx, scene, brightness) && rename_styles(ctx, scene);
}

/* ---- Vertices --------------------------------------------------------------------------------------------- */

/* Adds up the vertex colors of all styles: the mesh's colors, which have style 0, and its further sets, each times its
 * brightness. Alpha is not changed. */
static bool add_colors(bspi_ctx *ctx, bspscene_mesh *mesh, const float *brightness)
{
	size_t count = 4 * (size_t)mesh->vertex_count;
	uint8_t *colors = bspi_push_unset(ctx, &ctx->result, count, 1);
	BSPI_TRY(colors);
	for (size_t i = 0; i < count; i++) {
		float sum = (float)mesh->colors[i] * (i % 4 == 3 ? 1 : brightness[0]);
		for (uint32_t s = 0; i % 4 != 3 && s < mesh->vertex_color_set_count; s++) {
			sum += (float)mesh->vertex_color_sets[s].colors[i] * brightness[mesh->vertex_color_sets[s].style & 0xff];
		}
		colors[i] = (uint8_t)(fminf(sum, 255) + 0.5f);
	}
	mesh->colors = colors;
	mesh->vertex_color_sets = NULL;
	mesh->vertex_color_set_count = 0;
	return true;
}

bool bspi_add_color_styles(bspi_ctx *ctx, bspscene_scene *scene, const float *brightness)
{
	bspscene_mesh *meshes = bspi_push(ctx, &ctx->result, bspscene_mesh, scene->mesh_count);
	BSPI_TRY(meshes);
	for (uint32_t i = 0; i < scene->mesh_count; i++) {
		meshes[i] = *scene->meshes[i];
		if (!meshes[i].colors || (!meshes[i].vertex_color_set_count && brightness[0] == 1)) continue;
		BSPI_TRY(add_colors(ctx, &meshes[i], brightness));
	}
	scene->meshes = bspi_table(ctx, bspscene_mesh, meshes, scene->mesh_count);
	return scene->meshes != NULL;
}
