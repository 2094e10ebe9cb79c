/* read_atlas.c - reads atlas.json and its pictures as edited light. The files come from a user. What can be checked
 * without the map is checked here, and everything else in compare.c. */
#include "relight/read_atlas.h"

#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "base/text.h"
#include "relight/atlas_pages.h"

#define HERE BSPI_LUMP("atlas.json")
#define LARGEST_SIDE 16384
#define MOST_PAGES 65536u
#define MOST_STYLE 255
#define MOST_LISTS 16
#define HASH_SIZE 16u
#define CHECK(ctx, condition, ...) BSPI_CHECK(ctx, condition, BSPSCENE_ERROR_BAD_DATA, HERE, __VA_ARGS__)

enum { FORMAT_VERSION = 2 };

/* ---- Values ----------------------------------------------------------------------------------------------- */

static bool read_number(bspi_ctx *ctx, const json_t *object, const char *key, int64_t most, uint32_t *out)
{
	const json_t *value = json_object_get(object, key);
	int64_t number = json_is_integer(value) ? json_integer_value(value) : -1;
	*out = 0;
	CHECK(ctx, number >= 0 && number <= most, "\"%s\" is not a whole number from 0 to %lld", key, (long long)most);
	*out = (uint32_t)number;
	return true;
}

static bool read_word(bspi_ctx *ctx, const json_t *object, const char *key, const char *const *words, uint32_t count,
                      uint32_t *out)
{
	const char *text = json_string_value(json_object_get(object, key));
	*out = 0;
	CHECK(ctx, text, "\"%s\" is not a string", key);
	for (uint32_t i = 0; i < count; i++) {
		if (strcmp(words[i], text)) continue;
		*out = i;
		return true;
	}
	return bspi_fail(ctx, BSPSCENE_ERROR_BAD_DATA, HERE, "\"%s\" has the unknown value \"%.40s\"", key, text);
}

static bool read_array(bspi_ctx *ctx, const json_t *object, const char *key, const json_t **out, uint32_t *count)
{
	const json_t *array = json_object_get(object, key);
	*out = NULL;
	*count = 0;
	CHECK(ctx, json_is_array(array) && json_array_size(array) < UINT32_MAX, "\"%s\" is not a list", key);
	*out = array;
	*count = (uint32_t)json_array_size(array);
	return true;
}

static bool read_hash(bspi_ctx *ctx, const json_t *source, const char *key, char out[HASH_SIZE + 1])
{
	const char *text = json_string_value(json_object_get(source, key));
	CHECK(ctx, text && strlen(text) == HASH_SIZE, "\"%s\" is not a hash", key);
	memcpy(out, text, HASH_SIZE + 1);
	return true;
}

/* ---- Pages ------------------------------------------------------------------------------------------------ */

/* True if the map stores this light as luxels of four bytes with a shared exponent. Raw pages then contain the same
 * four bytes for each luxel. */
static bool stores_floats(const bspscene_edited_light *light)
{
	static const char *const names[] = { "ldr", "hdr", "e5bgr9", "lit_e5bgr9" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (!strcmp(names[i], light->light)) return true;
	}
	return false;
}

static bspscene_lightmap_page_format format_of(const bspscene_edited_light *light, bspscene_lightmap_set_kind kind)
{
	if (kind == BSPSCENE_LIGHTMAP_SET_DIRECTION || light->encoding == BSPSCENE_LIGHTMAP_ENCODING_DISPLAY)
		return BSPSCENE_LIGHTMAP_PAGE_RGB8;
	if (light->encoding == BSPSCENE_LIGHTMAP_ENCODING_HDR) return BSPSCENE_LIGHTMAP_PAGE_RGB16F;
	return stores_floats(light) ? BSPSCENE_LIGHTMAP_PAGE_RAW32 : BSPSCENE_LIGHTMAP_PAGE_RGB8;
}

/* The pages that have a picture, in the order of the document. The pictures are decoded after the whole document was
 * checked. */
typedef struct page_list {
	bspi_page_read *items; uint32_t count;
} page_list;

static bool note_page(bspi_ctx *ctx, page_list *list, const json_t *file, const bspi_page_wanted *wanted,
                      bspscene_lightmap_page *out)
{
	const char *name = json_string_value(file);
	*out = (bspscene_lightmap_page){ wanted->width, wanted->height, wanted->format, NULL, NULL };
	if (json_is_null(file)) return true;
	CHECK(ctx, name && *name && !strpbrk(name, "/\\:"),
	      "the file of a page is not the name of a file next to the atlas");
	list->items[list->count++] = (bspi_page_read){ name, *wanted, out };
	return true;
}

static bool read_set(bspi_ctx *ctx, const json_t *object, const json_t *sizes, const bspscene_edited_light *light,
                     page_list *list, bspscene_lightmap_set *out)
{
	static const char *const kinds[] = { "light", "direction", "bump0", "bump1", "bump2" };
	const json_t *files;
	uint32_t kind, count;
	BSPI_TRY(read_word(ctx, object, "kind", kinds, sizeof kinds / sizeof *kinds, &kind));
	BSPI_TRY(read_number(ctx, object, "style", MOST_STYLE, &out->style));
	BSPI_TRY(read_array(ctx, object, "files", &files, &count));
	CHECK(ctx, count == light->lightmap_page_count, "a set has %u files for %u pages", count,
	      light->lightmap_page_count);
	bspscene_lightmap_page *pages = bspi_push(ctx, &ctx->result, bspscene_lightmap_page, count);
	BSPI_TRY(pages);
	out->kind = (bspscene_lightmap_set_kind)kind;
	out->pages = pages;
	out->intensity = 1;
	for (uint32_t i = 0; i < count; i++) {
		bspi_page_wanted wanted = {
			.format = format_of(light, out->kind), .directions = out->kind == BSPSCENE_LIGHTMAP_SET_DIRECTION,
		};
		const json_t *size = json_array_get(sizes, i);
		BSPI_TRY(read_number(ctx, size, "width", LARGEST_SIDE, &wanted.width));
		BSPI_TRY(read_number(ctx, size, "height", LARGEST_SIDE, &wanted.height));
		CHECK(ctx, wanted.width && wanted.height, "page %u has a width or height of 0", i);
		BSPI_TRY(note_page(ctx, list, json_array_get(files, i), &wanted, &pages[i]));
	}
	return true;
}

static bool read_sets(bspi_ctx *ctx, const json_t *document, bspscene_edited_light *light, page_list *list)
{
	const json_t *sizes, *sets;
	BSPI_TRY(read_array(ctx, document, "pages", &sizes, &light->lightmap_page_count));
	BSPI_TRY(read_array(ctx, document, "sets", &sets, &light->lightmap_set_count));
	uint64_t pages = (uint64_t)light->lightmap_page_count * light->lightmap_set_count;
	CHECK(ctx, pages <= MOST_PAGES, "%u sets of %u pages are too many", light->lightmap_set_count,
	      light->lightmap_page_count);
	bspscene_lightmap_set *out = bspi_push(ctx, &ctx->result, bspscene_lightmap_set, light->lightmap_set_count);
	list->items = bspi_push(ctx, &ctx->scratch, bspi_page_read, pages + MOST_LISTS);
	BSPI_TRY(out && list->items);
	light->lightmap_sets = out;
	for (uint32_t i = 0; i < light->lightmap_set_count; i++) {
		BSPI_TRY(read_set(ctx, json_array_get(sets, i), sizes, light, list, &out[i]));
		for (uint32_t k = 0; k < i; k++) {
			CHECK(ctx, out[k].kind != out[i].kind || out[k].style != out[i].style,
			      "style %u has two sets of the same kind", out[i].style);
		}
	}
	return true;
}

/* ---- Light on no page ------------------------------------------------------------------------------------- */

static bool read_list(bspi_ctx *ctx, const json_t *object, const bspscene_edited_light *light, page_list *pages,
                      bspscene_light_list *out)
{
	const char *name = json_string_value(json_object_get(object, "name"));
	bspi_page_wanted wanted = { .format = BSPSCENE_LIGHTMAP_PAGE_RGB8 };
	if (light->encoding == BSPSCENE_LIGHTMAP_ENCODING_HDR) wanted.format = BSPSCENE_LIGHTMAP_PAGE_RGB16F;
	CHECK(ctx, name, "a list has no \"name\", or it is not a string");
	out->name = bspi_text_copy(ctx, bspi_bytes_of(name, strlen(name)), NULL);
	return out->name && read_number(ctx, object, "count", UINT32_MAX, &out->count) &&
	       read_number(ctx, object, "width", LARGEST_SIDE, &wanted.width) &&
	       read_number(ctx, object, "height", LARGEST_SIDE, &wanted.height) &&
	       (wanted.width && wanted.height
	            ? note_page(ctx, pages, json_object_get(object, "file"), &wanted, &out->luxels)
	            : bspi_fail(ctx, BSPSCENE_ERROR_BAD_DATA, HERE, "list \"%.100s\" has a width or height of 0", name));
}

static bool read_lists(bspi_ctx *ctx, const json_t *document, bspscene_edited_light *light, page_list *pages)
{
	const json_t *lists;
	uint32_t count;
	if (!json_object_get(document, "lists")) return true;
	BSPI_TRY(read_array(ctx, document, "lists", &lists, &count));
	CHECK(ctx, count <= MOST_LISTS, "%u lists are too many", count);
	bspscene_light_list *out = bspi_push(ctx, &ctx->result, bspscene_light_list, count);
	BSPI_TRY(out);
	for (uint32_t i = 0; i < count; i++) BSPI_TRY(read_list(ctx, json_array_get(lists, i), light, pages, &out[i]));
	light->lists = out;
	light->list_count = count;
	return true;
}

/* ---- Faces ------------------------------------------------------------------------------------------------ */

static bool read_face(bspi_ctx *ctx, const json_t *face, bspscene_lightmap_rect *out)
{
	return read_number(ctx, face, "face", UINT32_MAX, &out->face_record) &&
	       read_number(ctx, face, "page", UINT32_MAX, &out->lightmap_page) &&
	       read_number(ctx, face, "x", UINT32_MAX, &out->x) && read_number(ctx, face, "y", UINT32_MAX, &out->y) &&
	       read_number(ctx, face, "width", UINT32_MAX, &out->width) &&
	       read_number(ctx, face, "height", UINT32_MAX, &out->height);
}

/* Reads the rectangles of the faces. Skips copies, which overlays have: they show the same luxels as their face. */
static bool read_faces(bspi_ctx *ctx, const json_t *document, bspscene_edited_light *light)
{
	const json_t *faces;
	uint32_t count;
	BSPI_TRY(read_array(ctx, document, "faces", &faces, &count));
	bspscene_lightmap_rect *places = bspi_push(ctx, &ctx->result, bspscene_lightmap_rect, count);
	BSPI_TRY(places);
	for (uint32_t i = 0; i < count; i++) {
		const json_t *face = json_array_get(faces, i);
		if (json_is_true(json_object_get(face, "copy"))) continue;
		BSPI_TRY(read_face(ctx, face, &places[light->rect_count++]));
	}
	light->rects = places;
	return true;
}

/* ---- The document ----------------------------------------------------------------------------------------- */

static bool read_document(bspi_ctx *ctx, const json_t *document, bspscene_edited_light *light)
{
	static const char *const encodings[] = { "display", "raw", "hdr" };
	const json_t *source = json_object_get(document, "source");
	uint32_t version, encoding;
	CHECK(ctx, json_is_object(document), "is not an atlas: it is not a JSON object");
	BSPI_TRY(json_object_get(document, "version") ||
	         bspi_fail(ctx, BSPSCENE_ERROR_UNSUPPORTED_FORMAT, HERE,
	                   "is of version 1, which is not supported any more: bake again"));
	BSPI_TRY(read_number(ctx, document, "version", UINT32_MAX, &version));
	BSPI_CHECK(ctx, version == FORMAT_VERSION, BSPSCENE_ERROR_UNSUPPORTED_FORMAT, HERE,
	           "is of version %u, but only version %d is read", version, FORMAT_VERSION);
	CHECK(ctx, !json_object_get(document, "merged_styles"),
	      "its pages are sums of light styles, which cannot be taken apart: bake again with --every-style");
	BSPI_TRY(read_word(ctx, document, "encoding", encodings, sizeof encodings / sizeof *encodings, &encoding));
	light->encoding = (bspscene_lightmap_encoding)encoding;
	const char *name = json_string_value(json_object_get(document, "light"));
	CHECK(ctx, source && name && strlen(name) < sizeof light->light,
	      "names no light of a map: the map that was baked has none");
	page_list pages = { NULL, 0 };
	memcpy(light->light, name, strlen(name) + 1);
	light->overbright = (float)json_number_value(json_object_get(document, "overbright"));
	return read_hash(ctx, source, "layout_hash", light->layout_hash) &&
	       read_hash(ctx, source, "light_hash", light->light_hash) && read_sets(ctx, document, light, &pages) &&
	       read_lists(ctx, document, light, &pages) && read_faces(ctx, document, light) &&
	       bspi_read_atlas_pages(ctx, pages.items, pages.count);
}

bool bspi_read_atlas_text(bspi_ctx *ctx, bspi_bytes text, bspscene_edited_light *light)
{
	json_error_t fault;
	json_t *document = json_loadb((const char *)text.data, text.size, JSON_REJECT_DUPLICATES, &fault);
	if (!document) {
		bspscene_sanitize_text(fault.text);
		return bspi_fail(ctx, BSPSCENE_ERROR_BAD_DATA, HERE, "line %d: %s", fault.line, fault.text);
	}
	bool read = read_document(ctx, document, light);
	json_decref(document);
	return read;
}
