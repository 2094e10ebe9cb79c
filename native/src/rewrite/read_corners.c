/* read_corners.c - reads new values of corners from JSON or records. They come from a user, so everything is
 * checked. */
#include "rewrite/rewrite_parts.h"

#include <math.h>
#include <string.h>

#include <jansson.h>

#define HERE BSPI_LUMP("new corners")
#define RECORD(index) BSPI_RECORD("new corners", (index))
#define LARGEST_UV 1e6                 /* largest new texture coordinate, in widths or heights of the texture; a
                                        * larger float of 32 bits has no usable fraction */
#define MOST_CORNERS (1u << 26)
#define CHECK(ctx, condition, index, ...) \
	BSPI_CHECK(ctx, condition, BSPSCENE_ERROR_BAD_DATA, RECORD(index), __VA_ARGS__)

enum { PARTS = BSPSCENE_CORNER_UV | BSPSCENE_CORNER_NORMAL | BSPSCENE_CORNER_COLOR };

/* ---- JSON ------------------------------------------------------------------------------------------------- */

static bool read_index(bspi_ctx *ctx, uint32_t index, const json_t *object, const char *key, uint32_t *out)
{
	const json_t *value = json_object_get(object, key);
	int64_t number = json_is_integer(value) ? json_integer_value(value) : -1;
	CHECK(ctx, number >= 0 && number < UINT32_MAX, index, "\"%s\" is not a whole number from 0 on", key);
	*out = (uint32_t)number;
	return true;
}

/* Reads a list of `count` numbers. Sets *there to true if the object has the key. */
static bool read_numbers(bspi_ctx *ctx, uint32_t index, const json_t *object, const char *key, size_t count,
                         double out[4], bool *there)
{
	const json_t *array = json_object_get(object, key);
	*there = array != NULL;
	CHECK(ctx, !array || json_array_size(array) == count, index, "\"%s\" is not a list of %zu numbers", key, count);
	for (size_t i = 0; array && i < count; i++) {
		const json_t *number = json_array_get(array, i);
		CHECK(ctx, json_is_number(number), index, "\"%s\" is not a list of %zu numbers", key, count);
		out[i] = json_number_value(number);
	}
	return true;
}

static bool read_color(bspi_ctx *ctx, uint32_t index, const double values[4], uint8_t out[4])
{
	for (int i = 0; i < 4; i++) {
		bool is_byte = values[i] >= 0 && values[i] <= 255 && values[i] == floor(values[i]);
		CHECK(ctx, is_byte, index, "\"color\": %g is not a whole number from 0 to 255", values[i]);
		out[i] = (uint8_t)values[i];
	}
	return true;
}

static bool check_keys(bspi_ctx *ctx, uint32_t index, json_t *object)
{
	static const char *const known[] = { "face", "corner", "uv", "normal", "color" };
	const char *key;
	json_t *value;
	json_object_foreach(object, key, value) {
		bool found = false;
		for (size_t i = 0; i < sizeof known / sizeof *known; i++) found = found || !strcmp(known[i], key);
		CHECK(ctx, found, index, "\"%.40s\" is not a known member", key);
	}
	return true;
}

static bool read_corner(bspi_ctx *ctx, uint32_t index, json_t *object, bspscene_edited_corner *out)
{
	double uv[4], normal[4], color[4];
	bool has_uv, has_normal, has_color;
	CHECK(ctx, json_is_object(object), index, "is not a JSON object with a corner");
	BSPI_TRY(check_keys(ctx, index, object));
	BSPI_TRY(read_index(ctx, index, object, "face", &out->face) &&
	         read_index(ctx, index, object, "corner", &out->corner) &&
	         read_numbers(ctx, index, object, "uv", 2, uv, &has_uv) &&
	         read_numbers(ctx, index, object, "normal", 3, normal, &has_normal) &&
	         read_numbers(ctx, index, object, "color", 4, color, &has_color));
	for (int i = 0; has_uv && i < 2; i++) out->uv[i] = (float)fmax(fmin(uv[i], 2 * LARGEST_UV), -2 * LARGEST_UV);
	for (int i = 0; has_normal && i < 3; i++) out->normal[i] = (float)fmax(fmin(normal[i], 2), -2);
	out->flags = (has_uv ? BSPSCENE_CORNER_UV : 0u) | (has_normal ? BSPSCENE_CORNER_NORMAL : 0u) |
	             (has_color ? BSPSCENE_CORNER_COLOR : 0u);
	return !has_color || read_color(ctx, index, color, out->color);
}

static bool read_document(bspi_ctx *ctx, const json_t *document, bspi_new_corners *out)
{
	const json_t *array = json_object_get(document, "corners");
	size_t count = json_array_size(array);
	BSPI_CHECK(ctx, json_is_array(array) && count <= MOST_CORNERS, BSPSCENE_ERROR_BAD_DATA, HERE,
	           "\"corners\" is not a list, or is too long");
	bspscene_edited_corner *corners = bspi_push(ctx, &ctx->scratch, bspscene_edited_corner, count);
	BSPI_TRY(corners);
	for (size_t i = 0; i < count; i++) {
		BSPI_TRY(read_corner(ctx, (uint32_t)i, json_array_get(array, i), &corners[i]));
	}
	*out = (bspi_new_corners) { corners, (uint32_t)count };
	return true;
}

static bool read_text(bspi_ctx *ctx, const bspscene_rewrite_options *from, bspi_new_corners *out)
{
	json_error_t fault;
	json_t *document = json_loadb(from->corner_text, from->corner_text_size, JSON_REJECT_DUPLICATES, &fault);
	if (!document) {
		bspscene_sanitize_text(fault.text);
		return bspi_fail(ctx, BSPSCENE_ERROR_BAD_DATA, HERE, "line %d: %s", fault.line, fault.text);
	}
	bool read = read_document(ctx, document, out);
	json_decref(document);
	return read;
}

/* ---- Entry ------------------------------------------------------------------------------------------------ */

static bool check_corner(bspi_ctx *ctx, uint32_t index, const bspscene_edited_corner *corner)
{
	double length = 0;
	for (int i = 0; i < 3; i++) length += (double)corner->normal[i] * (double)corner->normal[i];
	bool has_normal = corner->flags & BSPSCENE_CORNER_NORMAL, well = length > 1e-6 && length < 1e6;
	CHECK(ctx, corner->flags && !(corner->flags & ~(uint32_t)PARTS), index, "has no new uv, normal or color");
	for (int i = 0; corner->flags & BSPSCENE_CORNER_UV && i < 2; i++) {
		double uv = (double)corner->uv[i];
		CHECK(ctx, fabs(uv) <= LARGEST_UV, index, "a texture coordinate is larger than %g", LARGEST_UV);
	}
	CHECK(ctx, !has_normal || well, index, "the normal has no direction: its length is 0 or too large");
	return true;
}

bool bspi_read_new_corners(bspi_rewrite *r)
{
	bspi_ctx *ctx = r->ctx;
	const bspscene_rewrite_options *from = &r->options;
	r->corners = (bspi_new_corners) { from->corners, from->corners ? from->corner_count : 0 };
	if (from->corner_text) BSPI_TRY(read_text(ctx, from, &r->corners));
	for (uint32_t i = 0; i < r->corners.count; i++) BSPI_TRY(check_corner(ctx, i, &r->corners.items[i]));
	return true;
}
