/* binary_material.c - see binary_material.h. */
#include "materials/shader/binary_material.h"

#include <stdio.h>

#include "base/text.h"
#include "io/io.h"

/* Byte offsets relative to the texture count. STATES: where the state words begin, before the count. TECHNIQUE and
 * TEXTURES: where the offsets of the technique's name and of the texture entries are, after the count. TEXTURE is the
 * size of an entry in bytes. */
enum { STATES = 8, TECHNIQUE = 4, TEXTURES = 8, TEXTURE = 12 };
enum { NO_ALPHA_TEST = 0x800, ALPHA_TEST = 0x3000, ABOVE_0 = 0x1000, CULL = 0xc000, CULL_NONE = 0x4000 };

/* Returns the string at a byte offset. NULL if it does not end inside the file. */
static const char *text_at(bspi_bytes file, uint32_t offset)
{
	if (offset >= file.size || !memchr(file.data + offset, 0, file.size - offset)) return NULL;
	return (const char *)file.data + offset;
}

/* Converts the number of a Direct3D blend factor. The first factor has the number 1. Returns `otherwise` for numbers
 * that no real file has. */
static bspscene_blend factor_of(uint32_t number, bspscene_blend otherwise)
{
	static const bspscene_blend factors[] = {
		BSPSCENE_BLEND_ZERO, BSPSCENE_BLEND_ONE, BSPSCENE_BLEND_SRC_COLOR, BSPSCENE_BLEND_ONE_MINUS_SRC_COLOR,
		BSPSCENE_BLEND_SRC_ALPHA, BSPSCENE_BLEND_ONE_MINUS_SRC_ALPHA, BSPSCENE_BLEND_DST_ALPHA,
		BSPSCENE_BLEND_ONE_MINUS_DST_ALPHA, BSPSCENE_BLEND_DST_COLOR, BSPSCENE_BLEND_ONE_MINUS_DST_COLOR,
		BSPSCENE_BLEND_SRC_ALPHA_SATURATE,
	};
	return number && number <= sizeof factors / sizeof *factors ? factors[number - 1] : otherwise;
}

static void read_states(uint32_t states, bspi_binary_material *out)
{
	bool blended = states >> 8 & 7;
	if (blended) {
		out->src = factor_of(states & 15, BSPSCENE_BLEND_SRC_ALPHA);
		out->dst = factor_of(states >> 4 & 15, BSPSCENE_BLEND_ONE_MINUS_SRC_ALPHA);
	}
	if (!(states & NO_ALPHA_TEST)) out->cutoff = (states & ALPHA_TEST) == ABOVE_0 ? 1 / 255.0f : 0.5f;
	out->two_sided = (states & CULL) == CULL_NONE;
}

/* True if the technique is one that draws without light. Names of lit techniques begin with l_ (Call of Duty 4), phong_
 * (Call of Duty 2) or ambient_. */
static bool is_unlit(const char *technique)
{
	static const char *const beginnings[] = { "unlit", "effect", "2d", "objective", "tools" };
	for (size_t i = 0; technique && i < sizeof beginnings / sizeof *beginnings; i++) {
		if (bspi_text_starts(technique, beginnings[i])) return true;
	}
	return false;
}

bool bspi_read_binary_material(bspi_bytes file, uint32_t count_at, bspi_binary_material *out)
{
	*out = (bspi_binary_material){ .src = BSPSCENE_BLEND_ONE, .dst = BSPSCENE_BLEND_ZERO };
	if (file.size < count_at + TEXTURES + 4) return false;
	uint32_t count = bspi_load_u16(file.data + count_at), at = bspi_load_u32(file.data + count_at + TEXTURES);
	bspi_bytes entries;
	if (!text_at(file, bspi_load_u32(file.data))) return false;
	if (!bspi_slice(file, at, (uint64_t)count * TEXTURE, &entries)) return false;
	read_states(bspi_load_u32(file.data + count_at - STATES), out);
	out->unlit = is_unlit(text_at(file, bspi_load_u32(file.data + count_at + TECHNIQUE)));
	for (uint32_t i = 0; i < count; i++) {
		const uint8_t *entry = entries.data + (size_t)TEXTURE * i;
		const char *use = text_at(file, bspi_load_u32(entry)), *name = text_at(file, bspi_load_u32(entry + 8));
		if (!use || !name) return false;
		if (bspi_text_equal(use, "colorMap")) out->color = name;
		if (bspi_text_equal(use, "normalMap")) out->normals = name;
	}
	return true;
}

static bool find_named(bspi_materials *m, const char *name, uint32_t *image)
{
	char path[BSPI_PATH_SIZE];
	snprintf(path, sizeof path, "images/%.200s.iwi", name);
	BSPI_TRY(bspi_try_image(m, path, image));
	return *image != BSPSCENE_NO_INDEX ||
	       bspi_find_image(m, name, "there is no material file and no image of this name", image);
}

static bool find_normals(bspi_materials *m, const char *name, bspscene_material *out)
{
	char path[BSPI_PATH_SIZE];
	if (*name == '$' || *name == '~') return true; /* the engine generates these normal maps, flat or from other
	                                                * images */
	snprintf(path, sizeof path, "images/%.200s.iwi", name);
	return bspi_try_normal_map(m, path, &out->normal_image);
}

static bool find_pictures(bspi_materials *m, uint32_t count_at, const char *name, bspscene_material *out,
                          bspi_binary_material *read, uint32_t *image)
{
	bspi_ctx *ctx = m->ctx;
	char path[BSPI_PATH_SIZE];
	bspi_sibling file = { .bytes = BSPI_NO_BYTES };
	snprintf(path, sizeof path, "materials/%.200s", name);
	bool found = bspi_open_sibling(ctx, &ctx->scratch, path, BSPSCENE_FILE_SHADER, &file);
	BSPI_TRY(!ctx->error.status);
	if (!found) return find_named(m, name, image);
	if (!bspi_read_binary_material(file.bytes, count_at, read)) {
		*read = (bspi_binary_material){ .src = BSPSCENE_BLEND_ONE, .dst = BSPSCENE_BLEND_ZERO };
		BSPI_TRY(bspi_warn(ctx, BSPSCENE_WARNING_SHADER_BAD, BSPI_LUMP("textures"),
		                   "%s is not a material file, or is damaged", path));
		return find_named(m, name, image);
	}
	if (read->two_sided) out->cull = BSPSCENE_CULL_NONE;
	out->script_file = bspi_text_keep(ctx, path);
	BSPI_TRY(out->script_file && (!read->normals || find_normals(m, read->normals, out)));
	if (!read->color) return find_named(m, name, image);
	snprintf(path, sizeof path, "images/%.200s.iwi", read->color);
	return bspi_find_image(m, path, "the colors of a material", image);
}

/* Adds one stage that is both lit and blended, because the game does both in one pass. */
static bool add_one_stage(bspi_materials *m, const bspi_binary_material *read, uint32_t image)
{
	bspscene_material_pass stage = bspi_plain_pass(BSPSCENE_PASS_INPUT_IMAGE);
	stage.first_frame_image = m->frame_count;
	stage.frame_image_count = 1;
	stage.src_blend = read->src;
	stage.dst_blend = read->dst;
	stage.depth_write = read->dst == BSPSCENE_BLEND_ZERO;
	if (!read->unlit) stage.color_gen = BSPSCENE_COLOR_GEN_LIGHT;
	if (read->cutoff > 0) {
		stage.alpha_test = BSPSCENE_ALPHA_MODE_MASK;
		stage.alpha_cutoff = read->cutoff;
	}
	return bspi_add_frame(m, image) && bspi_add_pass(m, &stage);
}

bool bspi_build_binary_material(bspi_materials *m, uint32_t count_at, const char *name, bspscene_material *out)
{
	uint32_t image;
	bspi_binary_material read = { .src = BSPSCENE_BLEND_ONE, .dst = BSPSCENE_BLEND_ZERO };
	BSPI_TRY(find_pictures(m, count_at, name, out, &read, &image));
	bool plain = !read.unlit && read.dst == BSPSCENE_BLEND_ZERO && !(read.cutoff > 0);
	if (plain || image == BSPSCENE_NO_INDEX) return bspi_build_implicit_passes(m, BSPI_IMPLICIT_NONE, image);
	return add_one_stage(m, &read, image);
}
