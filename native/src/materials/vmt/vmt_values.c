/* vmt_values.c - reads values of VMT keys that several files need: images by name, their flags, and transforms. */
#include "materials/vmt/vmt_reading.h"

#include <math.h>
#include <stdio.h>

#include "base/text.h"

#define DEGREE 0.0174532925f

/* Completes a key's value such as "concrete\wall01" to the path "materials/concrete/wall01.vtf". Returns false for
 * textures that the engine generates. */
static bool image_path(const char *value, char out[BSPI_PATH_SIZE])
{
	char path[BSPI_PATH_SIZE];
	if (!bspi_text_path(value, false, path, sizeof path)) return false;
	const char *name = bspi_text_starts(path, "materials/") ? path + strlen("materials/") : path;
	size_t length = strlen(name);
	if (bspi_text_ends(name, ".vtf")) length -= strlen(".vtf");
	if (!length || bspi_text_starts(name, "_rt_") || bspi_text_equal(name, "env_cubemap")) return false;
	snprintf(out, BSPI_PATH_SIZE, "materials/%.*s.vtf", (int)(length < 200 ? length : 200), name);
	return true;
}

bool bspi_find_vmt_image(bspi_materials *m, const bspi_vmt *vmt, const char *const keys[], bool required,
                         uint32_t *index)
{
	char path[BSPI_PATH_SIZE];
	*index = BSPSCENE_NO_INDEX;
	for (; *keys; keys++) {
		const char *value = bspi_vmt_value(vmt, *keys);
		if (!value || !image_path(value, path)) continue;
		if (required) return bspi_find_image(m, path, "its texture is missing", index);
		BSPI_TRY(bspi_try_image(m, path, index));
		if (*index != BSPSCENE_NO_INDEX) break;
	}
	return true;
}

bool bspi_vmt_image_has(const bspi_materials *m, uint32_t index, uint32_t flags)
{
	enum { FLAGS_AT = 20 };
	const bspscene_image *image = index == BSPSCENE_NO_INDEX ? NULL : &m->images[index];
	if (!image || image->format != BSPSCENE_IMAGE_VTF || !image->data) return false;
	return (bspi_load_u32((const uint8_t *)image->data + FLAGS_AT) & flags) == flags;
}

/* Reads up to two numbers that follow `word` in a text like "center .5 .5 scale 1 1 rotate 0 translate 0 0". Elements
 * of `out` without a number keep their values. */
static void numbers_behind(const char *text, const char *word, float out[2])
{
	for (size_t length = strlen(word); *text; text++) {
		if (!bspi_text_starts(text, word)) continue;
		float numbers[2];
		uint32_t count = bspi_text_numbers(text + length, numbers, 2);
		for (uint32_t k = 0; k < count; k++) out[k] = numbers[k];
		return;
	}
}

static bool is_sane(const bspi_vmt_transform *transform)
{
	const float limit = 1e6f;
	for (int k = 0; k < 2; k++) {
		if (!(fabsf(transform->scale[k]) < limit && fabsf(transform->offset[k]) < limit)) return false;
	}
	return true;
}

/* The engine moves by -center, scales, rotates, and then moves by center + translate (cmaterial.cpp). */
void bspi_read_vmt_transform(const bspi_vmt *vmt, const char *key, bspi_vmt_transform *out)
{
	static const bspi_vmt_transform unmoved = { .scale = { 1, 1 } };
	const char *value = bspi_vmt_value(vmt, key);
	float center[2] = { 0.5f, 0.5f }, move[2] = { 0, 0 }, degrees[2] = { 0, 0 };
	*out = unmoved;
	if (!value) return;
	numbers_behind(value, "center", center);
	numbers_behind(value, "scale", out->scale);
	numbers_behind(value, "rotate", degrees);
	numbers_behind(value, "translate", move);
	out->rotation = fmodf(degrees[0], 360) * DEGREE;
	float u = out->scale[0] * center[0], v = out->scale[1] * center[1];
	float cosine = (float)cos(out->rotation), sine = (float)sin(out->rotation);
	out->offset[0] = center[0] + move[0] - (cosine * u - sine * v);
	out->offset[1] = center[1] + move[1] - (sine * u + cosine * v);
	if (!is_sane(out)) *out = unmoved;
}

const char *bspi_shader_of_vmt(const bspi_vmt *vmt)
{
	return bspi_text_starts(vmt->shader, "sdk_") ? vmt->shader + strlen("sdk_") : vmt->shader;
}

bspi_vmt_kind bspi_kind_of_vmt(const bspi_vmt *vmt)
{
	static const struct { const char *start; bspi_vmt_kind kind; } known[] = {
		{ "lightmapped", BSPI_VMT_LIGHTMAPPED }, { "worldvertextransition", BSPI_VMT_LIGHTMAPPED },
		{ "vertexlit", BSPI_VMT_OF_MODELS }, { "unlitgeneric", BSPI_VMT_OF_MODELS },
	};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		if (bspi_text_starts(bspi_shader_of_vmt(vmt), known[i].start)) return known[i].kind;
	}
	return BSPI_VMT_OTHER;
}

void bspi_linear_vmt_color(float color[3])
{
	const float gamma = 2.2f;
	for (int k = 0; k < 3; k++) {
		if (color[k] <= 1) color[k] = (float)pow(color[k], gamma);
	}
}

void bspi_read_vmt_scroll(const bspi_vmt *vmt, const char *variable, float out[2])
{
	const bspi_vmt_proxy moves = { "TextureScroll", "texturescrollvar", variable };
	float rate = bspi_vmt_proxy_number(vmt, &moves, "texturescrollrate", 0);
	float angle = fmodf(bspi_vmt_proxy_number(vmt, &moves, "texturescrollangle", 0), 360) * DEGREE;
	out[0] = rate * (float)cos(angle);
	out[1] = rate * (float)sin(angle);
}
