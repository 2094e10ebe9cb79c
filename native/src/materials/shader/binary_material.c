/* binary_material.c - see binary_material.h. */
#include "materials/shader/binary_material.h"

#include <stdio.h>

#include "base/text.h"
#include "io/io.h"

enum { STATES = 8, TEXTURES = 8, TEXTURE = 12 };   /* before and behind the count, and the size of an entry */
enum { NO_ALPHA_TEST = 0x800, CULL = 0xc000, CULL_NONE = 0x4000 };

/* Text that ends inside the file, or NULL. */
static const char *text_at(bspi_bytes file, uint32_t offset)
{
	if (offset >= file.size || !memchr(file.data + offset, 0, file.size - offset)) return NULL;
	return (const char *)file.data + offset;
}

/* Factors are Direct3D's, from 1 on: 1 is nothing and 2 is all of it. */
static void read_states(uint32_t states, bspi_binary_material *out)
{
	bool blends = states >> 8 & 7 && (states >> 4 & 15) > 1;
	if (blends) out->kind = BSPI_IMPLICIT_BLEND;
	else if (!(states & NO_ALPHA_TEST)) out->kind = BSPI_IMPLICIT_MASK;
	out->two_sided = (states & CULL) == CULL_NONE;
}

bool bspi_read_binary_material(bspi_bytes file, uint32_t count_at, bspi_binary_material *out)
{
	*out = (bspi_binary_material){ .kind = BSPI_IMPLICIT_NONE };
	if (file.size < count_at + TEXTURES + 4) return false;
	uint32_t count = bspi_load_u16(file.data + count_at), at = bspi_load_u32(file.data + count_at + TEXTURES);
	bspi_bytes entries;
	if (!text_at(file, bspi_load_u32(file.data))) return false;
	if (!bspi_slice(file, at, (uint64_t)count * TEXTURE, &entries)) return false;
	read_states(bspi_load_u32(file.data + count_at - STATES), out);
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
	return *image != BSPSCENE_NO_INDEX || bspi_find_image(m, name, "no material file, and no such image", image);
}

static bool find_normals(bspi_materials *m, const char *name, bspscene_material *out)
{
	char path[BSPI_PATH_SIZE];
	if (*name == '$' || *name == '~') return true; /* made by the engine: flat, or from others */
	snprintf(path, sizeof path, "images/%.200s.iwi", name);
	return bspi_try_normal_map(m, path, &out->normal_image);
}

bool bspi_find_binary_material(bspi_materials *m, uint32_t count_at, const char *name, bspscene_material *out,
                               bspi_implicit *kind, uint32_t *image)
{
	bspi_ctx *ctx = m->ctx;
	char path[BSPI_PATH_SIZE];
	bspi_sibling file = { .bytes = BSPI_NO_BYTES };
	bspi_binary_material read;
	*kind = BSPI_IMPLICIT_NONE;
	snprintf(path, sizeof path, "materials/%.200s", name);
	bool found = bspi_open_sibling(ctx, &ctx->scratch, path, BSPSCENE_FILE_SHADER, &file);
	BSPI_TRY(!ctx->error.status);
	if (!found) return find_named(m, name, image);
	if (!bspi_read_binary_material(file.bytes, count_at, &read)) {
		BSPI_TRY(bspi_warn(ctx, BSPSCENE_WARNING_SHADER_BAD, BSPI_LUMP("textures"), "%s: is no material", path));
		return find_named(m, name, image);
	}
	*kind = read.kind;
	if (read.two_sided) out->cull = BSPSCENE_CULL_NONE;
	out->source_file = bspi_text_keep(ctx, path);
	BSPI_TRY(out->source_file && (!read.normals || find_normals(m, read.normals, out)));
	if (!read.color) return find_named(m, name, image);
	snprintf(path, sizeof path, "images/%.200s.iwi", read.color);
	return bspi_find_image(m, path, "the colours of a material", image);
}
