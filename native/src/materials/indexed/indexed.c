/* indexed.c - see indexed.h. */
#include "materials/indexed/indexed.h"

#include "base/text.h"
#include "io/io.h"

bool bspi_find_palette(bspi_ctx *ctx, const char *path, const bspi_fallback_palette *stand_in, uint8_t *out)
{
	bspi_sibling file = { .bytes = BSPI_NO_BYTES };
	const char *wanted = ctx->options.palette_path ? ctx->options.palette_path : path;
	if (ctx->options.palette) {
		memcpy(out, ctx->options.palette, BSPI_PALETTE_SIZE);
		return true;
	}
	if (bspi_open_sibling(ctx, &ctx->scratch, wanted, BSPSCENE_FILE_PALETTE, &file) &&
	    file.bytes.size >= BSPI_PALETTE_SIZE) {
		memcpy(out, file.bytes.data + file.bytes.size - BSPI_PALETTE_SIZE, BSPI_PALETTE_SIZE);
		return true;
	}
	if (ctx->error.status) return false;
	for (size_t i = 0; i < BSPI_PALETTE_SIZE; i++) out[i] = stand_in->colors ? stand_in->colors[i] : (uint8_t)(i / 3);
	if (file.bytes.size) {
		return bspi_warn(ctx, BSPSCENE_WARNING_FILE_STALE, BSPI_LUMP("palette"),
		                 "%s has %zu bytes instead of %d: textures are %s", wanted, file.bytes.size, BSPI_PALETTE_SIZE,
		                 stand_in->words);
	}
	return bspi_warn(ctx, BSPSCENE_WARNING_FILE_MISSING, BSPI_LUMP("palette"),
	                 "%s was not found: textures are %s. It is in the game's pak0.pak", wanted, stand_in->words);
}

bool bspi_any_index_from(const uint8_t *indices, size_t count, uint32_t first)
{
	for (size_t i = 0; i < count; i++) {
		if (indices[i] >= first) return true;
	}
	return false;
}

/* Computes the pixel for each of the 256 indices. */
static void make_colors(bspi_bytes palette, bspi_index_rule rule, uint8_t colors[256][4])
{
	for (uint32_t i = 0; i < 256; i++) {
		bool glows = i >= rule.first_glowing, shown = glows ? rule.glowing : rule.others;
		for (uint32_t k = 0; k < 3; k++) colors[i][k] = shown && 3 * i + k < palette.size ? palette.data[3 * i + k] : 0;
		colors[i][3] = 255;
	}
	if (rule.transparent >= 0) memset(colors[rule.transparent], 0, 4);
}

/* Returns a neighbor of a texel. `side` counts the 3 x 3 texels around it row by row, so 4 is the texel itself.
 * Textures repeat, so a texel at an edge has neighbors at the opposite edge. */
static uint32_t neighbor_of(uint32_t texel, uint32_t side, uint32_t width, uint32_t height)
{
	uint32_t x = (texel % width + side % 3 + width - 1) % width, y = (texel / width + side / 3 + height - 1) % height;
	return y * width + x;
}

/* Gives a texel the mean color of those neighbors whose color is known. */
static void spread_to(uint8_t *pixels, uint32_t width, uint32_t height, uint32_t texel, const bool *known)
{
	uint32_t sum[3] = { 0, 0, 0 }, count = 0;
	for (uint32_t side = 0; side < 9; side++) {
		size_t next = neighbor_of(texel, side, width, height);
		if (!known[next]) continue;
		count++;
		for (uint32_t k = 0; k < 3; k++) sum[k] += pixels[4 * next + k];
	}
	for (uint32_t k = 0; k < 3 && count; k++) pixels[4 * (size_t)texel + k] = (uint8_t)((sum[k] + count / 2) / count);
}

/* Gives invisible texels the color of the nearest visible ones. Otherwise filtering would mix black into the edges
 * (QuakeSpasm gl_texmgr.c, TexMgr_AlphaEdgeFix; Quake II gl_image.c, GL_Upload8). */
static bool spread_colors(bspi_ctx *ctx, uint8_t *pixels, uint32_t width, uint32_t height)
{
	size_t count = (size_t)width * height, end = 0, begin = 0;
	bool *known = bspi_push(ctx, &ctx->stage, bool, count), *queued = bspi_push(ctx, &ctx->stage, bool, count);
	uint32_t *queue = bspi_push_unset(ctx, &ctx->stage, count, sizeof *queue);
	BSPI_TRY(known && queued && queue);
	for (size_t i = 0; i < count; i++) {
		known[i] = queued[i] = pixels[4 * i + 3] != 0;
		if (known[i]) queue[end++] = (uint32_t)i;
	}
	while (begin < end) {
		size_t ring = end;
		for (; begin < ring; begin++) {
			for (uint32_t side = 0; side < 9; side++) {
				uint32_t next = neighbor_of(queue[begin], side, width, height);
				if (queued[next]) continue;
				queued[next] = true;
				queue[end++] = next;
			}
		}
		for (size_t i = ring; i < end; i++) spread_to(pixels, width, height, queue[i], known);
		for (size_t i = ring; i < end; i++) known[queue[i]] = true;
	}
	return true;
}

bool bspi_add_indexed_image(bspi_materials *m, const char *name, const uint8_t *indices, size_t row, uint32_t width,
                            uint32_t height, bspi_bytes palette, bspi_index_rule rule, uint32_t *index)
{
	bspi_ctx *ctx = m->ctx;
	bspscene_image image = {
		.path = "", .archive = "", .format = BSPSCENE_IMAGE_RGBA, .width = width, .height = height,
	};
	image.name = bspi_text_copy(ctx, bspi_bytes_of(name, strlen(name)), NULL);
	BSPI_TRY(image.name);
	if (ctx->options.textures == BSPSCENE_TEXTURES_LOAD) {
		uint8_t colors[256][4];
		uint8_t *pixels = bspi_push(ctx, &ctx->result, uint8_t, (size_t)width * height * 4), *out = pixels;
		BSPI_TRY(pixels);
		make_colors(palette, rule, colors);
		for (uint32_t y = 0; y < height; y++) {
			for (uint32_t x = 0; x < width; x++, out += 4) {
				uint8_t c = indices[y * row + x];
				image.has_alpha |= c == rule.transparent;
				memcpy(out, colors[c], 4);
			}
		}
		if (image.has_alpha && !rule.keeps_black) BSPI_TRY(spread_colors(ctx, pixels, width, height));
		image.data = pixels;
		image.size = (size_t)width * height * 4;
	}
	return bspi_add_image(m, &image, index);
}

static bool add_image_stage(bspi_materials *m, const uint32_t *frames, uint32_t frame_count, float frames_per_second,
                            const bspscene_material *material, bool adds)
{
	bspscene_material_pass stage = bspi_plain_pass(BSPSCENE_PASS_INPUT_IMAGE);
	stage.first_frame_image = m->frame_count;
	stage.frame_image_count = frame_count;
	stage.frames_per_second = frame_count > 1 ? frames_per_second : 0;
	stage.clamp = material->clamp;
	for (uint32_t i = 0; i < frame_count; i++) BSPI_TRY(bspi_add_frame(m, frames[i]));
	if (adds) {
		stage.dst_blend = BSPSCENE_BLEND_ONE;
		stage.depth_write = false;
		stage.depth_equal = true;
	} else if (material->alpha_mode == BSPSCENE_ALPHA_MODE_MASK) {
		stage.alpha_test = BSPSCENE_ALPHA_MODE_MASK;
		stage.alpha_cutoff = material->alpha_cutoff;
	} else if (material->alpha_mode == BSPSCENE_ALPHA_MODE_BLEND || material->alpha_mode == BSPSCENE_ALPHA_MODE_ADD) {
		bool blend = material->alpha_mode == BSPSCENE_ALPHA_MODE_BLEND;
		stage.src_blend = BSPSCENE_BLEND_SRC_ALPHA;
		stage.dst_blend = blend ? BSPSCENE_BLEND_ONE_MINUS_SRC_ALPHA : BSPSCENE_BLEND_ONE;
		stage.alpha_gen = BSPSCENE_ALPHA_GEN_CONST;
		stage.alpha = material->color[3];
		stage.depth_write = false;
	}
	if (material->scroll[0] != 0 || material->scroll[1] != 0) {
		stage.tc_mods[stage.tc_mod_count++] = (bspscene_tc_mod){ BSPSCENE_TC_MOD_SCROLL,
		                                                         { material->scroll[0], material->scroll[1] },
		                                                         { 0 } };
	}
	return bspi_add_pass(m, &stage);
}

bool bspi_add_lit_passes(bspi_materials *m, const uint32_t *frames, uint32_t frame_count, float frames_per_second,
                         uint32_t glow, bool lit, bspscene_material *material)
{
	material->first_pass = m->stage_count;
	BSPI_TRY(add_image_stage(m, frames, frame_count, frames_per_second, material, false));
	if (lit) {
		bspscene_material_pass light = bspi_plain_pass(BSPSCENE_PASS_INPUT_LIGHT);
		light.src_blend = BSPSCENE_BLEND_DST_COLOR;
		light.dst_blend = BSPSCENE_BLEND_ZERO;
		light.depth_write = false;
		light.depth_equal = material->alpha_mode == BSPSCENE_ALPHA_MODE_MASK;
		BSPI_TRY(bspi_add_pass(m, &light));
	}
	if (glow != BSPSCENE_NO_INDEX) BSPI_TRY(add_image_stage(m, &glow, 1, 0, material, true));
	material->pass_count = m->stage_count - material->first_pass;
	return true;
}

/* Adds the warp to a stage as the first change of its texture coordinates. So a later scroll moves the warped
 * picture. */
static void warp_stage(const bspi_liquid *liquid, bspscene_material_pass *stage)
{
	const float size = BSPI_LIQUID_SIZE;
	if (stage->input != BSPSCENE_PASS_INPUT_IMAGE || stage->tc_mod_count >= BSPSCENE_MATERIAL_PASS_MAX_TC_MODS) return;
	memmove(stage->tc_mods + 1, stage->tc_mods, stage->tc_mod_count++ * sizeof *stage->tc_mods);
	stage->tc_mods[0] = (bspscene_tc_mod){
		.kind = BSPSCENE_TC_MOD_WARP, .values = { liquid->texels / size, liquid->frequency * size, 1 } };
}

bool bspi_warp_liquid(bspi_materials *m, const bspi_liquid *liquid, bspscene_material *material)
{
	for (uint32_t i = 0; i < material->pass_count; i++) warp_stage(liquid, &m->stages[material->first_pass + i]);
	if (liquid->pieces <= 0) return true;
	bspscene_deform *deform = bspi_push(m->ctx, &m->ctx->result, bspscene_deform, 1);
	BSPI_TRY(deform);
	*deform = (bspscene_deform){ .kind = BSPSCENE_DEFORM_LIQUID, .width = liquid->pieces,
	                             .height = liquid->wave_height, .centered = liquid->centered };
	material->deforms = bspi_table(m->ctx, bspscene_deform, deform, 1);
	material->deform_count = 1;
	return material->deforms != NULL;
}

bool bspi_add_blended_pass(bspi_materials *m, uint32_t image, bspscene_material *material)
{
	BSPI_TRY(bspi_add_lit_passes(m, &image, 1, 0, BSPSCENE_NO_INDEX, false, material));
	if (!material->unlit) m->stages[material->first_pass].color_gen = BSPSCENE_COLOR_GEN_LIGHT;
	return true;
}

bool bspi_add_color_pass(bspi_materials *m, bspscene_material *material)
{
	bspscene_material_pass stage = bspi_plain_pass(BSPSCENE_PASS_INPUT_WHITE);
	stage.src_blend = BSPSCENE_BLEND_SRC_ALPHA;
	stage.dst_blend = BSPSCENE_BLEND_ONE_MINUS_SRC_ALPHA;
	stage.color_gen = BSPSCENE_COLOR_GEN_CONST;
	memcpy(stage.color, material->color, sizeof stage.color);
	stage.alpha_gen = BSPSCENE_ALPHA_GEN_CONST;
	stage.alpha = material->color[3];
	stage.depth_write = false;
	material->first_pass = m->stage_count;
	material->pass_count = 1;
	return bspi_add_pass(m, &stage);
}

static const bspi_texture *find_texture(const bspi_materials *m, const char *name)
{
	for (uint32_t i = 0; i < m->texture_count; i++) {
		if (bspi_text_equal(m->textures[i].name, name)) return &m->textures[i];
	}
	return NULL;
}

uint32_t bspi_find_texture_frames(const bspi_materials *m, const bspi_texture *texture,
                                  const bspi_texture **frames, uint32_t capacity)
{
	char name[sizeof texture->name];
	uint32_t count = 0;
	bool animated = texture->name[0] == '+' && texture->name[1] >= '0' && texture->name[1] <= '9';
	memcpy(name, texture->name, sizeof name);
	while (animated && count < capacity && count < 10) {
		name[1] = (char)('0' + count);
		if (!(frames[count] = find_texture(m, name))) break;
		count++;
	}
	if (!count) frames[count++] = texture;
	return count;
}
