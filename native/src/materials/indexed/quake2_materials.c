/* quake2_materials.c - makes materials from names and flags of texinfos: Quake II, Kingpin, Heretic II, the re-release.
 *
 * Texture n of the map belongs to texinfo n. Its file is textures/NAME.wal. The size of this file divides the uvs, even
 * if a TGA, PNG or JPEG replaces its pixels. Heretic II has .m8 files, and Daikatana a variant of WAL; both have
 * palettes. Animations follow texinfo.next, with 2 frames a second. The frames form a loop, but some animations have
 * frames before the loop (docs/formats/quake2.md, "Textures"). */
#include "materials/indexed/indexed.h"

#include <stdio.h>

#include "base/text.h"
#include "io/io.h"

enum {
	WAL_HEADER = 100, DAIKATANA_WAL = 3, M8_HEADER = 1040, M8_PALETTE = 260, M8_VERSION = 2, HOLE = 255,
	MOST_FRAMES = 32
};
#define FRAMES_PER_SECOND 2.0f

/* Follows gl_warp.c R_SubdividePolygon and R_EmitWaterPolys. The sine table has an amplitude of 8, which gl_rmain.c
 * halves. */
static const bspi_liquid warp = { .texels = 4, .frequency = 0.125f, .pieces = 64, .centered = true };


/* Textures of the editor, identified by the last part of the name. Trigger entities have textures named trigger and
 * clip. The engine ignores the flag nodraw. */
static const bspi_tool_texture tools[] = {
	{ "trigger", BSPSCENE_SURFACE_TRIGGER }, { "clip", BSPSCENE_SURFACE_CLIP }, { "origin", BSPSCENE_SURFACE_TOOL },
	{ "hint", BSPSCENE_SURFACE_HINT }, { "skip", BSPSCENE_SURFACE_SKIP }, { "nodraw", BSPSCENE_SURFACE_NODRAW },
};

static bool begin(bspi_materials *m, const bspi_material_rules *rules)
{
	static const bspi_fallback_palette gray = { NULL, "gray" };
	uint8_t *palette = bspi_push(m->ctx, &m->ctx->scratch, uint8_t, BSPI_PALETTE_SIZE);
	(void)rules;
	BSPI_TRY(palette);
	m->state = palette;
	return m->ctx->options.textures == BSPSCENE_TEXTURES_NONE ||
	       bspi_find_palette(m->ctx, "pics/colormap.pcx", &gray, palette);
}

/* The content of a texture file: indices with a palette, and the size by which uvs are divided. */
typedef struct wal {
	const uint8_t *pixels;             /* NULL: only the header was read */
	uint32_t width, height;
	bspi_bytes palette;
} wal;

/* Reads Daikatana's variant of WAL. It begins with a version number, which is not a letter, and has a palette of its
 * own. */
static bool read_daikatana_wal(bspi_bytes file, wal *out)
{
	enum { HEADER = 888, WIDTH_AT = 36, HEIGHT_AT = 40, PIXELS_AT = 44, PALETTE_AT = 120 };
	bspi_bytes pixels;
	if (file.size < HEADER) return false;
	out->width = bspi_load_u32(file.data + WIDTH_AT);
	out->height = bspi_load_u32(file.data + HEIGHT_AT);
	if (!out->width || !out->height || out->width > 8192 || out->height > 8192) return false;
	bool whole = bspi_slice(file, bspi_load_u32(file.data + PIXELS_AT), (uint64_t)out->width * out->height, &pixels);
	out->pixels = whole ? pixels.data : NULL;
	return bspi_slice(file, PALETTE_AT, BSPI_PALETTE_SIZE, &out->palette);
}

static bool read_wal(const bspi_materials *m, bspi_bytes file, wal *out)
{
	bspi_bytes pixels;
	if (file.size && file.data[0] == DAIKATANA_WAL) return read_daikatana_wal(file, out);
	if (file.size < WAL_HEADER) return false;
	out->width = bspi_load_u32(file.data + 32);
	out->height = bspi_load_u32(file.data + 36);
	if (!out->width || !out->height || out->width > 8192 || out->height > 8192) return false;
	bool whole = bspi_slice(file, bspi_load_u32(file.data + 40), (uint64_t)out->width * out->height, &pixels);
	out->pixels = whole ? pixels.data : NULL;
	out->palette = bspi_bytes_of(m->state, BSPI_PALETTE_SIZE);
	return true;
}

static bool read_m8(bspi_bytes file, wal *out)
{
	bspi_bytes pixels;
	if (file.size < M8_HEADER || bspi_load_u32(file.data) != M8_VERSION) return false;
	out->width = bspi_load_u32(file.data + 36);
	out->height = bspi_load_u32(file.data + 100);
	if (!out->width || !out->height || out->width > 8192 || out->height > 8192) return false;
	bool whole = bspi_slice(file, bspi_load_u32(file.data + 164), (uint64_t)out->width * out->height, &pixels);
	out->pixels = whole ? pixels.data : NULL;
	return bspi_slice(file, M8_PALETTE, BSPI_PALETTE_SIZE, &out->palette);
}

/* Opens a texture file. Returns false, without ctx->error, if it does not exist or is damaged. */
static bool open_wal(const bspi_materials *m, const char *name, wal *out)
{
	bspi_sibling file;
	char path[BSPI_PATH_SIZE];
	snprintf(path, sizeof path, "textures/%.100s.wal", name);
	if (bspi_open_sibling(m->ctx, &m->ctx->scratch, path, BSPSCENE_FILE_TEXTURE, &file)) {
		if (read_wal(m, file.bytes, out)) return true;
		bspi_warn(m->ctx, BSPSCENE_WARNING_IMAGE_BAD, BSPI_LUMP("textures"), "%s is not a WAL file, or is cut off",
		          file.path);
		return false;
	}
	if (m->ctx->error.status) return false;
	snprintf(path, sizeof path, "textures/%.100s.m8", name);
	return bspi_open_sibling(m->ctx, &m->ctx->scratch, path, BSPSCENE_FILE_TEXTURE, &file) && read_m8(file.bytes, out);
}

/* Finds the image of a texture. `size` receives the size by which its uvs are divided. */
static bool add_picture(bspi_materials *m, const bspi_texture *texture, uint32_t size[2], uint32_t *image)
{
	wal found = { NULL, 0, 0, BSPI_NO_BYTES };
	char path[BSPI_PATH_SIZE];
	bool cut_out = texture->surface_flags & (BSPI_SURF_TRANS33 | BSPI_SURF_TRANS66 | BSPI_SURF_ALPHATEST);
	bspi_index_rule rule = { cut_out ? HOLE : -1, 256, false, true, false };
	bool known = open_wal(m, texture->name, &found);
	if (m->ctx->error.status) return false;
	snprintf(path, sizeof path, "textures/%.100s", texture->name);
	BSPI_TRY(bspi_try_image(m, path, image));
	if (*image == BSPSCENE_NO_INDEX && found.pixels) {
		BSPI_TRY(bspi_add_indexed_image(m, path, found.pixels, found.width, found.width, found.height, found.palette,
		                                rule, image));
	} else if (*image == BSPSCENE_NO_INDEX) {
		BSPI_TRY(bspi_find_image(m, path, "there is no WAL file either", image));
	}
	size[0] = known ? found.width : m->images[*image].width;
	size[1] = known ? found.height : m->images[*image].height;
	return true;
}

/* Lists the frames of an animation by following texinfo.next. It ends at 0, at -1, and where a texture is repeated. */
static uint32_t find_frames(const bspi_materials *m, const bspi_texture *texture, const bspi_texture **frames)
{
	uint32_t count = 0, at = (uint32_t)(texture - m->textures);
	while (count < MOST_FRAMES) {
		for (uint32_t i = 0; i < count; i++) {
			if (frames[i] == &m->textures[at]) return count;
		}
		frames[count++] = &m->textures[at];
		int32_t next = at < m->map->texinfos_count ? m->map->texinfos[at].next : 0;
		if (next <= 0 || (uint32_t)next >= m->map->texinfos_count) break;
		at = (uint32_t)next;
	}
	return count;
}

static void read_flags(const bspi_texture *texture, bspscene_material *out)
{
	uint32_t flags = texture->surface_flags;
	bspi_read_quake2_kind(texture, tools, sizeof tools / sizeof *tools, out);
	if (flags & BSPI_SURF_ALPHATEST) {
		out->alpha_mode = BSPSCENE_ALPHA_MODE_MASK;
		out->alpha_cutoff = 0.666f;        /* as in gl_surf.c of engines that support alpha-tested surfaces */
	}
	if (flags & (BSPI_SURF_TRANS33 | BSPI_SURF_TRANS66)) {
		out->alpha_mode = BSPSCENE_ALPHA_MODE_BLEND;
		out->color[3] = flags & BSPI_SURF_TRANS33 ? 0.33f : 0.66f;
		out->sort = 9;
	}
	out->unlit = flags & (BSPI_SURF_WARP | BSPI_SURF_TRANS33 | BSPI_SURF_TRANS66);
	/* Flowing textures move by 64 repeats in 40 seconds (gl_rsurf.c). Those that also warp move by 64 texels, which is
	 * one repeat, in 2 seconds (gl_warp.c). */
	if (flags & BSPI_SURF_FLOWING) out->scroll[0] = flags & BSPI_SURF_WARP ? -0.5f : -1.6f;
}

static bool make(bspi_materials *m, const bspi_material_rules *rules, const bspi_texture *texture,
                 bspscene_material *out)
{
	const bspi_texture *frames[MOST_FRAMES];
	uint32_t images[MOST_FRAMES], size[2] = { 0, 0 }, ignored[2];
	(void)rules;
	if (texture->surface_flags & BSPI_SURF_SKY) return bspi_make_sky_box(m, "env/", "sky", "unit1_", out);
	read_flags(texture, out);
	if (m->ctx->options.textures == BSPSCENE_TEXTURES_NONE) return true;
	uint32_t count = find_frames(m, texture, frames);
	for (uint32_t i = 0; i < count; i++) BSPI_TRY(add_picture(m, frames[i], i ? ignored : size, &images[i]));
	out->base_image = images[0];
	bool warps = texture->surface_flags & BSPI_SURF_WARP;
	out->width = warps ? BSPI_LIQUID_SIZE : size[0];
	out->height = warps ? BSPI_LIQUID_SIZE : size[1];
	BSPI_TRY(bspi_add_lit_passes(m, images, count, FRAMES_PER_SECOND, BSPSCENE_NO_INDEX, !out->unlit, out));
	return !warps || bspi_warp_liquid(m, &warp, out);
}

const bspi_material_rules bspi_material_rules_quake2 = { .begin = begin, .make = make };
