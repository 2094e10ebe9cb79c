/* light_pages.c - finds the stored pages of maps whose light is in pages: in the lump, in pictures next to the map
 * (maps/<map>/lm_0000.tga), or in pictures that shaders name. Also finds out if every second page has light
 * directions. */
#include "stages/light/light.h"

#include <math.h>

#include "base/text.h"
#include "images/images.h"
#include "io/io.h"

#define LARGEST_NUMBER 9999            /* file names are lm_0000 to lm_9999 */
#define HERE BSPI_LUMP("lightmaps")

/* Which stored pages the faces of the map use. */
typedef struct page_use {
	bool *used;                        /* for each page number up to LARGEST_NUMBER, true if a face uses the
	                                    * page */
	uint32_t largest;                  /* largest used page number */
	bool any, odd;
} page_use;

static bool find_used(bspi_build *build, page_use *use)
{
	const bspi_map *map = build->map;
	use->used = bspi_push(build->ctx, &build->ctx->stage, bool, LARGEST_NUMBER + 1);
	BSPI_TRY(use->used);
	uint32_t slots = bspi_has_slots(build) ? BSPI_MAX_STYLES : 1;
	for (uint32_t i = 0; i < map->faces_count; i++) {
		const bspi_face *face = &map->faces[i];
		const bspi_face_light *lit = bspi_light_of(build, face);
		if (!bspi_may_have_page(face)) continue;
		for (uint32_t slot = 0; slot < slots; slot++) {
			int32_t number = lit->pages[slot];
			if (number < 0 || number > LARGEST_NUMBER || (slot && lit->styles[slot] == BSPI_NO_STYLE)) continue;
			use->used[number] = use->any = true;
			if ((uint32_t)number > use->largest) use->largest = (uint32_t)number;
			if (number & 1) use->odd = true;
		}
	}
	return true;
}

/* ---- Pages in the lump ------------------------------------------------------------------------------------ */

static bool take_lump_pages(bspi_build *build)
{
	const bspi_map *map = build->map;
	bspi_light *light = build->light;
	uint32_t side = map->rules.lightmap_page_size;
	size_t size = (size_t)side * side * 3;
	light->page_count = (uint32_t)(map->lighting.size / size);
	light->pages = bspi_push(build->ctx, &build->ctx->scratch, bspi_map_page, light->page_count);
	BSPI_TRY(light->pages);
	for (uint32_t i = 0; i < light->page_count; i++) {
		light->pages[i] = (bspi_map_page){ map->lighting.data + i * size, side, side, map->rules.overbright };
	}
	if (map->lighting.size % size == 0) return true;
	return bspi_warn(build->ctx, BSPSCENE_WARNING_LUMP_TAIL, HERE,
	                 "%zu bytes after the last whole page of %zu bytes are left out",
	                 map->lighting.size % size, size);
}

/* ---- Pages in pictures ------------------------------------------------------------------------------------ */

/* Stores the RGB values of a picture as a page. Alpha is dropped, because light has none. */
static bool keep_pixels(bspi_build *build, const bspscene_pixels *pixels, bspi_map_page *out)
{
	size_t count = (size_t)pixels->width * pixels->height;
	uint8_t *rgb = bspi_push(build->ctx, &build->ctx->scratch, uint8_t, count * 3);
	BSPI_TRY(rgb);
	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < 3; k++) rgb[3 * i + k] = pixels->data[4 * i + k];
	}
	*out = (bspi_map_page){ rgb, pixels->width, pixels->height, build->map->rules.overbright };
	return true;
}

static bool decode_page(bspi_build *build, const bspi_sibling *file, bspi_map_page *out)
{
	bspi_ctx *ctx = build->ctx;
	bspi_image_info info = bspi_image_probe(file->bytes);
	bspscene_pixels pixels = { 0 };
	bspscene_error error;
	bool done;
	bool decoded = bspi_bytes_decode_within(&ctx->budget, info.format, file->bytes, &pixels, &error);
	if (decoded) done = keep_pixels(build, &pixels, out);
	else if (ctx->budget.refused) done = bspi_fail_memory(ctx);
	else done = bspi_warn(ctx, BSPSCENE_WARNING_IMAGE_BAD, HERE, "%s: %s", file->path, error.message);
	bspi_pixels_give(&ctx->budget, &pixels);
	return done;
}

bool bspi_open_picture(const bspi_build *build, bspi_arena *arena, uint32_t number, bspi_sibling *out)
{
	static const char *const endings[] = { "tga", "jpg", "png" };
	bspi_ctx *ctx = build->ctx;
	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
		const char *path = bspi_text_format(ctx, arena, "maps/%s/lm_%04u.%s", ctx->name, (unsigned)number, endings[i]);
		if (!path) return false;
		if (bspi_open_sibling(ctx, arena, path, BSPSCENE_FILE_LIGHTMAP, out)) return true;
		if (ctx->error.status) return false;
	}
	return false;
}

/* Loads the picture of a page. Sets *found to true if its file exists, even if the file is damaged. */
static bool load_page(bspi_build *build, uint32_t number, bool *found)
{
	bspi_ctx *ctx = build->ctx;
	bspi_arena files;
	bspi_sibling file;
	bspi_arena_init(&files, &ctx->budget);
	*found = bspi_open_picture(build, &files, number, &file);
	bool done = *found ? decode_page(build, &file, &build->light->pages[number]) : !ctx->error.status;
	bspi_arena_reset(&files);
	return done;
}

static bool check_size(bspi_build *build, uint32_t number, const bspi_map_page **first)
{
	const bspi_map_page *page = &build->light->pages[number];
	if (!page->rgb) return true;
	if (!*first) *first = page;
	if (page->width == (*first)->width && page->height == (*first)->height) return true;
	return bspi_warn(build->ctx, BSPSCENE_WARNING_LIGHTMAP, HERE,
	                 "picture lm_%04u has %u x %u pixels, but the first has %u x %u: its light may be misplaced",
	                 (unsigned)number, (unsigned)page->width, (unsigned)page->height, (unsigned)(*first)->width,
	                 (unsigned)(*first)->height);
}

/* Loads the picture of each used page. q3map2 -external writes such pictures, and leaves the lump empty. */
static bool load_pictures(bspi_build *build, const page_use *use)
{
	bspi_ctx *ctx = build->ctx;
	bspi_light *light = build->light;
	light->external = true;
	light->page_count = use->largest + 2;
	light->pages = bspi_push(ctx, &ctx->scratch, bspi_map_page, light->page_count);
	BSPI_TRY(light->pages);
	const bspi_map_page *first = NULL;
	bool directions = !use->odd;
	for (uint32_t number = 0; number <= use->largest; number++) {
		bool found;
		if (!use->used[number]) continue;
		BSPI_TRY(load_page(build, number, &found));
		BSPI_TRY(check_size(build, number, &first));
		if (!found) {
			BSPI_TRY(bspi_warn(ctx, BSPSCENE_WARNING_FILE_MISSING, HERE,
			                   "maps/%s/lm_%04u.tga (or jpg, png) is missing: "
			                   "vertex light is used instead", ctx->name, (unsigned)number));
		}
		/* Directions are on the page after each page. If the first one is missing, the others are not looked for. */
		if (directions) BSPI_TRY(load_page(build, number + 1, &directions));
		BSPI_TRY(bspi_progress(ctx, "lightmaps", number, light->page_count));
	}
	return true;
}

static bool take_shader_pictures(bspi_build *build)
{
	const bspi_shader_light *shaders = build->shader_light;
	bspi_light *light = build->light;
	light->picture_count = shaders ? shaders->picture_count : 0;
	light->pictures = bspi_push(build->ctx, &build->ctx->scratch, bspi_map_page, light->picture_count);
	BSPI_TRY(light->pictures);
	for (uint32_t i = 0; i < light->picture_count; i++) {
		const bspi_picture_page *picture = &shaders->pictures[i];
		light->pictures[i] = (bspi_map_page){ picture->rgb, picture->width, picture->height, picture->overbright };
	}
	return true;
}

/* ---- Light directions ------------------------------------------------------------------------------------- */

#define SAMPLES_PER_PAGE 4096u
#define LENGTH_TOLERANCE 0.06f
#define DIRECTION_SHARE 0.6f

/* True if pages with odd numbers have directions. Directions have length 1, but colors have any length. On 45 maps with
 * directions, 67 to 100 % of the luxels have length 1. On maps without them, at most 34 % have. Black luxels exist in
 * both, and are not counted. */
static bool look_like_directions(const bspi_light *light)
{
	uint32_t sampled = 0, unit = 0;
	for (uint32_t i = 1; i < light->page_count; i += 2) {
		const bspi_map_page *page = &light->pages[i];
		if (!page->rgb) continue;
		size_t count = (size_t)page->width * page->height;
		/* An odd step, so that the samples are not all in the same column. */
		size_t step = count / SAMPLES_PER_PAGE | 1;
		for (size_t k = 0; k < count; k += step) {
			const uint8_t *p = page->rgb + 3 * k;
			if (!(p[0] | p[1] | p[2])) continue;
			float square = 0;
			for (int axis = 0; axis < 3; axis++) square += (p[axis] / 127.5f - 1) * (p[axis] / 127.5f - 1);
			sampled++;
			unit += fabsf(sqrtf(square) - 1) < LENGTH_TOLERANCE;
		}
	}
	return sampled && (float)unit >= DIRECTION_SHARE * (float)sampled;
}

static void find_directions(bspi_build *build, const page_use *use)
{
	bspi_light *light = build->light;
	const char *key = bspi_world_value(build, "deluxeMaps");
	bool tangent = key && bspi_text_equal(key, "2"), world = key && bspi_text_equal(key, "1");
	if (!use->any || use->odd || light->page_count < 2 || light->page_count % 2) return;
	light->deluxe = tangent || world || look_like_directions(light);
	light->tangent_space = tangent;
}

bool bspi_find_map_pages(bspi_build *build)
{
	page_use use = { 0 };
	BSPI_TRY(find_used(build, &use));
	BSPI_TRY(take_shader_pictures(build));
	if (build->map->lighting.size) BSPI_TRY(take_lump_pages(build));
	else if (use.any) BSPI_TRY(load_pictures(build, &use));
	find_directions(build, &use);
	return true;
}
